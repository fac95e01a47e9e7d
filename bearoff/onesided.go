package bearoff

import (
	"encoding/binary"
	"fmt"
	"math"

	"fibsbot/engine/board"
)

// recordSize is the size of one entry of the index of a one-sided database:
//
//	0  uint32  low bits of the offset of the first value, in values
//	4  uint8   high bits of it
//	5  uint8   first number of rolls with a stored chance, all off
//	6  uint8   how many chances follow from there
//	7  uint8   the same two for the first checker off; their values follow
//	8  uint8   directly behind
//	9  3 bytes zero
//	12 float32 mean number of rolls, unrounded
const recordSize = 16

// OneSided is a one-sided bearoff database. It is safe for concurrent use.
type OneSided struct {
	extent
	recs, vals *section
}

// Len returns the number of placements.
func (o *OneSided) Len() uint32 { return uint32(o.size()) }

// Holds reports whether the placement c is in the database.
func (o *OneSided) Holds(c *board.Checkers) bool { return o.holds(c) }

// extent is the size of a database, and what closes its file.
type extent struct {
	points, checkers int
	close            func() error
}

// size is the number of placements.
func (s *extent) size() uint64 { return Size(s.points, s.checkers) }

// Points returns the number of points.
func (s *extent) Points() int { return s.points }

// Checkers returns the largest number of checkers a side.
func (s *extent) Checkers() int { return s.checkers }

// Close releases the file behind the database.
func (s *extent) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// holds reports whether the database has the placement c.
func (s *extent) holds(c *board.Checkers) bool {
	n := 0
	for i, v := range c {
		if i >= s.points && v != 0 {
			return false
		}
		n += int(v)
	}
	return n <= s.checkers
}

// entry is one decoded index record with its values.
type entry struct {
	off, first Dist
	mean       float32
}

// entry reads placement idx; ok is false when the file turns out to be damaged
// there.
func (o *OneSided) entry(idx uint32) (e entry, ok bool) {
	r := o.recs.at(int64(idx)*recordSize, recordSize)
	if r == nil {
		return e, false
	}
	at := 2 * (int64(binary.LittleEndian.Uint32(r)) | int64(r[4])<<32)
	n, nf := 2*int(r[6]), 2*int(r[8])
	v := o.vals.at(at, n+nf)
	if v == nil {
		return e, false
	}
	e.off = Dist{start: int(r[5]), vals: v[:n:n]}
	e.first = Dist{start: int(r[7]), vals: v[n:]}
	e.mean = math.Float32frombits(binary.LittleEndian.Uint32(r[12:]))
	return e, true
}

func (o *OneSided) find(c *board.Checkers) (entry, bool) {
	if !o.Holds(c) {
		return entry{}, false
	}
	if o.points == 6 {
		return o.entry(indexHome(c))
	}
	return o.entry(Index(c, o.points))
}

// Rolls returns the distributions of the number of rolls that the placement c
// needs to bear off everything and to bear off its first checker (of fifteen;
// with fewer checkers that has happened, at 0 rolls). ok is false when c is
// outside the database or the file is damaged there.
func (o *OneSided) Rolls(c *board.Checkers) (off, first Dist, ok bool) {
	e, ok := o.find(c)
	return e.off, e.first, ok
}

// MeanRolls returns the expected number of rolls until all checkers are off.
func (o *OneSided) MeanRolls(c *board.Checkers) (float64, bool) {
	e, ok := o.find(c)
	return float64(e.mean), ok
}

// PipsPerRoll is the mean number of pips of a roll, doubles counted four times.
const PipsPerRoll = 49.0 / 6

// Chances are what two one-sided distributions say about a race: the chances
// of the player on roll to win, to win a gammon and to lose one.
type Chances struct{ Win, WinGammon, LoseGammon float64 }

