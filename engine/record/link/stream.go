package link

import (
	"encoding/binary"
	"errors"
	"math"
)

// column is a place for values of one kind.
type column int

const (
	texts column = iota
	heads
	kinds
	flags
	dice
	points
	pips
	better
	betterPips
	chances1 // win, gammon won, backgammon won, gammon lost, backgammon lost
	chances2
	chances3
	chances4
	chances5
	equities
	cubes
	luck
	depths
	rest
	numColumns
)

var errColumns = errors.New("its columns do not fit together")

// stream carries a match to columns, or from them: the same steps describe both ways.
type stream struct {
	cols    [numColumns][]byte
	reading bool
	err     error

	settings []settings
	actions  int // so far, of all games

	// Of the decision before: the side whose chances are last, in steps; by how much its equity was beyond the
	// cubeless one; the winning chance of a cube decision, or its equity in money play.
	side    int
	last    [5]int
	beyond  int
	cubeful int
	whole   int // what the chances of both sides add up to, 0 for equities
}

// int carries a whole number.
func (s *stream) int(c column, v *int) {
	if !s.reading {
		s.cols[c] = binary.AppendVarint(s.cols[c], int64(*v))
		return
	}
	x, n := binary.Varint(s.cols[c])
	if n <= 0 || x != int64(int32(x)) {
		s.err, x, n = errColumns, 0, 0
	}
	s.cols[c] = s.cols[c][n:]
	*v = int(x)
}

// count carries the length of a list of at most most entries, each of which takes a byte of column of.
func (s *stream) count(c, of column, v *int, most int) {
	s.int(c, v)
	if s.reading && (*v < 0 || *v > most || *v > len(s.cols[of])) {
		s.err, *v = errColumns, 0
	}
}

// number carries a number of any kind between low and high.
func number[T ~int | ~int8 | ~uint8](s *stream, c column, v *T, low, high int) {
	x := int(*v)
	if s.int(c, &x); s.reading && (x < low || x > high) {
		s.err, x = errColumns, low
	}
	*v = T(x)
}

// text carries a text.
func (s *stream) text(v *string) {
	n := len(*v)
	s.count(rest, texts, &n, maxColumns)
	if !s.reading {
		s.cols[texts] = append(s.cols[texts], *v...)
		return
	}
	*v = string(s.cols[texts][:n])
	s.cols[texts] = s.cols[texts][n:]
}

// bits carries what is true of a list of facts.
func (s *stream) bits(list ...*bool) {
	x := 0
	for i, v := range list {
		if *v {
			x |= 1 << i
		}
	}
	s.int(flags, &x)
	for i, v := range list {
		*v = x>>i&1 != 0
	}
}

// near carries v in steps of 1/scale as its distance from guess, and returns it in these steps.
func (s *stream) near(c column, v *float64, scale float64, guess int) int {
	x := 0
	if !s.reading {
		if x = int(math.Round(min(max(*v*scale, -1e9), 1e9))); math.IsNaN(*v) {
			x = 0
		}
		x -= guess
	}
	s.int(c, &x)
	x += guess
	if s.reading {
		*v = float64(x) / scale
	}
	return x
}

// optional carries a value that may be missing; there is what the flags said.
func (s *stream) optional(c column, v **float64, scale float64, there bool) {
	if !there {
		return
	}
	if s.reading {
		*v = new(float64)
	}
	s.near(c, *v, scale, 0)
}
