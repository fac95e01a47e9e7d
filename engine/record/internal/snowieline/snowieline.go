// Package snowieline reads and writes a position as Snowie does, on one line.
//
// A position line has 40 fields between semicolons: match length, Jacoby rule,
// 0, 1 for money, player on roll, his name, the other's name, Crawford game, his
// score, the other's score, cube, its owner (1 he, -1 the other, 0 nobody), the
// other's checkers on the bar (negative), the 24 points from his ace point
// (negative: the other's), his bar, two dice (0 not rolled).
package snowieline

import (
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// fields is the number of fields of a position line.
const fields = 40

// Is tells whether a line looks like a position line.
func Is(line string) bool {
	return strings.Count(line, ";") >= fields-1 && len(line) > 0 && line[0] >= '0' && line[0] <= '9'
}

// Parse reads a position line. Errors are *record.SyntaxError with the field's column.
func Parse(line string) (record.Diagram, error) {
	line = strings.TrimSpace(line)
	f := strings.Split(strings.TrimSuffix(line, ";"), ";")
	column := 1
	bad := func(format string, args ...any) error {
		return &record.SyntaxError{Line: 1, Column: column, Problem: fmt.Sprintf(format, args...)}
	}
	if len(f) != fields {
		return record.Diagram{}, bad("%d fields in a position line, want %d", len(f), fields)
	}
	var n [fields]int
	for i, s := range f {
		if i != 5 && i != 6 {
			v, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil || v < -1<<20 || v > 1<<20 {
				return record.Diagram{}, bad("field %d is %q, want a number", i+1, s[:min(len(s), 40)])
			}
			n[i] = v
		}
		column += len(s) + 1
	}
	column = 1
	me := n[4]
	if me != 0 && me != 1 {
		return record.Diagram{}, bad("player on roll %d, want 0 or 1", me)
	}
	d := record.Diagram{
		Length: n[0], Jacoby: n[1] != 0, Crawford: n[7] != 0, OnRoll: me,
		Cube: n[10], Owner: record.NoPlayer, Beavers: 3,
	}
	if d.Length > 0 {
		d.Beavers = 0
	}
	d.Players[me].Name, d.Players[1-me].Name = f[5], f[6]
	d.Score[me], d.Score[1-me] = n[8], n[9]
	switch n[11] {
	case 1:
		d.Owner = me
	case -1:
		d.Owner = 1 - me
	}
	// From the other's bar over the ace point to the own bar.
	for i := range 26 {
		v := n[12+i]
		if v < -board.MaxCheckers || v > board.MaxCheckers || i == 0 && v > 0 || i == 25 && v < 0 {
			return record.Diagram{}, bad("%d checkers on point %d", v, i)
		}
		if v > 0 {
			d.Boards[me][i-1] = uint8(v)
		} else if v < 0 {
			d.Boards[1-me][24-i] = uint8(-v)
		}
	}
	if n[38] < 0 || n[38] > 6 || n[39] < 0 || n[39] > 6 {
		return record.Diagram{}, bad("dice %d and %d", n[38], n[39])
	}
	d.Dice = board.Dice{A: uint8(n[38]), B: uint8(n[39])}
	return d, nil
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
			if r == ';' || r < ' ' {
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
