package mat

import (
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/scribe"
	"fibsbot/engine/record/internal/snowieline"
)

// cellKind is what a cell of a row says.
type cellKind uint8

const (
	diceCell cellKind = iota
	wordCell          // of the cube
	endCell           // of the end of the game
)

// cell is one player's part of a row: line[at:end].
type cell struct {
	kind    cellKind
	at, end int
	body    int // where the play begins behind dice
	dice    board.Dice
	word    string // the first three letters, small
	odd     string // what stands before the dice and is none
}

var (
	colonDice = regexp.MustCompile(`^([0-6])-?([0-6])\s?:`)
	oddDice   = regexp.MustCompile(`^([^\sA-Za-z0-9()?]{1,3})([1-6])([1-6]):`)
	bareDice  = regexp.MustCompile(`(?i)^([1-6])-?([1-6])[ \t]+(?:(?:\d{1,2}|bar|b)/|can|no ?move|\?|illegal)`)
	cubeWord  = regexp.MustCompile(`(?i)^(?:redoubles?|doubles?|beavers?|raccoons?|takes?|accepts?|drops?|pass|passes|rejects?)\b`)
	bareWord  = regexp.MustCompile(`(?i)^(?:redoubles?|doubles?|takes?|accepts?|drops?|passes|rejects?)(?:\s*=*>?\s*\d+|\s+to\s+\d+)?\s*$`)
	endWord   = regexp.MustCompile(`(?i)^(?:wins?|won|loss(?:es)?|loses?|lost|resign(?:s|ed)?|forfeit(?:s|ed)?|time[ds]? ?out)\b`)
	number    = regexp.MustCompile(`\d+`)
	theMatch  = regexp.MustCompile(`and\s+the\s+match`)
	illegal   = regexp.MustCompile(`(?i)illegal (?:play|move)\s*\(`)
	secondRow = regexp.MustCompile(`\s\d{1,5}\)(?:\s|$)`)
	// diceInside finds dice that ran into the words before them.
	diceInside = regexp.MustCompile(`[1-6]-?[1-6]\s?:`)
	afterMove  = regexp.MustCompile(`(?i)(?:[\d*):?]|off|bar|home|move)\s$`)
)

// mask hides what stands in the brackets of an illegal play: positions and names.
func mask(line string) string {
	if !strings.ContainsRune(line, '(') {
		return line
	}
	b := []byte(line)
	for from := 0; ; {
		at := illegal.FindIndex(b[from:])
		if at == nil {
			return string(b)
		}
		i := from + at[1]
		for depth := 1; i < len(b); i++ {
			if b[i] == '(' {
				depth++
			} else if b[i] == ')' {
				if depth--; depth == 0 {
					break
				}
			}
			b[i] = 'x'
		}
		from = i
	}
}

// cutRow divides a row where a second number stands in it.
func cutRow(line string, from int) (row, again string) {
	if at := secondRow.FindStringIndex(mask(line)[from:]); at != nil && strings.TrimSpace(line[from:from+at[0]]) != "" {
		return line[:from+at[0]], line[from+at[0]:]
	}
	return line, ""
}

// scan finds the cells of a row, whose first may begin at from.
func scan(line string, from int) []cell {
	m := mask(line)
	var cells []cell
	for i := from; i < len(m); i++ {
		if m[i] == ' ' || m[i] == '\t' || i > from && m[i-1] != ' ' && m[i-1] != '\t' {
			continue
		}
		before := m[from:i]
		// A gap, or the beginning of the row, lets any cell begin; one blank only
		// where a play has ended.
		blanks := before[len(strings.TrimRight(before, " \t")):]
		gap := len(blanks) == len(before) || len(blanks) > 1 || blanks == "\t"
		if c, ok := cellAt(m, i, gap); ok && (gap || c.kind == diceCell || wordMayFollow(before, m[i:])) {
			if n := len(cells); n > 0 {
				cells[n-1].end = i
			}
			c.end = len(m)
			cells = append(cells, c)
			i = max(i, c.body-1)
		}
	}
	return cells
}

// wordMayFollow tells whether a word may be a cell of its own one blank behind a play:
// with a capital, or where nothing else stands in the row.
func wordMayFollow(before, rest string) bool {
	return afterMove.MatchString(before[max(0, len(before)-peek):]) && (rest[0] < 'a' || len(rest) <= peek && bareWord.MatchString(rest))
}

// peek is how far expressions look: the time they take grows with what they are given.
const peek = 64

