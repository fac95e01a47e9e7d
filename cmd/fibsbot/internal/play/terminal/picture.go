package terminal

import (
	"fmt"
	"strings"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/board"
)

// stack is the most checkers drawn on a point; a number shows more.
const stack = 5

// cells of a point at one height: the checker there, seen from below.
type cell struct {
	side  int // -1 empty
	count int // shown instead of a checker if above 0
}

// at is the content of a point (1 to 24 in your numbering, 25 your bar, 26 theirs) at a
// height of 0 to stack-1 from the edge.
func at(b *[2]board.Checkers, point, height int) cell {
	mine, theirs := 0, 0
	switch point {
	case 25:
		mine = int(b[play.You][board.Bar])
	case 26:
		theirs = int(b[play.Opponent][board.Bar])
	default:
		mine, theirs = int(b[play.You][point-1]), int(b[play.Opponent][24-point])
	}
	n, side := mine, play.You
	if theirs > 0 {
		n, side = theirs, play.Opponent
	}
	switch {
	case n <= height:
		return cell{side: -1}
	case height == stack-1 && n > stack:
		return cell{side, n}
	}
	return cell{side: side}
}

// upper and lower are the points of the two halves from left to right.
var (
	upper = []int{13, 14, 15, 16, 17, 18, 25, 19, 20, 21, 22, 23, 24}
	lower = []int{12, 11, 10, 9, 8, 7, 26, 6, 5, 4, 3, 2, 1}
)

// Pictured is the board in plain lines: your checkers X, the opponent's or second person's O.
func Pictured(v *Faced) string {
	var b strings.Builder
	sign := [2]string{play.You: "X", play.Opponent: "O"}
	head := func(side int) {
		off := v.Checkers - v.Board[side].Count()
		score := ""
		if v.Length > 0 {
			score = fmt.Sprintf("  %d of %d", v.Score[side], v.Length)
		} else {
			score = fmt.Sprintf("  %d", v.Score[side])
		}
		fmt.Fprintf(&b, " %s %s%s  pips %d  off %d", sign[v.own(side)], v.Names[side], score, v.Pips[side], off)
		if v.Owner == side {
			fmt.Fprintf(&b, "  cube %d", v.Cube)
		}
		b.WriteByte('\n')
	}
	row := func(points []int, height int) {
		b.WriteString(" |")
		for _, p := range points {
			c := at(&v.Board, p, height)
			text := "   "
			switch {
			case c.count > 0:
				text = fmt.Sprintf("%2d ", c.count)
			case c.side >= 0:
				text = " " + sign[v.own(c.side)] + " "
			case p < 25:
				text = " . "
			}
			if p >= 25 {
				text = "|" + text + "|"
			}
			b.WriteString(text)
		}
		b.WriteString("|\n")
	}
	head(play.Opponent)
	b.WriteString(" +13-14-15-16-17-18-+---+19-20-21-22-23-24-+\n")
	for h := range stack {
		row(upper, h)
	}
	middle := ""
	if v.Owner < 0 {
		middle = fmt.Sprintf(" cube %d", v.Cube)
	}
	if v.Crawford {
		middle = " Crawford game"
	}
	if d := onTable(v); d != nil {
		middle += fmt.Sprintf("   %s rolled %d-%d", who(v), d[0], d[1])
	}
	fmt.Fprintf(&b, " |                  |BAR|                  |%s\n", middle)
	for h := stack - 1; h >= 0; h-- {
		row(lower, h)
	}
	b.WriteString(" +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+\n")
	head(play.You)
	return b.String()
}

// onTable is the dice to be played. A resigned game, or one with a resignation to answer,
// has none.
func onTable(v *Faced) []int {
	if v.Phase != play.ToMove || len(v.Dice) != 2 {
		return nil
	}
	return v.Dice
}

func who(v *Faced) string {
	if v.Turn == play.You && !v.Two {
		return "you"
	}
	return v.Names[v.Turn]
}

// Faced is a match as the display shows it: two people at one terminal each play from the
// lower side of the board.
type Faced struct {
	play.View
	// Turned reports that "You" is the second person.
	Turned bool
}

// View is the match as it is shown.
func (t *Table) View() Faced {
	v := Faced{View: t.Match.View()}
	if v.Two && v.Result == nil && !v.Opening && v.Turn == play.Opponent {
		v.turn()
	}
	return v
}

// turn swaps the sides.
func (v *Faced) turn() {
	v.Turned = true
	v.Turn = 1 - v.Turn
	v.Score[0], v.Score[1] = v.Score[1], v.Score[0]
	v.Names[0], v.Names[1] = v.Names[1], v.Names[0]
	v.Board[0], v.Board[1] = v.Board[1], v.Board[0]
	v.Pips[0], v.Pips[1] = v.Pips[1], v.Pips[0]
	if v.Owner >= 0 {
		v.Owner = 1 - v.Owner
	}
	acts := make([]play.Entry, len(v.Acts))
	for i, e := range v.Acts {
		e.Side = 1 - e.Side
		acts[i] = e
	}
	v.Acts = acts
}

// own is the side whose colour a side has.
func (v *Faced) own(side int) int {
	if v.Turned {
		return 1 - side
	}
	return side
}