// Race returns the chances of p, without contact, from the distributions of
// both sides: win = sum of my(i) * opponent's(>= i); I win a gammon when I am off
// before the opponent's first checker is, and lose one when he is off at
// least a roll before mine. Both sides play to be quick, not to suit the other
// side's count, which costs up to about 0.003 against exact play. ok is false
// when a side is outside the database.
func (o *OneSided) Race(p *board.Position) (c Chances, ok bool) {
	me, ok1 := o.find(&p.Me)
	opp, ok2 := o.find(&p.Opp)
	if !ok1 || !ok2 || p.Contact() {
		return c, false
	}
	c.Win = noLater(me.off, opp.off, 0)
	if opp.first.start > 0 {
		c.WinGammon = noLater(me.off, opp.first, 0)
	}
	if me.first.start > 0 {
		c.LoseGammon = noLater(opp.off, me.first, 1)
	}
	return c, true
}

// String names the database by its shape.
func (o *OneSided) String() string {
	return fmt.Sprintf("one-sided database, %d checkers on %d points", o.checkers, o.points)
}

// full is the sum of a stored distribution: chances are kept as 16-bit parts of it.
const full = 65535

// Dist is a distribution of the number of rolls: the chance of needing exactly
// n rolls is At(n). The zero value is the impossible distribution, all chances 0.
type Dist struct {
	start int
	vals  []byte // little-endian 16-bit parts of full, from start on
}

// At returns the chance, within [0,1], of needing exactly n rolls.
func (d Dist) At(n int) float64 {
	n -= d.start
	if n < 0 || n*2 >= len(d.vals) {
		return 0
	}
	return float64(binary.LittleEndian.Uint16(d.vals[n*2:])) / full
}

// Len returns one more than the largest number of rolls with a chance above 0.
func (d Dist) Len() int { return d.start + len(d.vals)/2 }

// Slice returns the chances of 0, 1, 2, ... rolls.
func (d Dist) Slice() []float64 {
	out := make([]float64, d.Len())
	for i := range out {
		out[i] = d.At(i)
	}
	return out
}

// Mean returns the expected number of rolls.
func (d Dist) Mean() float64 {
	var m float64
	for i := d.start; i < d.Len(); i++ {
		m += float64(i) * d.At(i)
	}
	return m
}

// Variance returns the variance of the number of rolls.
func (d Dist) Variance() float64 {
	var m, q float64
	for i := d.start; i < d.Len(); i++ {
		p := d.At(i)
		m += float64(i) * p
		q += float64(i) * float64(i) * p
	}
	return max(q-m*m, 0)
}

// noLater returns the chance that a count drawn from a is at most a count drawn
// from b minus lead: sum over i of a(i) * b(>= i+lead). With lead 0 it is the
// chance of winning the race for the player on roll (GNU Backgammon manual,
// one-sided databases).
func noLater(a, b Dist, lead int) float64 {
	// tail is b(>= i+lead) while i walks through a.
	tail := uint64(full)
	j := 0
	bn := len(b.vals) / 2
	var sum uint64
	for k, i := 0, a.start+lead-b.start; k+1 < len(a.vals); k, i = k+2, i+1 {
		for j < i && j < bn {
			tail -= uint64(binary.LittleEndian.Uint16(b.vals[2*j:]))
			j++
		}
		if tail == 0 {
			break
		}
		sum += uint64(binary.LittleEndian.Uint16(a.vals[k:])) * tail
	}
	return float64(sum) / (full * full)
}

// quantise appends the chances p[0..] to dst as 16-bit parts whose sum is
// exactly full, without leading and trailing zeros, and returns the number of
// the first one kept. The rounding error of the sum goes to the largest part,
// where it is relatively smallest.
func quantise(dst []byte, p []float64) (out []byte, start int) {
	var q [maxRolls]uint16
	sum, big := 0, 0
	first, last := -1, -1
	for i, v := range p {
		k := int(v*full + 0.5)
		q[i] = uint16(k)
		sum += k
		if k > int(q[big]) {
			big = i
		}
		if k > 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	q[big] = uint16(int(q[big]) + full - sum)
	for i := first; i <= last; i++ {
		dst = binary.LittleEndian.AppendUint16(dst, q[i])
	}
	return dst, first
}

// maxRolls bounds a distribution: 15 checkers on 18 points are 270 pips, at
// least 3 a roll, and each checker may waste one roll more.
const maxRolls = 128
