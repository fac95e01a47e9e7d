package nn

import (
	"math/bits"

	"fibsbot/engine/board"
)

// wall is how one side's made points hold back an opponent whose rearmost checker is
// at a given place: the inputs that depend on nothing else.
type wall struct {
	key uint32 // made points and that place, see wallKey; 0: not filled
	// The inputs of these names; fullest is the square of the share of the fullest six
	// points in a row that are made, and at the lowest of those six.
	contain, containBar, leaps, prime, fullest float32
	at                                         int32
}

// walls remembers walls. The plays of a decision, and all that a search looks at, have
// few different ones: nine in ten are found here.
type walls [1 << wallBits]wall

const wallBits = 10

// wallKey names the wall of s against o, both faced; it is never 0.
func wallKey(s, o *side) uint32 { return s.made | uint32(o.rear+1)<<24 | 1<<30 }

// of returns the wall of s against o, which stays valid until the next call.
func (m *walls) of(s, o *side) *wall {
	key := wallKey(s, o)
	w := &m[key*0x9e3779b1>>(32-wallBits)] // Fibonacci hashing
	if w.key != key {
		*w = newWall(s, o)
	}
	return w
}

func newWall(s, o *side) wall {
	t := tables
	m := wall{key: wallKey(s, o)}
	// Places the checker cannot stand on count as 255, which leaves the smallest
	// as it is and spares branches that no processor could guess.
	escape, escapeBar, leap := uint8(36), uint8(36), uint8(36)
	closedBar := uint32(o.oppMade)
	closedRear := closedBar | ^below(o.rear+1)
	for i := board.Bar; i >= 12; i-- {
		w := ahead(o.oppMade, i)
		e, off := t.escapes[w], uint8(-(closedRear >> uint(i) & 1))
		escapeBar = min(escapeBar, e|uint8(-(closedBar>>uint(i)&1)))
		escape = min(escape, e|off)
		leap = min(leap, t.leaps[w]|off)
	}
	m.contain, m.containBar = float32(36-escape)*(1.0/36), float32(36-escapeBar)*(1.0/36)
	m.leaps = float32(36-leap) * (1.0 / 36)

	ahead := s.made &^ below(s.meet+1)
	// Each step leaves a bit for every run longer than the last.
	run, x := uint32(0), ahead
	for range 6 {
		run += (x | -x) >> 31 // 1 unless x is 0
		x &= x >> 1
	}
	m.prime = share(int(run), 6)
	best, at := fullest(ahead)
	m.fullest, m.at = float32(best*best)*(1.0/36), int32(at)
	return m
}

// fullest returns how many of a wall's points are in the fullest six in a row, and
// the lowest of those six; the rearmost six where several are as full. The counts
// of all windows are added up at once, bit k of each word being window k.
func fullest(wall uint32) (n, at int) {
	a, b, c, d, e, f := wall, wall>>1, wall>>2, wall>>3, wall>>4, wall>>5
	ones1, twos1 := a^b^c, a&b|c&(a^b)
	ones2, twos2 := d^e^f, d&e|f&(d^e)
	carry := ones1 & ones2
	ones, twos, fours := ones1^ones2, twos1^twos2^carry, twos1&twos2|carry&(twos1^twos2)
	windows := below(19)
	if m := windows & fours; m != 0 {
		windows, n = m, 4
	}
	if m := windows & twos; m != 0 {
		windows, n = m, n+2
	}
	if m := windows & ones; m != 0 {
		windows, n = m, n+1
	}
	return n, bits.Len32(windows) - 1
}
