package rollout

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// The interval of two standard errors must hold the truth about 95 times in a
// hundred. Where the outcome hangs on the first three rolls and nothing reduces the
// variance it may do so more often, because only the balance of the first roll is
// counted, but less often than with a standard error that counts none.
func TestStandardError_coversTheTruth(t *testing.T) {
	testsize.Large(t)
	needsDatabases(t)
	p := bearoffPositions[1]
	truth, _ := source().Equities(&p)
	perfect, warped := options(t, known{}, exact{}), options(t, skewed{}, nil)
	for _, c := range []struct {
		name         string
		o            Options
		vr, plain    bool
		least, most  int     // of 150 runs; 95 % is 142.5 +- 2.7
		small, large float64 // claimed standard error against the one seen
	}{
		{"balanced dice", perfect, false, false, 142, 150, 1, 1.6},
		{"plain dice", perfect, false, true, 135, 149, 0.87, 1.15},
		{"poor variance reduction", warped, true, false, 142, 150, 1, 1.8},
	} {
		const runs = 150
		held := 0
		var sum, squares, variances, unaware float64
		for seed := range uint64(runs) {
			s := playToTheEnd(180)
			s.Seed, s.VarianceReduction, s.Cubeful, s.PlainDice, s.Threads = seed, c.vr, false, c.plain, 1
			j := job(t, c.o, p, match.Money(false, 0), s)
			j.AddPosition("x")
			if err := j.Run(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			r := j.Results()[0]
			sums := &j.arms[0].sums
			off := r.Cubeless - truth.Cubeless
			if math.Abs(off) <= 1.96*float64(r.CubelessErr) {
				held++
			}
			sum += off
			squares += off * off
			variances += float64(r.CubelessErr) * float64(r.CubelessErr)
			unaware += math.Pow(standardError(sums.Trials, sums.Sum[outCubeless], sums.Squares[outCubeless], 0, nil, nil), 2)
		}
		seen, claimed, plainly := math.Sqrt(squares/runs), math.Sqrt(variances/runs), math.Sqrt(unaware/runs)
		t.Logf("%s: held %.1f %%, standard error claimed %.4f, seen %.4f, without regard to the balance %.4f, bias %+.4f",
			c.name, 100*float64(held)/runs, claimed, seen, plainly, sum/runs)
		if held < c.least || held > c.most {
			t.Errorf("%s: the interval held the truth %d times of %d", c.name, held, runs)
		}
		if ratio := claimed / seen; ratio < c.small || ratio > c.large {
			t.Errorf("%s: standard error claimed %.4f, seen %.4f", c.name, claimed, seen)
		}
		if !c.plain && claimed > plainly {
			t.Errorf("%s: standard error %.4f, more than without the balance, %.4f", c.name, claimed, plainly)
		}
	}
}

// skewed orders positions as known does, so it plays as well, but thinks too much
// of whoever is ahead: its estimates of luck are off.
type skewed struct{}

func (skewed) Eval(p *board.Position) eval.Probs {
	pr := known{}.Eval(p)
	w := pr[eval.Win]
	pr[eval.Win] = w + 3*w*(1-w)*(w-0.5)
	return pr
}

func (e skewed) EvalPlays(plays []board.Play, out []eval.Probs) {
	for i := range plays {
		q := plays[i].Result.Swap()
		out[i] = e.Eval(&q).Invert()
	}
}

// An arm that was given up and goes on because the rule was relaxed plays the
// trials that it missed, the others none a second time.
func TestRun_anArmGivenUpCatchesUp(t *testing.T) {
	testsize.Medium(t)
	testsize.Alone(t)
	o := steady(t)
	p := board.Position{Me: board.Checkers{4: 4, 5: 4}, Opp: board.Checkers{4: 3, 5: 4}}
	arms := func(s Settings) *Job {
		j := job(t, o, p, match.Money(false, 0), s)
		j.AddPosition("a")
		j.AddPosition("b")
		j.AddPosition("c")
		return j
	}
	s := playToTheEnd(1296)
	s.Trials = 3 * batch
	want := arms(s)
	if err := want.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	s.Trials = batch
	j := arms(s)
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	j.arms[1].sums.Stopped = true
	j.settings.Trials = 3 * batch
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if n := j.Results()[1].Trials; n != batch {
		t.Fatalf("the arm given up played %d trials", n)
	}
	j.arms[1].sums.Stopped = false
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for i, r := range j.Results() {
		if w := want.Results()[i]; r.Trials != w.Trials || r.Equity != w.Equity || float64(r.EquityErr) != float64(w.EquityErr) {
			t.Errorf("%s: %+v, played in one go %+v", r.Name, r, w)
		}
	}
}

// A rollout that is interrupted in the middle of a batch keeps the trials that are
// done and goes on as if it had never stopped.
func TestRun_interruptedKeepsWholeTrials(t *testing.T) {
	p := bearoffPositions[2]
	s := playToTheEnd(batch)
	s.Trials, s.Threads = batch, 2
	arms := func(o Options) *Job {
		j := job(t, o, p, match.Money(false, 0), s)
		j.AddPosition("a")
		j.AddPosition("b")
		return j
	}
	o := steady(t)
	want := arms(o)
	if err := want.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	evaluations := atomic.Int64{}
	counting := o
	counting.Evaluator = func() eval.Evaluator {
		return hooked{o.Evaluator(), func() {
			if evaluations.Add(1) == 150 {
				cancel()
			}
		}}
	}
	j := arms(counting)
	err := j.Run(ctx, nil)
	kept := j.Results()[0].Trials
	if !errors.Is(err, context.Canceled) || kept == 0 || kept >= batch || kept != j.Results()[1].Trials {
		t.Fatalf("%v: %d and %d trials kept", err, kept, j.Results()[1].Trials)
	}
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for i, r := range j.Results() {
		if w := want.Results()[i]; r != w {
			t.Errorf("%s: %+v, played in one go %+v", r.Name, r, w)
		}
	}
}

// hooked calls do at every evaluation.
type hooked struct {
	eval.Evaluator
	do func()
}

func (h hooked) Eval(p *board.Position) eval.Probs {
	h.do()
	return h.Evaluator.Eval(p)
}

// unmoved gives one set of chances for every position.
type unmoved eval.Probs

func (u unmoved) Eval(p *board.Position) eval.Probs { return eval.Probs(u) }

func (u unmoved) EvalPlays(plays []board.Play, out []eval.Probs) {
	for i := range plays {
		out[i] = eval.Probs(u)
	}
}

// Under the Jacoby rule a player who mostly loses, but wins gammons when he wins,
// doubles to let them count; where beavers are allowed that is answered by one.
// The cube is dead here: a live one is worth more in the middle.
func TestTrial_beavers(t *testing.T) {
	chances := eval.Probs{eval.Win: 0.33, eval.WinGammon: 0.325}
	o := options(t, unmoved(chances), nil)
	o.Efficiency = &cube.Efficiency{}
	for _, c := range []struct {
		name    string
		jacoby  bool
		beavers int
		owner   match.Owner
		want    turn
		stakes  float64
	}{
		{"Jacoby, no beavers", true, 0, match.Centred, turn{double: true, take: true}, 2},
		{"Jacoby, beavers", true, 1, match.Centred, turn{double: true, take: true, beaver: true}, 4},
		{"no Jacoby", false, 3, match.Centred, turn{take: true, beaver: true}, 0},
		{"own cube", true, 3, match.Mine, turn{take: true, beaver: true}, 0},
	} {
		st := match.Money(c.jacoby, c.beavers)
		st.Owner = c.owner
		j := job(t, o, board.Start, st, Default())
		g := &player{job: j, eval: unmoved(chances), ladders: j.ladders}
		pr := chances
		u, got := g.cubeful(&board.Start, &pr, j.ladders[0], cube.Spot{Owner: c.owner})
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if !got.double {
			continue
		}
		var taken [1]float64
		after := got.after(cube.Spot{Owner: c.owner})
		j.ladders[0].Values(&pr, j.options.Efficiency.Of(&board.Start), []cube.Spot{after}, taken[:])
		if u != taken[0] || j.ladders[0].Pass(after) != c.stakes {
			t.Errorf("%s: %v at stakes of %v, the cube says %v, want stakes of %v", c.name, u, j.ladders[0].Pass(after), taken[0], c.stakes)
		}
	}
}
