package opengammon

import "fibsbot/engine/board"

// boards reads 26 counts from White's bar to Black's, White's positive.
func boards(b []byte) *[2]board.Checkers {
	var out [2]board.Checkers
	for i, v := range b {
		n := int(int8(v))
		switch {
		case n > board.MaxCheckers || n < -board.MaxCheckers || n > 0 && i == 25 || n < 0 && i == 0:
			return nil
		case n > 0:
			out[0][board.Bar-i] = uint8(n)
		case n < 0:
			out[1][i-1] = uint8(-n)
		}
	}
	return &out
}

// extras are the fields after a ply.
type extras struct {
	dice     board.Dice
	resign   int
	cube     int
	settled  float64
	steps    []byte
	board    *[2]board.Checkers
	action   int
	owner    int
	hasOwner bool
}

func (r *reader) extras() extras {
	c := r.c.record()
	mask := c.varint()
	has := func(bit int) bool { return mask>>bit&1 != 0 && c.err == nil }
	x := extras{action: -1}
	if has(0) {
		b := c.bytes(2)
		x.dice = board.Dice{A: b[0], B: b[1]}
	}
	if has(1) {
		x.resign = c.varint()
	}
	if has(2) {
		x.cube = c.varint()
	}
	if has(4) {
		x.settled = c.equity()
	}
	if has(5) {
		n := c.varint()
		x.steps = c.bytes(min(n, 64))
	}
	if has(6) {
		x.board = boards(c.bytes(26))
	}
	if has(7) {
		x.action = c.varint()
	}
	if has(8) {
		x.owner, x.hasOwner = c.varint(), true
	}
	if c.err != nil && r.c.err == nil {
		r.c.err = c.err
	}
	return x
}
