package bearoff

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"

	"fibsbot/engine/board"
)

// saving knows how many rolls a side with all fifteen checkers on the board needs to bear
// off its first one while up to savingOutside of them are outside its home board. The home
// board enters as a savingHome. States are worked out when first needed. It is safe for
// concurrent use. What it needs of the database of 15 checkers on 6 points is the same in all.
type saving struct {
	mu     sync.Mutex // of working states out
	tables [savingTables]atomic.Pointer[savingTable]
}

// savings is the one of the program.
var savings saving

const (
	// savingOutside is the largest number of checkers outside the home board.
	savingOutside = 3
	// savingPlaces is one more than the number of places outside the home board; place n
	// is point 6+n, and 0 the place of a checker that is home.
	savingPlaces = 19
	savingTables = savingPlaces * savingPlaces * savingPlaces
	// savingRolls bounds the rolls: three checkers have 57 pips to go, at least 3 a roll, and
	// waste less than a roll each.
	savingRolls = 64
)

// outside is the places of the checkers outside the home board, the rearmost first.
type outside [savingOutside]uint8

func (o outside) index() int {
	return (int(o[0])*savingPlaces+int(o[1]))*savingPlaces + int(o[2])
}

// move brings checker i nearer by n pips. home is the point where it enters the home board,
// or -1 if it does not.
func (o outside) move(i, n int) (next outside, home int) {
	home = int(o[i]) + 5 - n
	o[i] -= min(o[i], uint8(n))
	for k := i; k+1 < len(o) && o[k] < o[k+1]; k++ {
		o[k], o[k+1] = o[k+1], o[k]
	}
	if home > 5 {
		home = -1
	}
	return o, home
}

// savingHome is what matters of fifteen checkers at home, or of nearly as many: which
// points are occupied, and how many of the highest of them hold a single checker, up to
// three. Further down single checkers are rare and hardly matter. It is the set of points
// times four plus that number.
type savingHome uint8

func savingHomeOf(c *board.Checkers) (h savingHome) {
	leading := true
	for i := 5; i >= 0; i-- {
		if c[i] == 0 {
			continue
		}
		h |= 4 << i
		if leading = leading && c[i] == 1; leading && h&3 < 3 {
			h++
		}
	}
	return h
}

func (h savingHome) occupied(i int) bool { return h>>(2+i)&1 > 0 }

// single reports whether the checker on point i is one of the leading single ones.
func (h savingHome) single(i int) bool {
	return h.occupied(i) && bits.OnesCount8(uint8(h>>(2+i))) <= int(h&3)
}

// land is h with a checker more on point i.
func (h savingHome) land(i int) savingHome {
	above := savingHome(bits.OnesCount8(uint8(h >> (3 + i)))) // occupied points
	switch {
	case h.occupied(i):
		return h&^3 | min(h&3, above)
	case above <= h&3 && h&3 < 3:
		h++
	}
	return h | 4<<i
}

// move is h after a checker has moved from point i to point to. A point with more than one
// checker stays occupied.
func (h savingHome) move(i, to int) savingHome {
	if h.single(i) {
		h = h&^(4<<i) - 1
	}
	return h.land(to)
}

// savingTable is the states with the same checkers outside.
type savingTable [256]atomic.Pointer[savingState]

// savingState is a placement of fifteen checkers, as far as it matters.
type savingState struct {
	outside outside
	home    savingHome
	rolls   Dist // until the first checker is off
	mean    float64
	// best holds, for one, two or three moves of each die, the state that they lead to
	// best.
	best [3][6]*savingState
}

// savedState is reached when the first checker is off.
var savedState = &savingState{}

