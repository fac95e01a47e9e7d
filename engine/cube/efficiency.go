package cube

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Efficiency says how live the cube is by class of position: Janowski's x, 0
// dead to 1 live.
type Efficiency struct {
	Contact, Crashed float64
	// In a one-sided bearoff x is OneSided + OneSidedPerPip times the pip count of the
	// player on roll, at most OneSidedMax where that is above 0.
	OneSided, OneSidedPerPip, OneSidedMax float64
	// TwoSided holds where the exact database knows the winning chances but the
	// score decides and x cannot be derived from exact money equities, see
	// Effective.
	TwoSided float64
	// In a long race x is RaceBase + RacePerPip times the pip count of the
	// player on roll, within [RaceMin, RaceMax].
	RaceBase, RacePerPip, RaceMin, RaceMax float64
}

// GnubgEfficiency are the values that GNU Backgammon has used for twenty years, for
// comparisons with it.
var GnubgEfficiency = Efficiency{
	Contact: 0.68, Crashed: 0.68, OneSided: 0.6, TwoSided: 0.6,
	RaceBase: 0.55, RacePerPip: 0.00125, RaceMin: 0.6, RaceMax: 0.7,
}

// UsualEfficiency is what the engine uses, by our own rollouts
// (docs/cube-efficiency.md). In races the cube lives longer than gnubg's values say, and
// in one-sided bearoffs the longer the more pips are left; decisions with these give up less. For contact and
// crashed positions the rollouts give no reason to leave gnubg's value.
var UsualEfficiency = Efficiency{
	Contact: 0.68, Crashed: 0.68, OneSided: 0.48, OneSidedPerPip: 0.004, OneSidedMax: 0.68, TwoSided: 0.6,
	RaceBase: 0.62, RacePerPip: 0.00125, RaceMin: 0.6, RaceMax: 0.8,
}

// Race returns x for a race with pips left to the player on roll.
func (e *Efficiency) Race(pips int) float64 {
	return min(e.RaceMax, max(e.RaceMin, e.RaceBase+e.RacePerPip*float64(pips)))
}

// Of returns x for a position by its class.
func (e *Efficiency) Of(p *board.Position) float64 {
	switch eval.ClassOf(p) {
	case eval.Crashed:
		return e.Crashed
	case eval.Race:
		return e.Race(p.Me.Pips())
	case eval.Bearoff1:
		x := e.OneSided + e.OneSidedPerPip*float64(p.Me.Pips())
		if e.OneSidedMax > 0 {
			x = min(x, e.OneSidedMax)
		}
		return x
	case eval.Bearoff2:
		return e.TwoSided
	}
	return e.Contact
}

// Effective returns the x at which the mixture of dead and live gives equity:
// (equity-dead)/(live-dead). In positions of the last roll the exact answer lies
// outside what any x between 0 and 1 gives, and where live and dead agree x does
// not matter; usual is returned then.
func Effective(equity, dead, live, usual float64) float64 {
	d := live - dead
	if d < 1e-6 && d > -1e-6 {
		return usual
	}
	if x := (equity - dead) / d; x >= 0 && x <= 1 {
		return x
	}
	return usual
}

// Exact are the exact equities of a database of pairs for the player on roll, who does
// not double now, per cube, in money play: of bearoffs without gammons, of hypergammon
// with them.
type Exact struct {
	Owned, Centred, Theirs float32
	// Jacoby is Centred under the Jacoby rule: the same where there are no gammons.
	Jacoby float32
	// Probs are the chances of cubeless play.
	Probs eval.Probs
}

// At returns the equity for a cube with that owner.
func (e *Exact) At(o match.Owner) float64 {
	switch o {
	case match.Mine:
		return float64(e.Owned)
	case match.Theirs:
		return float64(e.Theirs)
	}
	return float64(e.Centred)
}

// Efficiency returns the x that turns the cubeless chances of this position into
// its exact money equity for a cube with owner o, or usual if no x does. It carries
// exact knowledge into match play, where the database's equities do not hold.
func (e *Exact) Efficiency(o match.Owner, usual float64) float64 {
	pr := e.Probs
	var dead, live [1]float64
	spot := [1]Spot{{Owner: o}}
	moneyLadder.Values(&pr, 0, spot[:], dead[:])
	moneyLadder.Values(&pr, 1, spot[:], live[:])
	return Effective(e.At(o), dead[0], live[0], usual)
}

