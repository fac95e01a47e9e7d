package board

import "math/bits"

// Rules are what variations of the game change about moving and winning. The zero value
// is ordinary backgammon. They do not include the start position.
type Rules struct {
	// Checkers is how many each side begins with; 0 means 15. A side that still has all of
	// them when the other side is off loses a gammon.
	Checkers uint8 `json:"checkers,omitempty"`
	// Egyptian: no play puts a sixth checker on a point. Six or more from the start may
	// stay.
	Egyptian bool `json:"egyptian,omitempty"`
}

// mostEgyptian is how many checkers the Egyptian rule allows on a point (GNU Backgammon
// manual, "set egyptian").
const mostEgyptian = 5

// Each returns how many checkers a side begins with.
func (r Rules) Each() int {
	if r.Checkers == 0 {
		return MaxCheckers
	}
	return int(r.Checkers)
}

// Off is [Position.Off] by these rules; sides that have more than they begin with have none
// off.
func (r Rules) Off(p *Position) (me, opp int) {
	return max(0, r.Each()-p.Me.Count()), max(0, r.Each()-p.Opp.Count())
}

// Result is [Position.Result] by these rules.
func (r Rules) Result(p *Position) int {
	switch {
	case p.Me.Count() == 0:
		return lossLevel(&p.Opp, r.Each())
	case p.Opp.Count() == 0:
		return -lossLevel(&p.Me, r.Each())
	}
	return 0
}

// AppendPlays is [AppendPlays] by these rules.
func (r Rules) AppendPlays(dst []Play, p Position, d Dice) []Play {
	return appendPlays(dst, &p, d, r.Egyptian)
}

// ParsePlay is [ParsePlay] by these rules.
func (r Rules) ParsePlay(p Position, d Dice, text string) (Play, error) {
	return parsePlay(p, d, text, r)
}

// full returns the own points that the Egyptian rule closes now: those with five checkers.
func (g *generator) full() (m uint32) {
	for i, n := range g.pos.Me[:Bar] {
		if n >= mostEgyptian {
			m |= 1 << i
		}
	}
	return m
}

// doubleCrowded is double under the Egyptian rule, where own points fill up and empty: a play
// may be legal in one order of its steps only, so all orders are tried and duplicates
// dropped.
func (g *generator) doubleCrowded(occupied uint32, n int) {
	if n < 4 {
		if m := g.sources(occupied, g.die); m != 0 {
			for m != 0 {
				from := bits.Len32(m) - 1
				m &^= 1 << from
				next, to, hit := g.step(occupied, from, g.die)
				g.steps[n] = Step{int8(from), int8(to)}
				g.doubleCrowded(next, n+1)
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
	for _, pl := range g.dst[g.base:] {
		if pl.Result == g.pos {
			return
		}
	}
	for i := n; i < 4; i++ {
		g.steps[i] = Step{}
	}
	g.emit(n)
}
