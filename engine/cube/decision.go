package cube

import (
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Action is the advice about the cube, for both sides: what the player on roll
// should do and what the opponent should answer. Redoubles have the same
// actions; Decision.Redouble is true for them.
type Action uint8

// The actions. Beavers exist in money play only; an optional double is one that
// neither gains nor loses.
const (
	// NoAction: the player on roll may not turn the cube.
	NoAction           Action = iota
	NoDoubleTake              // roll; a double would be taken
	NoDoubleBeaver            // roll; a double would be beavered
	DoubleTake                // double, take
	DoubleBeaver              // double, beaver
	DoublePass                // double, pass
	TooGoodTake               // too good to double, and yet a double would be taken
	TooGoodPass               // too good to double; a double would be passed
	OptionalDoubleTake        // as good as rolling; take
	OptionalDoublePass        // as good as rolling; pass
)

var actionNames = [...]string{
	"", "no_double_take", "no_double_beaver", "double_take", "double_beaver", "double_pass",
	"too_good_take", "too_good_pass", "optional_double_take", "optional_double_pass",
}

// String returns the action's name as in the JSON output, empty for NoAction.
func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return ""
}

// Double reports whether turning the cube now is right. An optional double is not
// made: nothing is gained, and a wrong take is one more chance for the opponent.
func (a Action) Double() bool { return a == DoubleTake || a == DoublePass || a == DoubleBeaver }

// Take reports whether the opponent should take if doubled now.
func (a Action) Take() bool {
	switch a {
	case DoublePass, TooGoodPass, OptionalDoublePass:
		return false
	}
	return true
}

// Beaver reports whether the opponent should redouble at once and keep the cube.
func (a Action) Beaver() bool { return a == NoDoubleBeaver || a == DoubleBeaver }

// borderline is how near two equities must be to count as equal.
const borderline = 1e-7

// Decision is everything about the cube before a roll. Equities are normalised
// (EMG): points per present cube in money play, in matches +1 is winning and -1
// losing the game singly at the present cube. They are those of the player on
// roll.
type Decision struct {
	// NoDouble is the equity of rolling with the cube as it is, DoubleTake and
	// DoublePass of the double taken and refused. DoubleTake is that of a plain
	// take even where a beaver is better.
	NoDouble, DoubleTake, DoublePass float64
	// MWC holds the three as match winning chances; zeros in money play.
	MWC [3]float64
	// Action is the advice, NoAction when the cube cannot be turned.
	Action Action
	// Redouble: the player on roll owns the cube. Dead: turning it can gain
	// nothing, the present cube already wins the match. Free: it risks nothing, the present
	// cube already wins the match for the opponent.
	Redouble, Dead, Free bool
	// Probs are the cubeless chances the decision rests on, Cubeless their
	// equity, gammons counted (Ladder.Plain), and Cubeful the equity with best cube action by both sides.
	Probs             eval.Probs
	Cubeless, Cubeful float64
	// Plies is the depth of the search, Trials the number of games of each of the
	// first two equities where they were rolled out, StdErr their standard errors then.
	Plies, Trials int
	StdErr        [2]float64
}

// Available reports whether the player on roll may turn the cube at all.
func (d *Decision) Available() bool { return d.Action != NoAction }

// Settle builds the decision of the player on roll at p in state s from utilities: noDouble and
// doubleTake from a search, with chances pr. l is that of t and s, nil to have it made; t may be
// nil in money play. p counts only where the price of a pass follows from the position. Without a ladder, which a state that cannot be and a match without a
// table do not have, there is no decision: its Action is NoAction, its equities are 0.
func Settle(t *match.Table, s match.State, l *Ladder, p *board.Position, pr eval.Probs, noDouble, doubleTake float64) Decision {
	if l == nil {
		var err error
		if l, err = NewLadder(t, s); err != nil {
			return Decision{Probs: pr}
		}
	}
	if t == nil && s.Length > 0 {
		return Decision{Probs: pr}
	}
	here := Spot{Owner: s.Owner}
	d := Decision{Probs: pr, Redouble: s.Owner == match.Mine, Free: s.Swap().DeadCube()}
	pass := l.For(p).Pass(here)
	emg := func(u float64) float64 {
		if s.Length == 0 {
			return u
		}
		return t.EMG(s, (u+1)/2)
	}
	d.NoDouble, d.DoubleTake, d.DoublePass = emg(noDouble), emg(doubleTake), emg(pass)
	d.Cubeless = emg(l.Plain(&pr))
	if s.Length > 0 {
		d.MWC = [3]float64{(noDouble + 1) / 2, (doubleTake + 1) / 2, (pass + 1) / 2}
	}
	if s.Owner == match.Theirs || s.Crawford {
		d.Cubeful = d.NoDouble
		return d
	}
	d.Dead = !l.MayDouble(here)
	d.Action = advise(d.NoDouble, d.DoubleTake, d.DoublePass, s, d.Dead)
	d.Cubeful = d.NoDouble
	if d.Action.Double() {
		d.Cubeful = min(taken(d.DoubleTake, s), d.DoublePass)
	}
	return d
}

// taken is the doubler's equity after a double is accepted in the way that is
// best for the opponent: where beavers are allowed and the double was worth less
// than nothing, the stake is doubled again.
func taken(doubleTake float64, s match.State) float64 {
	if s.Length == 0 && s.Beavers > 0 && doubleTake < 0 {
		return 2 * doubleTake
	}
	return doubleTake
}

func advise(nd, dt, dp float64, s match.State, dead bool) Action {
	// Below -2 the taker wins so much that the advice is simply not to double.
	beaver := s.Length == 0 && s.Beavers > 0 && dt < 0 && dt >= -2-borderline
	worth := min(taken(dt, s), dp)
	switch {
	case dead:
		return NoDoubleTake
	case math.Abs(worth-nd) < borderline:
		switch {
		case dt > dp:
			return OptionalDoublePass
		case beaver:
			return NoDoubleBeaver
		}
		return OptionalDoubleTake
	case worth > nd:
		switch {
		case dt > dp:
			return DoublePass
		case beaver:
			return DoubleBeaver
		}
		return DoubleTake
	case nd > dp:
		if dt > dp {
			return TooGoodPass
		}
		return TooGoodTake
	case beaver:
		return NoDoubleBeaver
	}
	return NoDoubleTake
}

// Raccoon reports whether the doubler, just beavered, should turn the cube once
// more (money play, where the game allows it): he still thinks the double was
// right.
func (d *Decision) Raccoon(s match.State) bool {
	return s.Length == 0 && s.Beavers > 1 && d.DoubleTake > 0
}

// Beavered is the doubler's equity after a beaver; ok is false where the opponent would not
// beaver a double.
func (d *Decision) Beavered() (equity float64, ok bool) {
	return 2 * d.DoubleTake, d.Action.Beaver()
}

// Bluff returns the share of wrong answers that would make the wrong action
// right: of wrong passes for "no double, take" and "no double, beaver", of wrong takes for
// "too good, pass". ok is false for every other action.
func (d *Decision) Bluff() (share float64, ok bool) {
	switch d.Action {
	case NoDoubleTake, NoDoubleBeaver:
		answered := d.DoubleTake
		if v, ok := d.Beavered(); ok {
			answered = v
		}
		if gain := d.DoublePass - answered; gain > 0 && !d.Dead {
			return max(0, min(1, (d.NoDouble-answered)/gain)), true
		}
	case TooGoodPass:
		if gain := d.DoubleTake - d.DoublePass; gain > 0 {
			return min(1, (d.NoDouble-d.DoublePass)/gain), true
		}
	}
	return 0, false
}
