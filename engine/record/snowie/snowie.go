// Package snowie reads what Snowie exchanged as text: a position on one line, or
// a match in the layout of package mat, where a play that is none stands as
// "Illegal play (position)".
//
// A position line has 40 fields between semicolons: match length, Jacoby rule,
// 0, 1 for money, player on roll, his name, the other's name, Crawford game, his
// score, the other's score, cube, its owner (1 he, -1 the other, 0 nobody), the
// other's checkers on the bar (negative), the 24 points from his ace point
// (negative: the other's), his bar, two dice (0 not rolled).
package snowie

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
)

// fields is the number of fields of a position line.
const fields = 40

// maxLine bounds a position line: 40 short fields and two names.
const maxLine = 1024

// Read reads a position line, or else a match text. A position becomes a match
// of one game that begins with it; the player on roll keeps his number. Errors
// are *record.SyntaxError or of r.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	in := bufio.NewReaderSize(r, 2*maxLine)
	head, err := in.Peek(maxLine)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	line, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \r\n"), "\n")
	if !IsPosition(line) {
		return mat.Read(in)
	}
	m, err := parsePosition(strings.TrimSpace(line))
	return m, nil, err
}

// IsPosition tells whether a line looks like a position line.
func IsPosition(line string) bool {
	return strings.Count(line, ";") >= fields-1 && len(line) > 0 && line[0] >= '0' && line[0] <= '9'
}

func parsePosition(line string) (*record.Match, error) {
	f := strings.Split(strings.TrimSuffix(line, ";"), ";")
	column := 1
	bad := func(format string, args ...any) error {
		return &record.SyntaxError{Line: 1, Column: column, Problem: fmt.Sprintf(format, args...)}
	}
	if len(f) != fields {
		return nil, bad("%d fields in a position line, want %d", len(f), fields)
	}
	var n [fields]int
	for i, s := range f {
		if i != 5 && i != 6 {
			v, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil || v < -1<<20 || v > 1<<20 {
				return nil, bad("field %d is %q, want a number", i+1, s[:min(len(s), 40)])
			}
			n[i] = v
		}
		column += len(s) + 1
	}
	column = 1
	me := n[4]
	if me != 0 && me != 1 {
		return nil, bad("player on roll %d, want 0 or 1", me)
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
			return nil, bad("%d checkers on point %d", v, i)
		}
		if v > 0 {
			d.Boards[me][i-1] = uint8(v)
		} else if v < 0 {
			d.Boards[1-me][24-i] = uint8(-v)
		}
	}
	if n[38] < 0 || n[38] > 6 || n[39] < 0 || n[39] > 6 {
		return nil, bad("dice %d and %d", n[38], n[39])
	}
	d.Dice = board.Dice{A: uint8(n[38]), B: uint8(n[39])}
	m, err := d.Match()
	if err != nil {
		return nil, bad("%v", err)
	}
	return m, nil
}
