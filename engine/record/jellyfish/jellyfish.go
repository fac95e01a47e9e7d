// Package jellyfish reads the position files (.pos) of Jellyfish, as GNU
// Backgammon writes them.
//
// The layout was found by comparing files that gnubg 1.07 wrote for known
// positions: numbers of two bytes, low byte first, then two names with a length
// byte before each, eleven bytes with the Crawford game and the dice, and the 26
// points from player 1's bar to player 0's bar, each twice, with 20 added and
// player 0's checkers negative.
package jellyfish

import (
	"encoding/binary"
	"fmt"
	"io"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// Magic are the first two bytes of a file as gnubg writes it. Other versions of
// Jellyfish have 124 or 125 for the first.
const Magic = "\x7e\x00"

// Is tells whether a file begins as a position does.
func Is(head []byte) bool {
	return len(head) >= 2 && head[0] >= 0x7c && head[0] <= 0x7e && head[1] == 0
}

const (
	header  = 36 // 18 numbers
	middle  = 11
	points  = 26
	offset  = 20
	maxFile = header + 2*256 + middle + 4*points + 16
)

// Read reads a position as a match of one game that begins with it. Errors are
// *record.SyntaxError, with the byte as the column, or of r.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, nil, err
	}
	at := 0
	bad := func(format string, args ...any) error {
		return &record.SyntaxError{Line: 1, Column: at + 1, Problem: fmt.Sprintf(format, args...)}
	}
	if len(b) >= 2 && Is(b) && string(b[:2]) != Magic {
		return nil, nil, bad("a Jellyfish position of version %d, whose layout is not known: save it with a newer Jellyfish", b[0])
	}
	if len(b) < header || string(b[:2]) != Magic {
		return nil, nil, bad("not a Jellyfish position")
	}
	if len(b) > maxFile {
		return nil, nil, bad("longer than a position can be")
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint16(b[2*i:])) }
	d := record.Diagram{
		Cube: number(6), Owner: record.NoPlayer, Length: number(15), Score: [2]int{number(16), number(17)},
		Jacoby: number(4) != 0,
	}
	if number(12) == 3 {
		d.Length, d.Beavers = 0, 3
	}
	if o := number(7); o == 1 || o == 2 {
		d.Owner = o - 1
	}
	rolled := false
	switch state := number(8); state {
	case 1, 2:
		d.OnRoll, rolled = state-1, true
	case 3, 4:
		d.OnRoll = state - 3
	default:
		at = 16
		return nil, nil, bad("state of play %d", state)
	}
	at = header
	for i := range d.Players {
		if at >= len(b) || at+1+int(b[at]) > len(b) {
			return nil, nil, bad("the file ends inside a name")
		}
		n := int(b[at])
		d.Players[i].Name = text(b[at+1 : at+1+n])
		at += 1 + n
	}
	if len(b) < at+middle+4*points {
		return nil, nil, bad("the file ends before the last point")
	}
	d.Crawford = b[at+2] == 2
	if rolled {
		d.Dice = board.Dice{A: b[at+7], B: b[at+9]}
	}
	at += middle
	for i := range points {
		v := int(binary.LittleEndian.Uint16(b[at:])) - offset
		switch {
		case v < -board.MaxCheckers || v > board.MaxCheckers, i == 0 && v < 0, i == points-1 && v > 0:
			return nil, nil, bad("%d checkers on a point", v)
		case v > 0:
			d.Boards[1][board.Bar-i] = uint8(v)
		case v < 0:
			d.Boards[0][i-1] = uint8(-v)
		}
		at += 4
	}
	m, err := d.Match()
	if err != nil {
		return nil, nil, bad("%v", err)
	}
	return m, nil, nil
}

// text is a name in the file, its control characters as question marks.
func text(b []byte) string {
	name := make([]rune, 0, len(b))
	for _, c := range b {
		if c < ' ' {
			c = '?'
		}
		name = append(name, rune(c))
	}
	return string(name)
}
