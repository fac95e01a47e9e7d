package race

import (
	"math"

	"fibsbot/engine/board"
)

// Count is the result of one of the formulas by which players judge a race at the table.
type Count struct {
	// Me and Opp are the adjusted pip counts of the player on roll and the opponent.
	Me  float64 `json:"me"`
	Opp float64 `json:"opponent"`
	// Double is the formula's advice with a centred cube, Redouble with an own one.
	Double   bool `json:"double"`
	Redouble bool `json:"redouble"`
	Take     bool `json:"take"`
}

// Kleinman returns the chance of the player on roll to win a race of the given
// pip counts: 1/2 + erf((D+4) / (2*sqrt(S-4))) / 2 with D the lead of the player
// on roll and S the sum of both counts (Danny Kleinman's metric). It treats the
// race as two sums of many rolls and knows nothing of wastage.
func Kleinman(me, opp int) float64 {
	s := float64(me+opp) - 4
	d := float64(opp-me) + 4
	if s <= 0 {
		if d > 0 {
			return 1
		}
		return 0
	}
	return (1 + math.Erf(d/(2*math.Sqrt(s)))) / 2
}

// KleinmanMetric returns K = (D+4)^2/(S-4): double from 0.44 on, redouble from
// 0.55 on, pass above 1.2. It is 0 when the player on roll is behind by more
// than half a roll.
func KleinmanMetric(me, opp int) float64 {
	s := float64(me+opp) - 4
	d := float64(opp-me) + 4
	if s <= 0 || d <= 0 {
		return 0
	}
	return d * d / s
}

// Thorp returns Edward Thorp's count: pips, plus 2 for each checker on the
// board, plus 1 for each checker on the ace point, minus 1 for each home point
// held; a player on roll with more than 30 adds a tenth. Double when that is at
// most 2 more than the opponent's count, redouble at most 1 more; the opponent
// takes unless it is more than 2 less.
func Thorp(p *board.Position) Count {
	count := func(c *board.Checkers) float64 {
		t := c.Pips() + 2*c.Count() + int(c[0])
		for i := range 6 {
			if c[i] > 0 {
				t--
			}
		}
		return float64(t)
	}
	r := Count{Me: count(&p.Me), Opp: count(&p.Opp)}
	if r.Me > 30 {
		r.Me *= 1.1
	}
	d := r.Me - r.Opp
	r.Double, r.Redouble, r.Take = d <= 2, d <= 1, d >= -2
	return r
}

// Keith returns Tom Keith's count: pips, plus 2 for each checker more than one
// on the ace point, 1 for each more than one on the deuce, 1 for each more than
// three on the 3 point, and 1 for each empty 4, 5 and 6 point; the player on
// roll then adds a seventh. Double when that exceeds the
// opponent's count by at most 4, redouble by at most 3; the opponent takes when
// it exceeds his by at least 2.
func Keith(p *board.Position) Count {
	count := func(c *board.Checkers) float64 {
		t := c.Pips() + 2*max(int(c[0])-1, 0) + max(int(c[1])-1, 0) + max(int(c[2])-3, 0)
		for i := 3; i < 6; i++ {
			if c[i] == 0 {
				t++
			}
		}
		return float64(t)
	}
	r := Count{Me: count(&p.Me), Opp: count(&p.Opp)}
	r.Me *= 8.0 / 7
	d := r.Me - r.Opp
	r.Double, r.Redouble, r.Take = d <= 4, d <= 3, d >= 2
	return r
}

// Ward returns Jeff Ward's count (The Doubling Cube in Backgammon, 1982): pips,
// plus 2 for each checker more than two on the ace point, 1 for each more than
// two on the deuce, 2 for each checker more on the board than the other side
// has, 1/2 for each more outside the home board, minus 1 for each home point
// more than the other side holds; the player on roll then adds a tenth.
// Redouble when that is at most 1 more than the opponent's count, double when at
// most 2 more. The opponent takes when his count is at most 4 more, in races of
// 100 pips and longer, down to 2 more in races of 50 and shorter.
func Ward(p *board.Position) Count {
	count := func(c, other *board.Checkers) float64 {
		t := c.Pips() + 2*max(int(c[0])-2, 0) + max(int(c[1])-2, 0) +
			2*max(c.Count()-other.Count(), 0) - max(held(c)-held(other), 0)
		return float64(t) + float64(max(outside(c)-outside(other), 0))/2
	}
	r := Count{Me: 1.1 * count(&p.Me, &p.Opp), Opp: count(&p.Opp, &p.Me)}
	d := r.Me - r.Opp
	length := float64(p.Me.Pips()+p.Opp.Pips()) / 2
	r.Double, r.Redouble, r.Take = d <= 2, d <= 1, -d <= min(max(length/25, 2), 4)
	return r
}

// Isight returns Axel Reichert's count (Improved Cube Handling in Races: Insights with
// Isight, 2014): pips, plus 1 for each checker more on the board than the other side has,
// 2 for each checker more than two on the ace point, 1 for each more than two on the deuce,
// 1 for each more than three on the 3 point, 1 for each empty 4, 5 or 6 point that the other
// side holds, and 1 for each crossover into the home board more than the other side needs;
// the player on roll then adds a sixth. Double when that exceeds the opponent's count by at
// most 6, redouble by at most 5; the opponent takes when it exceeds theirs by at least 2.
func Isight(p *board.Position) Count {
	count := func(c, other *board.Checkers) float64 {
		t := c.Pips() + max(c.Count()-other.Count(), 0) + max(crossovers(c)-crossovers(other), 0) +
			2*max(int(c[0])-2, 0) + max(int(c[1])-2, 0) + max(int(c[2])-3, 0)
		for i := 3; i < 6; i++ {
			if c[i] == 0 && other[i] > 0 {
				t++
			}
		}
		return float64(t)
	}
	r := Count{Me: count(&p.Me, &p.Opp) * 7 / 6, Opp: count(&p.Opp, &p.Me)}
	d := r.Me - r.Opp
	r.Double, r.Redouble, r.Take = d <= 6, d <= 5, d >= 2
	return r
}

// crossovers counts the quarters of the board that the checkers have to cross to be home.
func crossovers(c *board.Checkers) (n int) {
	for i, v := range c {
		n += i / 6 * int(v)
	}
	return n
}

func outside(c *board.Checkers) (n int) {
	for _, v := range c[6:] {
		n += int(v)
	}
	return n
}

// held counts the home points with a checker.
func held(c *board.Checkers) (n int) {
	for i := range 6 {
		if c[i] > 0 {
			n++
		}
	}
	return n
}
