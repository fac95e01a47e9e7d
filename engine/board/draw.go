package board

import "strings"

// drawnRows is how many checkers of a stack are drawn; a higher stack has its
// count in the last row.
const drawnRows = 5

// DrawLines is the number of lines that Draw returns.
const DrawLines = 2*drawnRows + 3

// Draw draws the board as GNU Backgammon does in a terminal: Me is X, below,
// moving from the 24 point above to the ace point below on the right, Opp is O.
// It returns DrawLines lines without line ends or trailing blanks. notes[i], where
// given, is written to the right of line i: names belong on the first and last
// line, the cube and the match in the middle.
func Draw(p Position, notes ...string) []string {
	return Rules{}.Draw(p, notes...)
}

// Draw is [Draw] by these rules: of fewer checkers fewer are off.
func (r Rules) Draw(p Position, notes ...string) []string {
	return drawing{pos: &p, me: 'X', opp: 'O', rules: r}.lines(notes)
}

// DrawAbove draws the board with Me as O, above: the same picture as Draw of the
// other side's view but with the points numbered for Me, as GNU Backgammon shows
// it when the upper player is on roll.
func DrawAbove(p Position, notes ...string) []string {
	return Rules{}.DrawAbove(p, notes...)
}

// DrawAbove is [DrawAbove] by these rules.
func (r Rules) DrawAbove(p Position, notes ...string) []string {
	return drawing{pos: &p, me: 'O', opp: 'X', above: true, rules: r}.lines(notes)
}

// drawing is a board seen from below, with Me sitting below or above.
type drawing struct {
	pos     *Position
	me, opp byte
	above   bool
	rules   Rules
}

const (
	outwards = " +13-14-15-16-17-18------19-20-21-22-23-24-+"
	inwards  = " +12-11-10--9--8--7-------6--5--4--3--2--1-+"
	// noteColumn is where the notes begin, behind three columns of checkers off.
	noteColumn = 49
)

func (d drawing) lines(notes []string) []string {
	lines := make([]string, 0, DrawLines)
	add := func(s string) {
		if i := len(lines); i < len(notes) && notes[i] != "" {
			s += strings.Repeat(" ", max(0, noteColumn-len(s))) + notes[i]
		}
		lines = append(lines, strings.TrimRight(s, " "))
	}
	top, bottom, arrow := outwards, inwards, "v"
	if d.above {
		top, bottom, arrow = inwards, outwards, "^"
	}
	add(top)
	for row := range drawnRows {
		add(d.row(row, true))
	}
	add(arrow + "|                  |BAR|                  |")
	for row := drawnRows - 1; row >= 0; row-- {
		add(d.row(row, false))
	}
	add(bottom)
	return lines
}

// row draws row (0 at the edge of the board) of the upper or lower half. Bar and
// checkers off in it are those of the player who sits there.
func (d drawing) row(row int, upper bool) string {
	var b strings.Builder
	b.WriteString(" |")
	meOff, oppOff := d.rules.Off(d.pos)
	bar, off, side := d.pos.Opp[Bar], oppOff, d.opp
	if upper == d.above {
		bar, off, side = d.pos.Me[Bar], meOff, d.me
	}
	for k := range 12 {
		i := 11 - k
		if upper != d.above {
			i = 12 + k
		}
		if k == 6 {
			b.WriteString("|" + stack(bar, row, side) + "|")
		}
		if d.pos.Me[i] > 0 {
			b.WriteString(stack(d.pos.Me[i], row, d.me))
		} else {
			b.WriteString(stack(d.pos.Opp[23-i], row, d.opp))
		}
	}
	b.WriteString("| ")
	for column := range 3 {
		c := byte(' ')
		if off > column*drawnRows+row {
			c = side
		}
		b.WriteByte(c)
	}
	return b.String()
}

// stack is what a point with n checkers shows in a row.
func stack(n uint8, row int, side byte) string {
	switch {
	case int(n) <= row:
		return "   "
	case row == drawnRows-1 && n >= 10:
		return "1" + string(rune('0'+n-10)) + " "
	case row == drawnRows-1 && n > drawnRows:
		return " " + string(rune('0'+n)) + " "
	}
	return " " + string(rune(side)) + " "
}
