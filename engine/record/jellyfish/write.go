package jellyfish

import (
	"encoding/binary"
	"io"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// Write writes the last position of the last game of a match, as gnubg exports it: the
// constants among its numbers are those of gnubg's files. The error is w's.
func Write(w io.Writer, m *record.Match) error {
	if m == nil {
		return record.ErrNoMatch
	}
	var d record.Diagram
	if n := len(m.Games); n > 0 {
		d = record.LastDiagram(m, &m.Games[n-1])
	} else {
		d = record.Diagram{Boards: [2]board.Checkers{board.Start.Me, board.Start.Opp}, Cube: 1, Owner: record.NoPlayer}
	}
	var b []byte
	number := func(n int) { b = binary.LittleEndian.AppendUint16(b, uint16(n)) }
	kind, jacoby, state := 1, 0, 3+d.OnRoll
	if d.Length == 0 {
		kind = 3
	}
	if d.Jacoby {
		jacoby = 1
	}
	if d.Dice.Valid() {
		state = 1 + d.OnRoll
	}
	number(0x7e)
	for _, n := range []int{0, 0, 1, jacoby, 1, d.Cube, d.Owner + 1, state, 0, 0, 0, kind, 2, 7, d.Length, d.Score[0], d.Score[1]} {
		number(n)
	}
	for _, p := range d.Players {
		name := []byte{}
		for _, r := range p.Name {
			if r > 0xff {
				r = '?'
			}
			if len(name) < 255 {
				name = append(name, byte(r))
			}
		}
		b = append(append(b, byte(len(name))), name...)
	}
	phase := byte(1)
	switch {
	case d.Crawford:
		phase = 2
	case d.Length > 0 && (d.Score[0] == d.Length-1 || d.Score[1] == d.Length-1):
		phase = 3
	}
	b = append(b, 0, 0, phase, 0, 0, 0, 0, d.Dice.A, 0, d.Dice.B, 0)
	for i := range points {
		n := offset
		if i < points-1 {
			n += int(d.Boards[1][board.Bar-i])
		}
		if i > 0 {
			n -= int(d.Boards[0][i-1])
		}
		number(n)
		number(n)
	}
	_, err := w.Write(b)
	return err
}
