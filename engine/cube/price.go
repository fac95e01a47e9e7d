package cube

import (
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

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
