package board

import (
	"encoding/binary"
	"math/bits"

	"fibsbot/internal/splitmix"
)

// barBit is the bar in a mask of points; bit i is index i of Checkers.
const barBit = 1 << Bar

// marks is how many bits the generator has to mark the plays of a roll that is not a
// double. Positions that occur in play have fewer than 100 such plays, so a mark that is
// there already mostly means a duplicate.
const (
	markBits = 10
	marks    = 1 << markBits
)

// stepKey holds a fixed random number for every place of a checker, so that the sum over a
// play identifies its net change. Plays with the same mark are compared as positions, so
// the quality of the numbers matters for speed only. Index 25 is for a checker off, 32+i for a hit on point i.
var stepKey = func() (k [64]uint64) {
	for i := range k {
		k[i] = splitmix.At(splitmix.Gamma, uint64(i))
	}
	return k
}()

// AppendPlays appends to dst every legal play of roll d for the player on roll,
// one for each distinct resulting position, and returns the longer slice. It
// appends nothing when no checker can move or when the game is over. All rules
// that force a play are applied: as many dice as possible must be used, and the
// larger one when either can be used but not both.
//
// The steps of each play are in an order that is legal step by step. The order
// of the plays is fixed for a given position and roll but has no meaning.
// Nothing is allocated when dst has room. An invalid roll has no plays.
func AppendPlays(dst []Play, p Position, d Dice) []Play { return appendPlays(dst, &p, d, false) }

func appendPlays(dst []Play, p *Position, d Dice, egyptian bool) []Play {
	if !d.Valid() {
		return dst
	}
	g := generator{pos: *p, dst: dst, base: len(dst), egyptian: egyptian}
	for i, n := range p.Me {
		if n > 0 {
			g.occupied |= 1 << i
		}
	}
	for i, n := range p.Opp[:Bar] {
		if n > 1 {
			g.blocked |= 1 << (23 - i)
		}
	}
	if p.Opp.Count() == 0 {
		return dst
	}
	if d.Double() {
		if g.die = uint(d.A); egyptian {
			g.doubleCrowded(g.occupied, 0)
		} else {
			g.double(g.occupied, 0, Bar)
		}
	} else {
		d = d.Sorted()
		g.pair(uint(d.A), uint(d.B))
	}
	return g.dst
}

// generator holds the position while checkers are moved and taken back.
type generator struct {
	pos      Position
	steps    [4]Step
	occupied uint32 // points with a checker of mine, before the play
	blocked  uint32 // points, in my numbering, that the opponent holds; no play changes them
	// egyptian: own points with five checkers are closed, too; those change with every step.
	egyptian bool
	die      uint // for doubles
	most     int  // for doubles: the most steps found so far
	dst      []Play
	base     int
	marked   [marks / 64]uint64
}

// sources returns the points from which die d may be played when my checkers occupy the
// points of occupied.
func (g *generator) sources(occupied uint32, d uint) uint32 {
	blocked := g.blocked
	if g.egyptian {
		blocked |= g.full()
	}
	if occupied&barBit != 0 {
		return barBit &^ (blocked << d)
	}
	m := occupied &^ (blocked << d) &^ (1<<d - 1)
	if occupied < 1<<6 {
		// All home: the exact point bears off, or else the highest one when it
		// is nearer than the die.
		exact := uint32(1) << (d - 1)
		switch {
		case occupied&exact != 0:
			m |= exact
		case occupied != 0 && occupied < exact:
			m |= 1 << (bits.Len32(occupied) - 1)
		}
	}
	return m
}

// step moves one checker and returns the new occupied mask, where the checker
// went and whether it hit. undo takes it back.
func (g *generator) step(occupied uint32, from int, d uint) (uint32, int, bool) {
	g.pos.Me[from]--
	if g.pos.Me[from] == 0 {
		occupied &^= 1 << from
	}
	to := from - int(d)
	if to < 0 {
		return occupied, Off, false
	}
	g.pos.Me[to]++
	occupied |= 1 << to
	if g.pos.Opp[23-to] != 0 {
		g.pos.Opp[23-to] = 0
		g.pos.Opp[Bar]++
		return occupied, to, true
	}
	return occupied, to, false
}

func (g *generator) undo(from, to int, hit bool) {
	g.pos.Me[from]++
	if to < 0 {
		return
	}
	g.pos.Me[to]--
	if hit {
		g.pos.Opp[23-to] = 1
		g.pos.Opp[Bar]--
	}
}

