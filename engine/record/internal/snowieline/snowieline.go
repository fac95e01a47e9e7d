// Package snowieline reads and writes a position as Snowie does, on one line.
//
// A position line has 40 fields between semicolons: match length, Jacoby rule,
// 0, 1 for money, player on roll, own name, the other's name, Crawford game, own
// score, the other's score, cube, its owner (1 own, -1 the other, 0 centred), the
// other's checkers on the bar (negative), the 24 points from the own ace point
// (negative: the other's), own bar, two dice (0 not rolled).
package snowieline

import (
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/internal/sanitize"
)

// fields is the number of fields of a position line.
const fields = 40

// Is reports whether a line looks like a position line.
func Is(line string) bool {
	return strings.Count(line, ";") >= fields-1 && len(line) > 0 && line[0] >= '0' && line[0] <= '9'
}

// The fields of a position line, from 0.
const (
	length = iota
	jacoby
	_
	money
	onRoll
	myName
	itsName
	crawford
	myScore
	itsScore
	cube
	owner
	bar           // the other's, then the points
	firstDie = 38 // behind the own bar
)

// Parse reads a position line, and says, a line each, what is odd in it. Errors are
// *record.SyntaxError with the field's column.
func Parse(line string) (record.Diagram, []string, error) {
	line = strings.TrimSpace(line)
	f := strings.Split(strings.TrimSuffix(line, ";"), ";")
	column := make([]int, len(f)+1)
	for i, s := range f {
		column[i+1] = column[i] + len(s) + 1
	}
	bad := func(i int, format string, args ...any) (record.Diagram, []string, error) {
		return record.Diagram{}, nil, &record.SyntaxError{Line: 1, Column: column[i] + 1, Problem: fmt.Sprintf("field %d is ", i+1) + fmt.Sprintf(format, args...)}
	}
	if len(f) != fields {
		return record.Diagram{}, nil, &record.SyntaxError{Line: 1, Column: 1, Problem: fmt.Sprintf("%d fields in a position line, not %d", len(f), fields)}
	}
	var n [fields]int
	for i, s := range f {
		if i != myName && i != itsName {
			v, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil || v < -1<<20 || v > 1<<20 {
				return bad(i, "%q, not a number", s[:min(len(s), 40)])
			}
			n[i] = v
		}
	}
	me := n[onRoll]
	if me != 0 && me != 1 {
		return bad(onRoll, "%d, not 0 or 1: the player on roll", me)
	}
	d := record.Diagram{
		Length: n[length], Jacoby: n[jacoby] != 0, Crawford: n[crawford] != 0, OnRoll: me,
		Cube: n[cube], Owner: record.NoPlayer, Beavers: 3,
	}
	if d.Length > 0 {
		d.Beavers = 0
	}
	d.Players[me].Name, d.Players[1-me].Name = f[myName], f[itsName]
	d.Score[me], d.Score[1-me] = n[myScore], n[itsScore]
	switch n[owner] {
	case 0:
	case 1:
		d.Owner = me
	case -1:
		d.Owner = 1 - me
	default:
		return bad(owner, "%d, not 1, 0 or -1: the owner of the cube", n[owner])
	}
	// From the other's bar over the ace point to the own bar.
	for i := range 26 {
		v := n[bar+i]
		if v < -board.MaxCheckers || v > board.MaxCheckers || i == 0 && v > 0 || i == 25 && v < 0 {
			return bad(bar+i, "%d, no number of checkers for point %d", v, i)
		}
		if v > 0 {
			d.Boards[me][i-1] = uint8(v)
		} else if v < 0 {
			d.Boards[1-me][24-i] = uint8(-v)
		}
	}
	if a, b := n[firstDie], n[firstDie+1]; a < 0 || a > 6 || b < 0 || b > 6 || (a == 0) != (b == 0) {
		return bad(firstDie, "%d and the next %d: no dice", a, b)
	}
	d.Dice = board.Dice{A: uint8(n[firstDie]), B: uint8(n[firstDie+1])}
	return d, odd(&n, d), nil
}

// odd lists what fields say against each other.
func odd(n *[fields]int, d record.Diagram) []string {
	out := d.Odd()
	for _, i := range []int{jacoby, money, crawford} {
		if n[i] != 0 && n[i] != 1 {
			out = append(out, fmt.Sprintf("field %d is %d, not 0 or 1", i+1, n[i]))
		}
	}
	if d.Length == 0 && d.Score != [2]int{} && n[money] != 1 {
		out = append(out, fmt.Sprintf("a score of %d-%d, and no length of the match", d.Score[0], d.Score[1]))
	}
	if d.Length > 0 && n[money] == 1 {
		out = append(out, fmt.Sprintf("field %d says money play, field %d a match of %d points: read as a match", money+1, length+1, d.Length))
	}
	return out
}

// Format writes a position line.
func Format(d record.Diagram) string {
	me := d.OnRoll & 1
	owner := 0
	if d.Owner == me {
		owner = 1
	} else if d.Owner == 1-me {
		owner = -1
	}
	name := func(i int) string {
		return strings.Map(func(r rune) rune {
			if r == ';' || sanitize.Obeyed(r) {
				return ' '
			}
			return r
		}, d.Players[i].Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d;%d;0;%d;%d;%s;%s;%d;%d;%d;%d;%d;", d.Length, bit(d.Jacoby), bit(d.Length == 0), me, name(me), name(1-me),
		bit(d.Crawford), d.Score[me], d.Score[1-me], max(d.Cube, 1), owner)
	fmt.Fprintf(&b, "%d;", -int(d.Boards[1-me][board.Bar]))
	for i := range 24 {
		fmt.Fprintf(&b, "%d;", int(d.Boards[me][i])-int(d.Boards[1-me][23-i]))
	}
	fmt.Fprintf(&b, "%d;%d;%d;", d.Boards[me][board.Bar], d.Dice.A, d.Dice.B)
	return b.String()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
