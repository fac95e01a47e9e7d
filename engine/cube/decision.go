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

// price prepares the ladders of all prices for a rule under which they follow from
// the position.
func (l *Ladder) price(r match.DropRule) {
	l.priced = nil
	if r != match.DropByPosition {
		return
	}
	var all [3][3]Ladder
	for mine := range all {
		for theirs := range all[mine] {
			one := *l
			one.mine, one.theirs = mine, theirs
			all[mine][theirs] = one
		}
	}
	l.priced = &all
}

// Priced reports whether what giving up costs follows from the position: then [Ladder.For]
// has to be asked before Pass, Values and Settle.
func (l *Ladder) Priced() bool { return l.priced != nil }

// For is the ladder at a position of its player, with what either side pays for giving
// up there: l itself under the usual rule.
func (l *Ladder) For(p *board.Position) *Ladder {
	if l.priced == nil {
		return l
	}
	return &l.priced[match.DropByPosition.Level(&p.Me)-1][match.DropByPosition.Level(&p.Opp)-1]
}

// Surrender is the utility of giving up at spot s.
func (l *Ladder) Surrender(s Spot) float64 { return l.lose[s.Rung][l.mine] }

// pricedMoneyValues is moneyValues with other prices than a single game. With C what
// the opponent pays and T what the player pays, both in times of the cube, the live
// take point is a times the cash point and the distances from certain victory are b
// apart:
//
//	take = a cash,       a = (lost - T/2) / (lost + C)
//	1-cash = b (1-take), b = (won - C/2) / (won + T)
//
// which is Janowski's take point for C = T = 1 ("Take-points in money games", 1993,
// the fully live cube). Where a or b is negative, no one ever passes on that side.
func (l *Ladder) pricedMoneyValues(pr *eval.Probs, x float64, spots []Spot, out []float64) {
	p := float64(pr[eval.Win])
	won, lost := 1.0, 1.0
	if p > 0 {
		won = 1 + float64(pr[eval.WinGammon]+pr[eval.WinBackgammon])/p
	}
	if p < 1 {
		lost = 1 + float64(pr[eval.LoseGammon]+pr[eval.LoseBackgammon])/(1-p)
	}
	for i, s := range spots {
		top, bottom := won, lost
		if l.gammonless(s) {
			top, bottom = 1, 1
		}
		dead := p*top - (1-p)*bottom
		cashed, dropped := float64(1+l.theirs), float64(1+l.mine)
		a, b := (lost-dropped/2)/(lost+cashed), (won-cashed/2)/(won+dropped)
		// A price above a single game can make even a certain win worth doubling.
		doubledTop, doubledBottom := max(top, min(2*won, cashed)), max(bottom, min(2*lost, dropped))
		if b < 0 {
			b, cashed = 0, doubledTop
		}
		if a < 0 {
			a, dropped = 0, doubledBottom
		}
		cash := (1 - b) / (1 - a*b)
		take := a * cash
		var live float64
		switch {
		case s.Owner != match.Mine && p <= take && take > 0:
			live = line(0, -doubledBottom, take, -dropped, p)
		case s.Owner == match.Theirs:
			live = line(take, -dropped, 1, top, p)
		case p >= cash:
			live = line(cash, cashed, 1, doubledTop, p)
		case s.Owner == match.Mine:
			live = line(0, -bottom, cash, cashed, p)
		default:
			live = line(take, -dropped, cash, cashed, p)
		}
		out[i] = l.win[s.Rung][0] * (x*live + (1-x)*dead)
	}
}

// Window holds the game winning chances of the player on roll at which the right cube action
// changes, for fixed shares of gammons among games won and lost. At 0 and 1 the action never
// changes.
type Window struct {
	// Take is the least chance with which the player on roll takes a double of the present
	// cube. From Double on they double, from Cash on the opponent passes, from TooGood on they
	// play on for the gammon.
	Take    float64 `json:"take"`
	Double  float64 `json:"double"`
	Cash    float64 `json:"cash"`
	TooGood float64 `json:"too_good"`
	// Beaver is the chance below which the opponent beavers a double and from which a raccoon
	// answers the beaver: both depend on who is ahead with the doubled cube on the taker's
	// side. 0 if beavers are not allowed.
	Beaver float64 `json:"beaver,omitempty"`
}

// Windows returns the window at state s for positions with the gammon shares of
// pr and cube efficiency x. x 0 gives the dead, 1 the live cube's. Where the price of a pass
// follows from the position it is that of p. The error wraps match.ErrScore.
func Windows(t *match.Table, s match.State, p *board.Position, pr eval.Probs, x float64) (Window, error) {
	l, err := NewLadder(t, s)
	if err != nil {
		return Window{}, err
	}
	l = l.For(p)
	var in split
	in.of(&pr)
	won, lost := &in.won, &in.lost
	at := func(p float64) eval.Probs {
		return eval.Probs{
			float32(p), float32(p * (won[1] + won[2])), float32(p * won[2]),
			float32((1 - p) * (lost[1] + lost[2])), float32((1 - p) * lost[2]),
		}
	}
	value := func(p float64, spot Spot) float64 {
		q, out := at(p), [1]float64{}
		l.Values(&q, x, []Spot{spot}, out[:])
		return out[0]
	}
	here, doubled := Spot{Owner: s.Owner}, Spot{Rung: 1, Owner: match.Theirs}
	var w Window
	// A taker owns the doubled cube afterwards.
	w.Take = cross(func(p float64) float64 {
		return value(p, Spot{Rung: 1, Owner: match.Mine}) - l.lose[0][l.mine]
	})
	if s.Owner == match.Theirs || !l.MayDouble(here) {
		w.Double, w.Cash, w.TooGood = 1, 1, 1
		return w, nil
	}
	taken := func(p float64) float64 { return value(p, doubled) }
	if s.Length == 0 && s.Beavers > 0 {
		w.Beaver = cross(taken)
		// Who is behind with the doubled cube on the taker's side is beavered, which
		// costs him as much again.
		taken = func(p float64) float64 {
			u := value(p, doubled)
			return min(u, 2*u)
		}
	}
	pass := l.Pass(here)
	w.Cash = cross(func(p float64) float64 { return value(p, doubled) - pass })
	w.TooGood = cross(func(p float64) float64 { return value(p, here) - pass })
	w.Double = cross(func(p float64) float64 {
		return min(taken(p), pass) - min(value(p, here), pass) + 1e-12
	})
	w.Double = min(w.Double, w.Cash)
	w.TooGood = max(w.TooGood, w.Cash)
	return w, nil
}

// cross finds where f, which rises through 0 once, does so; 0 or 1 when it is
// positive or negative throughout.
func cross(f func(float64) float64) float64 {
	lo, hi := 0.0, 1.0
	if f(hi) < 0 {
		return 1
	}
	if f(lo) >= 0 {
		return 0
	}
	for range 40 {
		mid := (lo + hi) / 2
		if f(mid) >= 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return (lo + hi) / 2
}
