package explain

import (
	"context"
	"math"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/race"
)

// doubt is the distance between take and pass in EMG up to which Woolsey's law speaks.
const doubt = 0.05

// Cube explains the cube action of d in s, nil where the cube cannot be turned: to the doubler, or to the taker
// where s waits for his answer. The rolls are valued at 0 plies. Errors are those of the search.
func Cube(ctx context.Context, e *engine.Engine, s match.Situation, d cube.Decision) (*Reason, error) {
	s.State = s.State.Normal()
	if !d.Available() || d.Dead || e.Rules().Result(&s.Position) != 0 {
		return nil, nil
	}
	w, err := advice.WindowsOf(e.Table(), s, d.Probs)
	if err != nil {
		return nil, err
	}
	win, last := float64(d.Probs[eval.Win]), s.State // the cube for which gammons count
	if s.Doubled || d.Action.Double() {
		last = last.Doubled()
	}
	c := &action{Reason: &Reason{cube: true, taker: s.Doubled}, s: &s, d: &d, w: w, win: win, need: 1 - w.Practical.Cash,
		gammons: float64(d.Probs[eval.WinGammon]) / max(win, 1e-6), price: 2 * e.Table().GammonPrice(last).WinGammon}
	if s.Doubled {
		c.answer()
		return c.Reason, nil
	}
	after, err := values(ctx, e, s.Position, s.State)
	if err != nil {
		return nil, err
	}
	c.double(after)
	return c.Reason, nil
}

// action is a cube action with its chances.
type action struct {
	*Reason
	s *match.Situation
	d *cube.Decision
	w *advice.Windows
	// The chance of the player on roll, the share of gammons in it, and the chance that a take needs.
	win, gammons, need float64
	price              float64 // what a gammon adds to a win with the cube as it then is; 1 in money play
}

func (c *action) add(ok bool, k Kind, a, b float64) {
	if ok {
		c.Facts = append(c.Facts, Fact{Kind: k, For: 1, Figures: [2]float64{a, b}})
	}
}

// inside reports whether a chance is in doubt.
func inside(x float64) bool { return x > 0.005 && x < 0.995 }

// rate adds the share of gammons where they count.
func (c *action) rate(ok bool) {
	c.add(ok && c.gammons >= 0.2 && c.price > 0.1, GammonRate, c.gammons, 0)
}

// answer adds what the taker asks for.
func (c *action) answer() {
	take := c.d.Action.Take()
	c.add(inside(c.need) && (1-c.win >= c.need) == take, TakePoint, 1-c.win, c.need)
	c.rate(true)
	c.add(true, Answer, -c.d.DoubleTake, -c.d.DoublePass)
	c.taken(take)
	c.rule()
}

// double adds what the doubler asks for, with the equities after his rolls.
func (c *action) double(after [len(board.Rolls)]float64) {
	var losers throws
	mean, square := 0.0, 0.0
	for i, v := range after {
		weight := float64(board.Rolls[i].Weight) / 36
		if mean, square = mean+weight*v, square+weight*v*v; v >= 1 {
			losers |= throws(1) << i
		}
	}
	d, from, lose := c.d, c.w.Practical.Double, 1-c.win
	turn, pass := d.Action.Double(), d.Action == cube.DoublePass
	good := d.Action == cube.TooGoodPass || d.Action == cube.TooGoodTake
	c.add(good, TooGood, d.NoDouble, d.DoublePass)
	c.add(pass && inside(c.need) && lose < c.need, TakePoint, lose, c.need)
	if n := losers.of36(); turn && !pass && n > 0 || !turn && !good && n <= 9 {
		c.Facts = append(c.Facts, Fact{Kind: Market, For: 1, Figures: [2]float64{n}, Rolls: [2][]board.Dice{losers.dice()}})
	}
	c.add(!good && !pass && inside(from) && (c.win >= from) == turn, Window, c.win, from)
	c.add(turn && !pass && inside(c.need) && lose >= c.need, TakePoint, lose, c.need)
	c.rate(turn || good)
	c.rule()
	c.add(turn && math.Abs(d.DoubleTake-d.DoublePass) <= doubt, Woolsey, d.DoubleTake, d.DoublePass)
	c.taken(d.Action.Take())
	c.add(true, Volatility, math.Sqrt(max(0, square-mean*mean)), 0)
}

// taken adds what a right take makes of the cube, and what the score makes of gammons.
func (c *action) taken(take bool) {
	last, dead := c.s.State.Doubled().Swap().DeadCube(), 1-c.w.Dead.Cash
	c.add(take && last, LastCube, 0, 0)
	c.add(take && !last && inside(dead) && inside(c.need) && dead-c.need > 0.005, Recube, dead, c.need)
	c.add(c.s.State.Length > 0 && c.gammons >= 0.1 && math.Abs(c.price-1) > 0.15, Price, c.price, 0)
}

// rule adds the rules of thumb of races that agree with the decision.
func (c *action) rule() {
	s, d := c.s, c.d
	if s.Position.Contact() || s.State.Length > 0 {
		return
	}
	agrees := func(double, redouble, take bool) bool {
		turn := double
		if d.Redouble {
			turn = redouble
		}
		return turn == d.Action.Double() && take == d.Action.Take()
	}
	me, opp := s.Position.Me.Pips(), s.Position.Opp.Pips()
	lead := float64(opp-me) / max(float64(me), 1)
	c.add(me >= 50 && agrees(lead >= 0.08, lead >= 0.09, lead <= 0.12), Percent, 100*lead, 0) // Robertie's rule is of races of that length
	k := race.KleinmanMetric(me, opp)
	c.add(k > 0 && agrees(k >= 0.44, k >= 0.55, k <= 1.2), Kleinman, k, 0)
	t := race.Thorp(&s.Position)
	c.add(agrees(t.Double, t.Redouble, t.Take), Thorp, t.Me, t.Opp)
}
