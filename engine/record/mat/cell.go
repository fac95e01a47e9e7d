package mat

import (
	"regexp"
	"strings"

	"fibsbot/engine/board"
)

// cellKind is what a cell of a row says.
type cellKind uint8

const (
	diceCell cellKind = iota
	wordCell          // of the cube
	endCell           // of the end of the game
)

var (
	colonDice = regexp.MustCompile(`^([0-6])-?([0-6])\s?:`)
	oddDice   = regexp.MustCompile(`^([^\sA-Za-z0-9()?]{1,3})([1-6])([1-6]):`)
	bareDice  = regexp.MustCompile(`(?i)^([1-6])-?([1-6])[ \t]+(?:(?:\d{1,2}|bar|b)/|can|no ?move|\?|illegal)`)
	cubeWord  = regexp.MustCompile(`(?i)^(?:redoubles?|doubles?|beavers?|raccoons?|takes?|accepts?|drops?|pass|passes|rejects?)\b`)
	bareWord  = regexp.MustCompile(`(?i)^(?:redoubles?|doubles?|takes?|accepts?|drops?|passes|rejects?)(?:\s*=*>?\s*\d+|\s+to\s+\d+)?\s*$`)
	endWord   = regexp.MustCompile(`(?i)^(?:wins?|won|loss(?:es)?|loses?|lost|resign(?:s|ed)?|forfeit(?:s|ed)?|time[ds]? ?out)\b`)
	illegal   = regexp.MustCompile(`(?i)illegal (?:play|move)\s*\(`)
	secondRow = regexp.MustCompile(`\s\d{1,5}\)(?:\s|$)`)
	afterMove = regexp.MustCompile(`(?i)(?:[\d*):?]|off|bar|home|move)\s$`)
)

// peek is how far expressions look: the time they take grows with what they are given.
const peek = 64

// cell is one player's part of a row: line[at:end].
type cell struct {
	kind    cellKind
	at, end int
	body    int // where the play begins behind dice
	dice    board.Dice
	word    string // the first three letters, small
	odd     string // text before the dice
}

// mask hides the text in the brackets of an illegal play: positions and names.
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

// cutRow divides a row at a second number in it.
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

// wordMayFollow reports whether a word one blank after a play may be a cell of its own: with a
// capital, or as the last text of the row.
func wordMayFollow(before, rest string) bool {
	return afterMove.MatchString(before[max(0, len(before)-peek):]) && (rest[0] < 'a' || len(rest) <= peek && bareWord.MatchString(rest))
}

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