var moneyLadder = func() *Ladder {
	l, err := NewLadder(nil, match.Money(false, 0))
	if err != nil {
		panic(err) // the zero money state is valid
	}
	return l
}()

//go:embed efficiency.bin
var efficiencyFile []byte

// UsualEfficiencyNet returns the net in the program, made by
//
//	fibslab train cube cube.jsonl
//	fibslab train cube cube.jsonl --fit engine/cube/efficiency.bin
var UsualEfficiencyNet = sync.OnceValue(func() *EfficiencyNet {
	n, err := ParseEfficiencyNet(efficiencyFile)
	if err != nil {
		panic(err) // the file in the program is sound
	}
	return n
})

// EfficiencyInputs is the number of inputs of an EfficiencyNet, EfficiencyHidden that of its hidden
// units, EfficiencyHeads that of its outputs.
const (
	EfficiencyInputs = 34
	EfficiencyHidden = 48
	EfficiencyHeads  = 4
)

// EfficiencyNet learns the cube efficiency of a position of contact: how far the cubeful value of one
// static evaluation lies from dead to live. Its inputs are the chances, the cube's spot as the ladder
// prices it, and a few counts of the board, so that one net serves money play and every score. Its
// outputs, one for each head, are added to the usual efficiency.
type EfficiencyNet struct {
	W1 [EfficiencyHidden][EfficiencyInputs]float32
	B1 [EfficiencyHidden]float32
	W2 [EfficiencyHeads][EfficiencyHidden]float32
	B2 [EfficiencyHeads]float32
}

// ClampEfficiency holds x within what a head of the net may say. Outside 0 to 1 the cube is worth more than
// the model knows, except under the Jacoby rule, where no one wins more than the cube before a double.
func ClampEfficiency(head int, x float64) float64 {
	if head == jacobyHead {
		return max(0, min(1, x))
	}
	return max(-0.3, min(1.5, x))
}

// jacobyHead is the output for the centred cube under the Jacoby rule.
const jacobyHead = 1

// Head returns the output for spot s: the centred cube, the centred cube under the Jacoby rule, the cube
// of the player on roll, the opponent's.
func (l *Ladder) Head(s Spot) int {
	switch {
	case s.Owner == match.Mine:
		return 2
	case s.Owner == match.Theirs:
		return 3
	case l.gammonless(s):
		return jacobyHead
	}
	return 0
}

// Unit returns the half distance between winning and losing a single game at spot s, and the middle,
// in utility.
func (l *Ladder) Unit(s Spot) (unit, middle float64) {
	w, o := l.win[s.Rung][0], l.lose[s.Rung][0]
	return (w - o) / 2, (w + o) / 2
}

// EfficiencyInputs fills in for the player on roll in p with chances pr, the cube at spot s. ok is false
// where the cube has no life at all, or the efficiency no influence.
func (l *Ladder) EfficiencyInputs(p *board.Position, pr *eval.Probs, s Spot, in *[EfficiencyInputs]float32) (ok bool) {
	j := int(s.Rung)
	up := min(j+1, l.rungs-1)
	unit, middle := l.Unit(s)
	spots, dead, live := [1]Spot{s}, [1]float64{}, [1]float64{}
	l.Values(pr, 0, spots[:], dead[:])
	l.Values(pr, 1, spots[:], live[:])
	if !(unit > 1e-9) || math.Abs(live[0]-dead[0]) < 0.01*unit {
		return false
	}
	norm := func(v float64) float32 { return float32(max(-4, min(4, (v-middle)/unit/2))) }
	var c split
	c.of(pr)
	mean := func(of *[3]float64, share *[3]float64) float64 {
		return float64(of[0]*share[0]) + float64(of[1]*share[1]) + float64(of[2]*share[2])
	}
	k := 0
	put := func(v float32) { in[k] = v; k++ }
	for _, v := range pr {
		put(v)
	}
	put(4 * pr[eval.Win] * (1 - pr[eval.Win]))
	put(norm(mean(&l.win[j], &c.won)))
	put(norm(mean(&l.lose[j], &c.lost)))
	put(norm(mean(&l.win[up], &c.won)))
	put(norm(mean(&l.lose[up], &c.lost)))
	put(norm(l.win[up][0]))
	put(norm(l.lose[up][0]))
	put(2 * norm(dead[0]))
	put(2 * norm(live[0]))
	put(2 * norm(live[0]-dead[0]+middle))
	for _, u := range [...]bool{l.useful[0][j], l.useful[1][j], l.useful[0][up], l.useful[1][up]} {
		if u {
			put(1)
		} else {
			put(0)
		}
	}
	me, opp := p.Me.Pips(), p.Opp.Pips()
	put(float32(me) / 100)
	put(float32(opp) / 100)
	put(float32(me-opp) / 50)
	countSide(&p.Me, put)
	countSide(&p.Opp, put)
	return true
}

