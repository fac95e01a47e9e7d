package opengammon

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"fibsbot/engine/board"
)

var errCut = errors.New("the file ends inside a value")

// cursor reads the values of a section; the first error stays.
type cursor struct {
	in  []byte
	at  int
	err error
}

func (c *cursor) more() bool { return c.err == nil && c.at < len(c.in) }

func (c *cursor) bytes(n int) []byte {
	if c.err == nil && (n < 0 || n > len(c.in)-c.at) {
		c.err = errCut
	}
	if c.err != nil {
		return make([]byte, min(max(n, 0), 256))
	}
	c.at += n
	return c.in[c.at-n : c.at]
}

func (c *cursor) byte() byte { return c.bytes(1)[0] }

func (c *cursor) varint() int {
	n, shift := 0, 0
	for {
		v := c.byte()
		n |= int(v&0x7f) << shift
		if v&0x80 == 0 || c.err != nil {
			return n
		}
		if shift += 7; shift > 42 {
			c.err = errors.New("a number of more than 49 bits")
			return 0
		}
	}
}

func (c *cursor) text() string {
	n := c.varint()
	if n > 4096 {
		c.err = fmt.Errorf("a text of %d bytes", n)
		return ""
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(c.bytes(n)), "\ufffd")))
}

// record returns the contents of the next record and moves c past it.
func (c *cursor) record() *cursor {
	n := c.varint()
	return &cursor{in: c.bytes(n), err: c.err}
}

func (c *cursor) u16() int { return int(binary.LittleEndian.Uint16(c.bytes(2))) }

// equity is in millionths.
func (c *cursor) equity() float64 {
	return float64(int32(binary.LittleEndian.Uint32(c.bytes(4)))) / 1e6
}

func (c *cursor) loss() float64 { return float64(binary.LittleEndian.Uint32(c.bytes(4))) / 1e6 }

func (c *cursor) probs() (out [5]float64) {
	for i := range out {
		out[i] = float64(c.u16()) / 10_000
	}
	return out
}

// masked opens a record with its mask of the fields that are there.
func (c *cursor) masked() (*cursor, func(bit int) bool) {
	in := c.record()
	mask := in.varint()
	return in, func(bit int) bool { return mask>>bit&1 != 0 && in.err == nil }
}

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