// rolls returns the distribution of the number of rolls until c's first checker is off. ok
// is false unless c has fifteen checkers of which one to savingOutside are outside.
func (s *saving) rolls(c *board.Checkers, one func() *OneSided) (d Dist, ok bool) {
	le := binary.LittleEndian
	home := int((le.Uint64(c[0:]) & (1<<48 - 1)) * 0x0101010101010101 >> 56)
	if home < MaxCheckers-savingOutside || home >= MaxCheckers || c[board.Bar] != 0 {
		return d, false
	}
	var o outside
	n := 0
	for i := board.Bar - 1; i > 5; i-- {
		for range c[i] {
			if n == savingOutside {
				return d, false
			}
			o[n] = uint8(i - 5)
			n++
		}
	}
	if n+home != MaxCheckers {
		return d, false
	}
	h := savingHomeOf(c)
	if t := s.tables[o.index()].Load(); t != nil {
		if e := t[h].Load(); e != nil {
			return e.rolls, true
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state(o, h, one()).rolls, true
}

// state returns a state, worked out where that has not been done; mu is held.
func (s *saving) state(o outside, h savingHome, one *OneSided) *savingState {
	t := s.tables[o.index()].Load()
	if t == nil {
		t = new(savingTable)
		s.tables[o.index()].Store(t)
	}
	if e := t[h].Load(); e != nil {
		return e
	}
	e := &savingState{outside: o, home: h}
	if o[0] == 0 {
		e.rolls, e.mean = h.atHome(one)
	}
	var moves [6][]*savingState
	var room [6][6]*savingState
	var four [6]*savingState
	for d := range moves {
		moves[d] = s.moves(room[d][:0], e, d+1, one)
		ways := room[d][:len(moves[d])]
		for n := range 4 {
			best := (*savingState)(nil)
			for _, y := range ways {
				if n > 0 && y != savedState {
					y = y.best[n-1][d]
				}
				if best == nil || y.mean < best.mean {
					best = y
				}
			}
			if four[d] = best; n < 3 {
				e.best[n][d] = best
			}
		}
	}
	if o[0] > 0 {
		e.mix(&moves, &four)
	}
	t[h].Store(e)
	return e
}

// mix sets the distribution of e, and its mean, by where its moves lead.
func (e *savingState) mix(moves *[6][]*savingState, four *[6]*savingState) {
	var sum [savingRolls]float64
	last := 1
	e.mean = 1
	for _, r := range weight21 {
		best := four[r.a]
		if r.a != r.b {
			best = nil
			for _, way := range [2][2]int{{r.a, r.b}, {r.b, r.a}} {
				for _, y := range moves[way[0]] {
					if y != savedState {
						y = y.best[0][way[1]]
					}
					if best == nil || y.mean < best.mean {
						best = y
					}
				}
			}
		}
		p := float64(r.w) / 36
		if best == savedState {
			sum[1] += p
			continue
		}
		e.mean += p * best.mean
		for i, end := best.rolls.start, best.rolls.Len(); i < end; i++ {
			sum[i+1] += p * best.rolls.At(i)
			last = max(last, i+1)
		}
	}
	vals, start := quantise(make([]byte, 0, 2*(last+1)), sum[:last+1])
	e.rolls = Dist{start, vals}
}

// moves appends the states that a number on a die leads to from e. Checkers at home wait for
// those outside.
func (s *saving) moves(to []*savingState, e *savingState, n int, one *OneSided) []*savingState {
	o, h := e.outside, e.home
	if o[0] > 0 {
		for i := range o {
			if o[i] == 0 || i > 0 && o[i] == o[i-1] {
				continue
			}
			next, home := o.move(i, n)
			if home < 0 {
				to = append(to, s.state(next, h, one))
			} else {
				to = append(to, s.state(next, h.land(home), one))
			}
		}
		return to
	}
	if h.occupied(n-1) || h>>(2+n) == 0 {
		return append(to, savedState)
	}
	for i := n; i < 6; i++ {
		if !h.occupied(i) {
			continue
		}
		if next := h.move(i, i-n); next == h {
			to = append(to, e)
		} else {
			to = append(to, s.state(o, next, one))
		}
	}
	return to
}

// atHome is the distribution of fifteen checkers at home, about as many on each of the
// points that are not single, and its mean.
func (h savingHome) atHome(one *OneSided) (Dist, float64) {
	var c board.Checkers
	rest := MaxCheckers - int(h&3)
	n, k := bits.OnesCount8(uint8(h>>2))-int(h&3), 0
	for i := range 6 {
		switch {
		case h.single(i):
			c[i] = 1
		case h.occupied(i):
			c[i] = uint8(rest*(k+1)/n - rest*k/n)
			k++
		}
	}
	e, _ := one.entry(indexHome(&c))
	first := Dist{e.first.start, bytes.Clone(e.first.vals)} // the file may be closed before
	return first, first.Mean()
}

// Gammons returns the chances of the player on roll in p, a race, to win and to lose a gammon,
// -1 for one that is not known. It knows them where the winner is home and the loser has
// fifteen checkers of which one to three are not.
func (s *Source) Gammons(p *board.Position) (win, lose float32) {
	return s.chances(p, func(loser *board.Checkers) (Dist, bool) { return savings.rolls(loser, s.one) })
}

// chances returns the chances of the player on roll in p to win and to lose what the loser saves after
// rolls distributed as last says of their checkers, -1 for one that is not known.
func (s *Source) chances(p *board.Position, last func(loser *board.Checkers) (Dist, bool)) (win, lose float32) {
	win, lose = -1, -1
	if off, until, ok := s.offAnd(last, &p.Me, &p.Opp); ok {
		win = float32(noLater(off, until, 0))
	}
	if off, until, ok := s.offAnd(last, &p.Opp, &p.Me); ok {
		lose = float32(noLater(off, until, 1))
	}
	return win, lose
}

// offAnd are the rolls of a side that is home until all is off, and those of the other side by last.
func (s *Source) offAnd(last func(*board.Checkers) (Dist, bool), winner, loser *board.Checkers) (off, until Dist, ok bool) {
	n, ok := home(winner)
	if !ok || n == 0 || n > MaxCheckers {
		return off, until, false
	}
	if until, ok = last(loser); !ok {
		return off, until, false
	}
	e, ok := s.one().entry(indexHome(winner))
	return e.off, until, ok
}
