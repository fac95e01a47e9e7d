package cube

import (
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