// cellAt reads the beginning of a cell at i.
func cellAt(m string, i int, gap bool) (cell, bool) {
	rest := m[i:min(len(m), i+peek)]
	c := cell{at: i, body: i}
	if d := colonDice.FindStringSubmatch(rest); d != nil {
		c.dice, c.body = board.Dice{A: d[1][0] - '0', B: d[2][0] - '0'}, i+len(d[0])
		return c, c.dice.Valid() || c.dice == board.Dice{}
	}
	if d := oddDice.FindStringSubmatch(rest); d != nil {
		c.dice, c.body, c.odd = board.Dice{A: d[2][0] - '0', B: d[3][0] - '0'}, i+len(d[0]), d[1]
		return c, true
	}
	if d := bareDice.FindStringSubmatch(rest); d != nil && gap {
		c.dice, c.body = board.Dice{A: d[1][0] - '0', B: d[2][0] - '0'}, i+2
		if rest[1] == '-' {
			c.body++
		}
		return c, true
	}
	if w := cubeWord.FindString(rest); w != "" {
		c.kind, c.word, c.body = wordCell, strings.ToLower(w[:3]), i+len(w)
		return c, true
	}
	if w := endWord.FindString(rest); w != "" {
		c.kind, c.word, c.body = endCell, strings.ToLower(w[:3]), i+len(w)
		return c, true
	}
	return c, false
}

// shape is where the cells of a file's rows stand, learned from rows with both.
type shape struct {
	left, right int // columns, 0 unknown
	leftTabs    int // tabs in front of a left cell, -1 unknown
}

// look goes through the file once: it finds the first length line and learns where
// the columns are.
func (r *reader) look() {
	r.shape.leftTabs = -1
	n := 0
	seenRow := false
	for i, line := range r.lines {
		if !rowNumber.MatchString(line) {
			if r.firstLength == 0 && !seenRow && lengthLine.MatchString(line) {
				r.firstLength = i + 1
			}
			continue
		}
		seenRow = true
		from := len(rowNumber.FindString(line))
		cells := scan(line, from)
		if len(cells) < 2 || cells[0].kind == endCell {
			continue
		}
		tabs := strings.Count(line[from:cells[0].at], "\t")
		if r.shape.leftTabs < 0 || tabs < r.shape.leftTabs {
			r.shape.leftTabs = tabs
		}
		if !strings.Contains(line, "\t") && n < 1000 {
			// The mean would follow columns that drift; the least left one and the
			// greatest usual right one do not.
			n++
			r.shape.left += cells[0].at
			r.shape.right += cells[1].at
		}
	}
	if n > 0 {
		r.shape.left, r.shape.right = r.shape.left/n, r.shape.right/n
	}
}

// rightColumn is where, counted from 0, a lone cell is taken to be the right
// player's when nothing was learned: the left cell begins in column 5, the right one
// in column 33.
const rightColumn = 20

// column tells in which column, 0 or 1, a lone cell stands.
func (r *reader) column(line string, from, at int) int {
	before := line[from:at]
	if tabs := strings.Count(before, "\t"); tabs > 0 {
		switch {
		case r.shape.leftTabs >= 0 && tabs > r.shape.leftTabs, tabs > 1:
			return 1
		case r.shape.leftTabs < 0 && from > 0:
			if p := r.s.OnRoll(); p != record.NoPlayer {
				return r.side(p)
			}
		}
		if expanded(line[:at]) >= rightColumn {
			return 1
		}
		return 0
	}
	if r.shape.right > r.shape.left && from > 0 {
		if 2*at >= r.shape.left+r.shape.right {
			return 1
		}
		return 0
	}
	if at >= rightColumn {
		return 1
	}
	return 0
}

// expanded is how wide a text is with tabs every eight columns.
func expanded(s string) int {
	n := 0
	for _, c := range s {
		if c == '\t' {
			n += 8 - n%8
		} else {
			n++
		}
	}
	return n
}

// side turns a column into a player and back.
func (r *reader) side(column int) int {
	if r.swapped {
		return 1 - column
	}
	return column
}

// row reads the cells of a row, the first of which may begin at from.
func (r *reader) row(line string, from int) error {
	r.rows++
	cells := scan(line, from)
	head := line[from:]
	if len(cells) > 0 {
		head = line[from:cells[0].at]
	}
	if text := strings.TrimSpace(head); text != "" {
		r.s.Warn("cannot make anything of %q", short(text))
	}
	if len(cells) == 0 || r.s.Current() == nil {
		return nil
	}
	first := 0
	if len(cells) == 1 || cells[1].kind == endCell {
		first = r.column(line, from, cells[0].at)
	}
	actions := 0
	for i, c := range cells {
		if c.odd != "" {
			r.s.Warn("cannot make anything of %q before %d%d", c.odd, c.dice.A, c.dice.B)
		}
		column := min(first+i, 1)
		if c.kind == endCell {
			if len(cells) > 2 || i > 0 && first == 1 {
				column = r.column(line, from, c.at)
			}
			r.ends(r.side(column), line[c.at:c.end], from == 0)
			continue
		}
		if actions++; actions > 2 {
			r.s.Warn("more than two plays in a row: %q", short(strings.TrimSpace(line[c.at:c.end])))
			continue
		}
		if r.closed || r.s.Over() {
			if r.lost++; r.lost == 1 {
				r.s.Warn("the game is over: left out are %q and what follows", short(strings.TrimSpace(line[c.at:c.end])))
			}
			continue
		}
		if err := r.act(r.side(column), c, line); err != nil {
			return err
		}
	}
	return nil
}

