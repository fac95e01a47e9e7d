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
	lines := make([]string, 0, DrawLines)
	add := func(s string) {
		if i := len(lines); i < len(notes) && notes[i] != "" {
			s += strings.Repeat(" ", max(0, 49-len(s))) + notes[i]
		}
		lines = append(lines, strings.TrimRight(s, " "))
	}
	meOff, oppOff := p.Off()
	add(" +13-14-15-16-17-18------19-20-21-22-23-24-+")
	for row := range drawnRows {
		add(p.drawRow(row, true, 'O', p.Opp[Bar], oppOff))
	}
	add("v|                  |BAR|                  |")
	for row := drawnRows - 1; row >= 0; row-- {
		add(p.drawRow(row, false, 'X', p.Me[Bar], meOff))
	}
	add(" +12-11-10--9--8--7-------6--5--4--3--2--1-+")
	return lines
}

// drawRow draws row (0 at the edge of the board) of the upper or lower half,
// with the checkers of side on the bar and off.
func (p *Position) drawRow(row int, upper bool, side byte, bar uint8, off int) string {
	var b strings.Builder
	b.WriteString(" |")
	for k := range 12 {
		i := 11 - k
		if upper {
			i = 12 + k
		}
		if k == 6 {
			b.WriteString("|" + stack(bar, row, side) + "|")
		}
		if p.Me[i] > 0 {
			b.WriteString(stack(p.Me[i], row, 'X'))
		} else {
			b.WriteString(stack(p.Opp[23-i], row, 'O'))
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