// emit appends the current position with the first n steps.
func (g *generator) emit(n int) {
	if len(g.dst) == cap(g.dst) {
		g.dst = append(g.dst, Play{})
	} else {
		g.dst = g.dst[:len(g.dst)+1]
	}
	p := &g.dst[len(g.dst)-1]
	p.Steps = g.steps
	p.N = uint8(n)
	p.Result = g.pos
}

// double plays the same die up to four times, taking the sources from high to
// low. Every legal set of steps is legal in that order, because the rear
// checkers move first, and the number of steps leaving each point follows from
// the result, so each result comes up exactly once. A branch that stops early
// while some other branch continues is dropped: the dice must be used up.
func (g *generator) double(occupied uint32, n, highest int) {
	if n < 4 {
		m := g.sources(occupied, g.die) & (2<<highest - 1)
		if m != 0 {
			for m != 0 {
				from := bits.Len32(m) - 1
				m &^= 1 << from
				next, to, hit := g.step(occupied, from, g.die)
				g.steps[n] = Step{int8(from), int8(to)}
				g.double(next, n+1, from)
				g.undo(from, to, hit)
			}
			return
		}
	}
	if n == 0 || n < g.most {
		return
	}
	if n > g.most {
		g.most = n
		g.dst = g.dst[:g.base]
	}
	for i := n; i < 4; i++ {
		g.steps[i] = Step{}
	}
	g.emit(n)
}

// pair plays two different dice, the larger one in hi.
func (g *generator) pair(hi, lo uint) {
	var second [Bar + 1]uint32 // after hi from this point: where lo may be played from
	first := g.sources(g.occupied, hi)
	for m := first; m != 0; {
		from := bits.Len32(m) - 1
		m &^= 1 << from
		next, to, hit := g.step(g.occupied, from, hi)
		g.steps[0] = Step{int8(from), int8(to)}
		second[from] = g.sources(next, lo)
		g.seconds(next, second[from], lo, key(from, to, hit))
		g.undo(from, to, hit)
	}
	other := g.sources(g.occupied, lo)
	for m := other; m != 0; {
		from := bits.Len32(m) - 1
		m &^= 1 << from
		next, to, hit := g.step(g.occupied, from, lo)
		g.steps[0] = Step{int8(from), int8(to)}
		then := g.sources(next, hi)
		// The same two steps in the other order came up above and end in the
		// same position.
		for t := then & first; t != 0; {
			s := bits.Len32(t) - 1
			t &^= 1 << s
			if second[s]&(1<<from) != 0 {
				then &^= 1 << s
			}
		}
		g.seconds(next, then, hi, key(from, to, hit))
		g.undo(from, to, hit)
	}
	if len(g.dst) > g.base {
		return
	}
	d := hi
	if first == 0 {
		first, d = other, lo
	}
	for m := first; m != 0; {
		from := bits.Len32(m) - 1
		m &^= 1 << from
		_, to, hit := g.step(g.occupied, from, d)
		g.steps[0] = Step{int8(from), int8(to)}
		g.emit(1)
		g.undo(from, to, hit)
	}
}

// seconds plays die d from each point of m after the step in steps[0], whose
// key is k, and keeps the positions not seen before.
func (g *generator) seconds(occupied, m uint32, d uint, k uint64) {
	for m != 0 {
		from := bits.Len32(m) - 1
		m &^= 1 << from
		_, to, hit := g.step(occupied, from, d)
		if k := k + key(from, to, hit); !g.seen(k) {
			g.steps[1] = Step{int8(from), int8(to)}
			g.emit(2)
		}
		g.undo(from, to, hit)
	}
	g.steps[1] = Step{}
}

// key is the change one step makes to the sum that identifies a position.
func key(from, to int, hit bool) uint64 {
	k := -stepKey[from]
	if to < 0 {
		return k + stepKey[Bar+1]
	}
	k += stepKey[to]
	if hit {
		k += stepKey[32+to]
	}
	return k
}

// seen reports whether the current position, with key k, is already among the plays, and
// marks it.
func (g *generator) seen(k uint64) bool {
	at := k >> (64 - markBits)
	word, bit := &g.marked[at>>6], uint64(1)<<(at&63)
	if *word&bit == 0 {
		*word |= bit
		return false
	}
	plays := g.dst[g.base:]
	mine := binary.LittleEndian.Uint64(g.pos.Me[:8])
	for i := range plays {
		if binary.LittleEndian.Uint64(plays[i].Result.Me[:8]) == mine && plays[i].Result == g.pos {
			return true
		}
	}
	return false
}