// act carries out a cell of dice or of the cube.
func (r *reader) act(player int, c cell, line string) error {
	text := strings.TrimSpace(line[c.body:c.end])
	if c.kind == diceCell {
		return r.roll(player, c.dice, text)
	}
	var err error
	switch c.word {
	case "dou", "red", "bea", "rac":
		err = r.s.Double(player)
		text = number.ReplaceAllString(text, "")
	case "tak", "acc":
		err = r.s.Take(player)
	default:
		err = r.s.Drop(player)
	}
	if text = strings.TrimSpace(strings.TrimLeft(text, "=>. ")); err == nil && text != "" && !strings.EqualFold(text, "to") {
		r.s.Warn("%q behind a cube action: taken as a comment", short(text))
		r.s.Comment(text)
	}
	return err
}

func (r *reader) roll(player int, d board.Dice, text string) error {
	asked := text != "" && strings.Trim(text, "?") == ""
	switch {
	case !d.Valid():
		// 00: the player resigned, or his time was over, before he rolled.
		if !asked && text != "" {
			r.s.Warn("cannot make anything of %q", short(text))
		}
		return nil
	case asked:
		return r.s.Roll(player, d)
	case len(text) > 7 && strings.EqualFold(text[:7], "illegal"):
		return r.illegal(player, d, text)
	}
	return r.s.Move(player, d, text)
}

// illegal reads "Illegal play (...)": in the brackets is the position that the play
// led to, as Snowie writes it, or the play itself.
func (r *reader) illegal(player int, d board.Dice, text string) error {
	_, inside, _ := strings.Cut(text, "(")
	inside = strings.TrimSpace(inside)
	if i := strings.LastIndexByte(inside, ')'); i >= 0 && !strings.Contains(inside[i:], "(") {
		inside = strings.TrimSpace(inside[:i])
	}
	if snowieline.Is(inside) {
		at, err := snowieline.Parse(inside)
		if err != nil {
			r.s.Warn("%d%d: an illegal play: %v", d.A, d.B, err)
			return r.s.Unreadable(player, d, inside)
		}
		// The position is told by the player on roll, the opponent.
		side := r.teller(&at)
		after := board.Position{Me: at.Boards[at.OnRoll], Opp: at.Boards[1-at.OnRoll]}
		if side == player {
			return r.s.Reach(player, d, after, nil)
		}
		return r.s.Reach(player, d, after.Swap(), nil)
	}
	if steps, err := board.ParseSteps(inside); err == nil && len(steps) > 0 {
		return r.s.Move(player, d, inside)
	}
	return r.s.Unreadable(player, d, inside)
}

// teller is who tells the position of an illegal play. eXtreme Gammon writes 0 for the
// player on roll whoever it is: his name, which comes first, says more.
func (r *reader) teller(at *record.Diagram) int {
	name := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	first, second := name(at.Players[at.OnRoll].Name), name(at.Players[1-at.OnRoll].Name)
	p := &r.s.Match.Players
	switch {
	case p[0].Name == p[1].Name:
	case first == p[0].Name || second == p[1].Name:
		return 0
	case first == p[1].Name || second == p[0].Name:
		return 1
	}
	return r.side(at.OnRoll)
}

// ends notes the end of a game. alone tells that the words stand on a line of their
// own, whose column says less than that of a row; behind a play that ended the game
// they take the column that is free.
func (r *reader) ends(player int, text string, alone bool) {
	if at := diceInside.FindStringIndex(text); at != nil {
		r.s.Warn("behind the end of the game: left out is %q", short(strings.TrimSpace(text[at[0]:])))
		text = text[:at[0]]
	}
	lower := strings.ToLower(text)
	e := scribe.Ending{Winner: player, Loose: alone || r.s.Over()}
	won := strings.HasPrefix(lower, "win") || strings.HasPrefix(lower, "won")
	if !won {
		e.Winner = 1 - player
		e.Weak = strings.HasPrefix(lower, "resign")
		e.WholeMatch = strings.Contains(lower, "match") && (e.Weak || strings.HasPrefix(lower, "forfeit"))
	}
	e.WholeMatch = e.WholeMatch || theMatch.MatchString(lower)
	if n := number.FindString(text); n != "" {
		points, err := strconv.Atoi(n)
		if err != nil || len(n) > 6 || points < 1 {
			r.s.Warn("cannot make anything of %q", short(text))
		} else {
			e.Points = points
		}
	}
	switch {
	case e.Points > 0:
	case strings.Contains(lower, "backgammon"):
		e.Size = 3
	case strings.Contains(lower, "gammon"):
		e.Size = 2
	}
	r.s.End(e)
	r.closed = true
}
