package bearoff

import "fibsbot/engine/board"

// Best is the answer of BestPlay.
type Best struct {
	Play board.Play
	Win  float64 // chance to win the race after it
	// Quick is the play with the smallest mean number of rolls, and its chance.
	Quick    board.Play
	QuickWin float64
}

// BestPlay returns the play of a race that wins most often against the
// opponent's distribution of rolls, and beside it the one that needs the fewest
// rolls on average. They differ when one side is far behind: then a play that
// is slower on average but leaves more doubles that work wins more often. The
// chance counts the plays after this one as quick ones. Equal chances to win are
// told apart by the chance to save the gammon. ok is false when a position is
// outside the database or no play is legal.
func (o *OneSided) BestPlay(p *board.Position, d board.Dice) (b Best, ok bool) {
	opp, found := o.find(&p.Opp)
	if !found || p.Contact() {
		return b, false
	}
	mean, lose := 0.0, 0.0
	for i, pl := range board.AppendPlays(nil, *p, d) {
		me, found := o.find(&pl.Result.Me)
		if !found {
			return b, false
		}
		win, gammon := 1.0, 0.0
		if pl.Result.Me.Count() > 0 {
			win = 1 - noLater(opp.off, me.off, 0)
			if me.first.start > 0 {
				gammon = noLater(opp.off, me.first, 0)
			}
		}
		if i == 0 || win > b.Win || win == b.Win && gammon < lose {
			b.Play, b.Win, lose = pl, win, gammon
		}
		if i == 0 || float64(me.mean) < mean {
			b.Quick, b.QuickWin, mean = pl, win, float64(me.mean)
		}
		ok = true
	}
	return b, ok
}
