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

// Cube explains the cube action of d in s, nil where the cube cannot be turned. The rolls are valued at 0
// plies. Errors are those of the search.
func Cube(ctx context.Context, e *engine.Engine, s match.Situation, d cube.Decision) (*Reason, error) {
	s.State = s.State.Normal()
	if !d.Available() || d.Dead || e.Rules().Result(&s.Position) != 0 {
		return nil, nil
	}
	r := &Reason{cube: true}
	add := func(ok bool, k Kind, a, b float64) {
		if ok {
			r.Facts = append(r.Facts, Fact{Kind: k, For: 1, Figures: [2]float64{a, b}})
		}
	}
	after, err := values(ctx, e, s.Position, s.State)
	if err != nil {
		return nil, err
	}
	w, err := advice.WindowsOf(e.Table(), s, d.Probs)
	if err != nil {
		return nil, err
	}
	var losers throws
	mean, square := 0.0, 0.0
	for i, v := range after {
		weight := float64(board.Rolls[i].Weight) / 36
		if mean, square = mean+weight*v, square+weight*v*v; v >= 1 {
			losers |= throws(1) << i
		}
	}
	win, lose := float64(d.Probs[eval.Win]), 1-float64(d.Probs[eval.Win])
	need, turn, pass := 1-w.Practical.Cash, d.Action.Double(), d.Action == cube.DoublePass
	good := d.Action == cube.TooGoodPass || d.Action == cube.TooGoodTake
	inside := func(x float64) bool { return x > 0.005 && x < 0.995 }
	add(good, TooGood, d.NoDouble, d.DoublePass)
	add(pass && inside(need) && lose < need, TakePoint, lose, need)
	if n := losers.of36(); turn && !pass && n > 0 || !turn && !good && n <= 9 {
		r.Facts = append(r.Facts, Fact{Kind: Market, For: 1, Figures: [2]float64{n}, Rolls: [2][]board.Dice{losers.dice()}})
	}
	add(!turn && !good && inside(w.Practical.Double) && win < w.Practical.Double, Window, win, w.Practical.Double)
	add(turn && !pass && inside(w.Practical.Double) && win >= w.Practical.Double, Window, win, w.Practical.Double)
	add(turn && !pass && inside(need) && lose >= need, TakePoint, lose, need)
	share := float64(d.Probs[eval.WinGammon]) / max(win, 1e-6)
	add(share >= 0.2 && (turn || good), GammonRate, share, 0)
	rule(r, &s, d)
	add(turn && math.Abs(d.DoubleTake-d.DoublePass) <= doubt, Woolsey, d.DoubleTake, d.DoublePass)
	dead := 1 - w.Dead.Cash
	last := s.State.Doubled().Swap()
	add(d.Action.Take() && last.DeadCube(), LastCube, 0, 0)
	add(d.Action.Take() && !last.DeadCube() && inside(dead) && inside(need) && dead-need > 0.005, Recube, dead, need)
	if price := 2 * e.Table().GammonPrice(s.State).WinGammon; s.State.Length > 0 && share >= 0.1 && math.Abs(price-1) > 0.15 {
		add(true, Price, price, 0)
	}
	add(true, Volatility, math.Sqrt(max(0, square-mean*mean)), 0)
	return r, nil
}

// rule adds the rules of thumb of races that agree with the decision.
func rule(r *Reason, s *match.Situation, d cube.Decision) {
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
	if me >= 50 { // Robertie's rule, for races of that length
		lead := float64(opp-me) / float64(me)
		if agrees(lead >= 0.08, lead >= 0.09, lead <= 0.12) {
			r.Facts = append(r.Facts, Fact{Kind: Percent, For: 1, Figures: [2]float64{100 * lead}})
		}
	}
	if k := race.KleinmanMetric(me, opp); k > 0 && agrees(k >= 0.44, k >= 0.55, k <= 1.2) {
		r.Facts = append(r.Facts, Fact{Kind: Kleinman, For: 1, Figures: [2]float64{k}})
	}
	if t := race.Thorp(&s.Position); agrees(t.Double, t.Redouble, t.Take) {
		r.Facts = append(r.Facts, Fact{Kind: Thorp, For: 1, Figures: [2]float64{t.Me, t.Opp}})
	}
}
