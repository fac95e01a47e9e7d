package mat

import (
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/snowieline"
)

var (
	number   = regexp.MustCompile(`\d+`)
	theMatch = regexp.MustCompile(`and\s+the\s+match`)
	// diceInside finds dice that ran into the words before them.
	diceInside = regexp.MustCompile(`[1-6]-?[1-6]\s?:`)
)

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
			if p := r.OnRoll(); p != record.NoPlayer {
				return r.side(p)
			}
		}
		return oneIf(expanded(line[:at]) >= rightColumn)
	}
	if r.shape.right > r.shape.left && from > 0 {
		return oneIf(2*at >= r.shape.left+r.shape.right)
	}
	return oneIf(at >= rightColumn)
}

func oneIf(right bool) int {
	if right {
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
func (r *reader) row(line string, from int) {
	r.rows++
	cells := scan(line, from)
	head := line[from:]
	if len(cells) > 0 {
		head = line[from:cells[0].at]
	}
	if text := strings.TrimSpace(head); text != "" {
		r.Warn("cannot read %q", short(text))
	}
	if len(cells) == 0 || r.Current() == nil {
		return
	}
	first := 0
	if len(cells) == 1 || cells[1].kind == endCell {
		first = r.column(line, from, cells[0].at)
	}
	actions := 0
	for i, c := range cells {
		if c.odd != "" {
			r.Warn("cannot read %q before %d%d", c.odd, c.dice.A, c.dice.B)
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
			r.Warn("more than two plays in a row: %q", short(strings.TrimSpace(line[c.at:c.end])))
			continue
		}
		if r.closed || r.Over() {
			if r.lost++; r.lost == 1 {
				r.Warn("the game is over: left out are %q and what follows", short(strings.TrimSpace(line[c.at:c.end])))
			}
			continue
		}
		r.act(r.side(column), c, line)
	}
}

// act carries out a cell of dice or of the cube.
func (r *reader) act(player int, c cell, line string) {
	text := strings.TrimSpace(line[c.body:c.end])
	if c.kind == diceCell {
		r.roll(player, c.dice, text)
		return
	}
	switch c.word {
	case "dou", "red", "bea", "rac":
		r.Double(player)
		text = number.ReplaceAllString(text, "")
	case "tak", "acc":
		r.Take(player)
	default:
		r.Drop(player)
	}
	if text = strings.TrimSpace(strings.TrimLeft(text, "=>. ")); text != "" && !strings.EqualFold(text, "to") {
		r.Warn("%q behind a cube action: taken as a comment", short(text))
		r.Comment(text)
	}
}

func (r *reader) roll(player int, d board.Dice, text string) {
	asked := text != "" && strings.Trim(text, "?") == ""
	switch {
	case !d.Valid():
		// 00: the player resigned, or his time was over, before he rolled.
		if !asked && text != "" {
			r.Warn("cannot read %q", short(text))
		}
	case asked:
		r.Roll(player, d)
	case len(text) > 7 && strings.EqualFold(text[:7], "illegal"):
		r.illegal(player, d, text)
	default:
		r.Move(player, d, text)
	}
}

// illegal reads "Illegal play (...)": in the brackets is the position that the play
// led to, as Snowie writes it, or the play itself.
func (r *reader) illegal(player int, d board.Dice, text string) {
	_, inside, _ := strings.Cut(text, "(")
	inside = strings.TrimSpace(inside)
	if i := strings.LastIndexByte(inside, ')'); i >= 0 && !strings.Contains(inside[i:], "(") {
		inside = strings.TrimSpace(inside[:i])
	}
	steps, err := board.ParseSteps(inside)
	switch {
	case snowieline.Is(inside):
		r.illegalPosition(player, d, inside)
	case err == nil && len(steps) > 0:
		r.Move(player, d, inside)
	default:
		r.Unreadable(player, d, inside)
	}
}

// illegalPosition reads the position that an illegal play led to.
func (r *reader) illegalPosition(player int, d board.Dice, inside string) {
	at, odd, err := snowieline.Parse(inside)
	if err != nil {
		r.Warn("%d%d: an illegal play: %v", d.A, d.B, err)
		r.Unreadable(player, d, inside)
		return
	}
	for _, text := range odd {
		r.Warn("%d%d: the position of an illegal play: %s", d.A, d.B, text)
	}
	// The position is written as the player on roll, the opponent, sees it.
	side := r.teller(&at)
	after := board.Position{Me: at.Boards[at.OnRoll], Opp: at.Boards[1-at.OnRoll]}
	if side != player {
		after = after.Swap()
	}
	r.Reach(player, d, after, nil)
}

// teller returns the player from whose side the position of an illegal play is written. eXtreme
// Gammon writes 0 for either player on roll, so the name, which comes first, decides.
func (r *reader) teller(at *record.Diagram) int {
	name := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	first, second := name(at.Players[at.OnRoll].Name), name(at.Players[1-at.OnRoll].Name)
	p := &r.Match.Players
	switch {
	case p[0].Name == p[1].Name:
	case first == p[0].Name || second == p[1].Name:
		return 0
	case first == p[1].Name || second == p[0].Name:
		return 1
	}
	return r.side(at.OnRoll)
}

// ends notes the end of a game. alone means that the words are a line of their own, whose column
// is less reliable than that of a row; after a play that ended the game they take the free
// column.
func (r *reader) ends(player int, text string, alone bool) {
	if at := diceInside.FindStringIndex(text); at != nil {
		r.Warn("behind the end of the game: left out is %q", short(strings.TrimSpace(text[at[0]:])))
		text = text[:at[0]]
	}
	lower := strings.ToLower(text)
	e := record.Statement{Source: strconv.Quote(short(strings.TrimSpace(text))), Trust: record.Worded, Winner: player}
	if alone || r.Over() {
		e.Trust = record.Column
	}
	if won := strings.HasPrefix(lower, "win") || strings.HasPrefix(lower, "won"); !won {
		e.Winner = 1 - player
		// Some writers put the word for giving up under the winner, and a line of its own
		// that names the loss is in no column at all.
		resigns := strings.HasPrefix(lower, "resign")
		e.Declared = resigns
		if resigns || alone {
			e.Trust = record.Guessed
		}
		e.WholeMatch = strings.Contains(lower, "match") && (resigns || strings.HasPrefix(lower, "forfeit"))
	}
	e.WholeMatch = e.WholeMatch || theMatch.MatchString(lower)
	if n := number.FindString(text); n != "" {
		points, err := strconv.Atoi(n)
		if err != nil || len(n) > 6 || points < 1 {
			r.Warn("cannot read %q", short(text))
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
	r.End(e)
	r.closed = true
}
