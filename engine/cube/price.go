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