// countSide puts six counts of a side: on the bar, in the opponent's home, blots, points made at home,
// borne off, and the rearmost checker.
func countSide(c *board.Checkers, put func(float32)) {
	back, blots, home := 0, 0, 0
	for i, n := range c[:board.Bar] {
		if i >= 18 {
			back += int(n)
		}
		if n == 1 {
			blots++
		}
		if i < 6 && n >= 2 {
			home++
		}
	}
	put(float32(c[board.Bar]) / 2)
	put(float32(back) / 4)
	put(float32(blots) / 4)
	put(float32(home) / 6)
	put(float32(board.MaxCheckers-c.Count()) / 8)
	put(float32(c.Rearmost()) / 24)
}

// Output returns the head's output for in and, unless hidden is nil, the hidden units.
func (n *EfficiencyNet) Output(head int, in *[EfficiencyInputs]float32, hidden *[EfficiencyHidden]float32) float64 {
	out := n.B2[head]
	for j := range n.W1 {
		h := n.B1[j]
		for i, w := range n.W1[j] {
			h += float32(w * in[i]) // the conversion keeps every processor from fusing
		}
		h = max(h, 0)
		if hidden != nil {
			hidden[j] = h
		}
		out += float32(h * n.W2[head][j])
	}
	return float64(out)
}

// Of returns the efficiency at spot s for the player on roll in p with chances pr; usual is what it
// is without the net, and what it stays where the net has nothing to say.
func (n *EfficiencyNet) Of(l *Ladder, p *board.Position, pr *eval.Probs, s Spot, usual float64) float64 {
	var in [EfficiencyInputs]float32
	if class := eval.ClassOf(p); class < eval.Crashed || !l.EfficiencyInputs(p, pr, s, &in) {
		return usual
	}
	head := l.Head(s)
	return ClampEfficiency(head, usual+n.Output(head, &in, nil))
}

// ErrEfficiencyNet means a damaged file of an EfficiencyNet.
var ErrEfficiencyNet = errors.New("bad cube efficiency net")

// Weights lists every weight in the order of the file.
func (n *EfficiencyNet) Weights() (out []*float32) {
	for j := range n.W1 {
		for i := range n.W1[j] {
			out = append(out, &n.W1[j][i])
		}
	}
	for j := range n.B1 {
		out = append(out, &n.B1[j])
	}
	for h := range n.W2 {
		for j := range n.W2[h] {
			out = append(out, &n.W2[h][j])
		}
	}
	for h := range n.B2 {
		out = append(out, &n.B2[h])
	}
	return out
}

// Append writes the net as little-endian float32.
func (n *EfficiencyNet) Append(b []byte) []byte {
	for _, w := range n.Weights() {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(*w))
	}
	return b
}

// ParseEfficiencyNet reads what Append wrote. The error wraps ErrEfficiencyNet.
func ParseEfficiencyNet(b []byte) (*EfficiencyNet, error) {
	const weights = EfficiencyHidden*(EfficiencyInputs+1) + EfficiencyHeads*(EfficiencyHidden+1)
	if len(b) != 4*weights {
		return nil, fmt.Errorf("%w: %d bytes instead of %d", ErrEfficiencyNet, len(b), 4*weights)
	}
	n, sound := &EfficiencyNet{}, true
	for i, w := range n.Weights() {
		*w = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		sound = sound && math.Abs(float64(*w)) < 1000
	}
	if !sound {
		return nil, fmt.Errorf("%w: a weight is not a number below 1000", ErrEfficiencyNet)
	}
	return n, nil
}
