package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// pips is an evaluator simple enough to reason about: a logistic in the pip
// counts with some gammons. It is exact only when the game is over.
type pips struct{ calls *int }

func (e pips) Eval(p *board.Position) eval.Probs {
	if e.calls != nil {
		*e.calls++
	}
	if points := p.Result(); points != 0 {
		return eval.Outcome(points)
	}
	lead := float64(p.Opp.Pips() - p.Me.Pips() + 4 + 3*int(p.Opp[board.Bar]) - 3*int(p.Me[board.Bar]))
	w := 1 / (1 + math.Exp(-lead/12))
	g := 0.0
	if me, opp := p.Off(); me < 15 && opp == 0 {
		g = 0.3
	}
	return eval.Probs{float32(w), float32(w * g), 0, float32((1 - w) * g * 0.8), 0}
}

func (e pips) EvalPlays(plays []board.Play, out []eval.Probs) {
	for i := range plays {
		after := plays[i].Result.Swap()
		out[i] = e.Eval(&after).Invert()
	}
}

func testEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	if o.NewEvaluator == nil {
		o.NewEvaluator = func() Evaluator { return pips{} }
	}
	if o.Efficiency == nil { // without the net, so that plays and positions are valued alike at 0 plies
		usual := cube.UsualEfficiency
		o.Efficiency = &usual
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// position plays random legal plays from the start.
func position(r *rand.Rand, turns int) board.Position {
	p := board.Start
	for range turns {
		plays := board.AppendPlays(nil, p, randomDice(r))
		q := p
		if len(plays) > 0 {
			q = plays[r.IntN(len(plays))].Result
		}
		if q = q.Swap(); q.Result() != 0 {
			return p
		}
		p = q
	}
	return p
}

func randomDice(r *rand.Rand) board.Dice {
	return board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
}

var states = []match.State{
	match.Money(false, 0),
	match.Money(true, 0),
	{Cube: 2, Owner: match.Mine},
	{Cube: 2, Owner: match.Theirs},
	{Length: 7, Cube: 1},
	{Length: 7, Score: [2]int{2, 4}, Cube: 2, Owner: match.Mine},
	{Length: 5, Score: [2]int{4, 2}, Cube: 1, Crawford: true},
	{Length: 5, Score: [2]int{3, 4}, Cube: 1},
}

// brute is the definition of an n-ply cubeful value written down plainly: the
// utility for the player of l, on roll at p, of rolling with the cube at spot.
func brute(e *Engine, l *cube.Ladder, spot cube.Spot, p board.Position, plies int, w [2][6]float32, cubeful bool) float64 {
	if points := p.Result(); points != 0 {
		return l.Result(spot, points)
	}
	ev := pips{}
	if plies == 0 {
		pr := ev.Eval(&p)
		if !cubeful {
			return l.Cubeless(&pr, spot)
		}
		var out [1]float64
		l.Values(&pr, e.efficiency.Of(&p), []cube.Spot{spot}, out[:])
		return out[0]
	}
	other := l.Swap()
	sum := 0.0
	for _, roll := range board.Rolls {
		child := p
		best := float32(math.Inf(-1))
		for _, play := range board.AppendPlays(nil, p, roll.Dice) {
			out := [1]eval.Probs{}
			ev.EvalPlays([]board.Play{play}, out[:])
			if u := utility(&w[0], &out[0]); u > best {
				best, child = u, play.Result
			}
		}
		child = child.Swap()
		after := spot.Swap()
		swapped := [2][6]float32{w[1], w[0]}
		u := brute(e, other, after, child, plies-1, swapped, cubeful)
		if cubeful && other.MayDouble(after) {
			doubled := cube.Spot{Rung: after.Rung + 1, Owner: match.Theirs}
			u = max(u, min(brute(e, other, doubled, child, plies-1, swapped, cubeful), other.Pass(after)))
		}
		sum -= u * float64(roll.Weight) / 36
	}
	return sum
}

func TestCube_equalsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	e := testEngine(t, Options{})
	for _, st := range states {
		for _, turns := range []int{0, 12, 60} {
			p := position(r, turns)
			for plies := 0; plies <= 1; plies++ {
				checkBrute(t, e, st, p, plies)
			}
		}
	}
	// Two plies by brute force are slow: a few positions near the end, where
	// every kind of finish occurs.
	for _, st := range []match.State{states[0], states[5]} {
		p := board.Position{Me: board.Checkers{0: 1, 3: 2}, Opp: board.Checkers{0: 1, 2: 1, 5: 1}}
		checkBrute(t, e, st, p, 2)
		checkBrute(t, e, st, p, 3)
	}
}

func checkBrute(t *testing.T, e *Engine, st match.State, p board.Position, plies int) {
	t.Helper()
	d, err := e.Cube(context.Background(), p, st, Settings{Plies: plies})
	if err != nil {
		t.Fatal(err)
	}
	l, err := cube.NewLadder(e.table, st)
	if err != nil {
		t.Fatal(err)
	}
	here := cube.Spot{Owner: st.Owner}
	spots := []cube.Spot{here}
	if l.Legal(here) {
		spots = append(spots, cube.Spot{Rung: 1, Owner: match.Theirs})
	}
	w := [2][6]float32{replyWeights(l, spots, true), replyWeights(l.Swap(), []cube.Spot{here.Swap()}, true)}
	nd := brute(e, l, here, p, plies, w, true)
	dt := nd
	if len(spots) > 1 {
		dt = brute(e, l, spots[1], p, plies, w, true)
	}
	want := cube.Settle(e.table, st, l, &p, d.Probs, nd, dt)
	if math.Abs(want.NoDouble-d.NoDouble) > 1e-5 || math.Abs(want.DoubleTake-d.DoubleTake) > 1e-5 {
		t.Errorf("%s %+v %d plies: nd %.6f dt %.6f, brute force %.6f %.6f", p.ID(), st, plies, d.NoDouble, d.DoubleTake, want.NoDouble, want.DoubleTake)
	}
}

func TestPlays_equalsSearchOfEachPosition(t *testing.T) {
	e := testEngine(t, Options{})
	r := rand.New(rand.NewPCG(3, 4))
	for _, st := range states {
		p, dice := position(r, 10), randomDice(r)
		for plies := 0; plies <= 2; plies++ {
			s := Settings{Plies: plies, Cubeful: true, Filter: Tiny}
			list, err := e.Plays(context.Background(), p, dice, st, s)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range list {
				if i > 0 && (c.Plies > list[i-1].Plies || c.Plies == list[i-1].Plies && c.Equity > list[i-1].Equity) {
					t.Errorf("candidate %d (%d plies, %v) is ranked below %d plies, %v", i, c.Plies, c.Equity, list[i-1].Plies, list[i-1].Equity)
				}
				if i > 2 {
					continue
				}
				d, err := e.Cube(context.Background(), c.Play.Result.Swap(), st.Swap(), Settings{Plies: c.Plies})
				if err != nil {
					t.Fatal(err)
				}
				best := d.NoDouble
				if d.Available() && !d.Dead {
					best = max(best, min(d.DoubleTake, d.DoublePass))
				}
				if math.Abs(c.Equity+best) > 1e-4 {
					t.Errorf("%+v %d plies: play %v, opponent's best %v", st, c.Plies, c.Equity, best)
				}
			}
		}
	}
}

func TestResults_sameForAnyThreadsAndCache(t *testing.T) {
	testsize.Medium(t)
	var want []cube.Decision
	var plays [][]Candidate
	for i, o := range []Options{{Threads: 1, CacheBytes: -1}, {Threads: 1}, {Threads: 4}, {Threads: 3, CacheBytes: 1 << 20}} {
		e := testEngine(t, o)
		r := rand.New(rand.NewPCG(5, 6))
		for k := range 6 {
			p, dice, st := position(r, 8+k), randomDice(r), states[k]
			s := Settings{Plies: 2, Cubeful: true, Filter: Normal}
			if k == 2 {
				s.Noise, s.Seed = 0.03, 17
			}
			d, err := e.Cube(context.Background(), p, st, s)
			if err != nil {
				t.Fatal(err)
			}
			c, err := e.Plays(context.Background(), p, dice, st, s)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want, plays = append(want, d), append(plays, c)
				continue
			}
			if diff := cmp.Diff(want[k], d); diff != "" {
				t.Errorf("options %d, decision %d: %s", i, k, diff)
			}
			if diff := cmp.Diff(plays[k], c); diff != "" {
				t.Errorf("options %d, plays %d: %s", i, k, diff)
			}
		}
	}
}

func TestEvaluate_isADistributionAtEveryDepth(t *testing.T) {
	e := testEngine(t, Options{})
	r := rand.New(rand.NewPCG(13, 14))
	for k, st := range states {
		p := position(r, 5*k)
		for plies := 0; plies <= 2; plies++ {
			v, err := e.Evaluate(context.Background(), p, st, Settings{Plies: plies, Noise: 0.01 * float64(k%3)})
			if err != nil {
				t.Fatal(err)
			}
			checkValid(t, v.Probs)
			if same := math.Abs(v.Cubeful-v.Cubeless) < 1e-6; v.Plies != plies || same == (st.Length == 0 && st.Jacoby && st.Owner == match.Centred) {
				t.Errorf("%d plies: %+v", plies, v)
			}
			// Under the Jacoby rule too: what is called cubeless counts gammons.
			if st.Length == 0 && math.Abs(float64(v.Probs.Money())-v.Cubeless) > 1e-5 {
				t.Errorf("%d plies: chances say %v, equity %v", plies, v.Probs.Money(), v.Cubeless)
			}
		}
	}
}

func TestPlays_edges(t *testing.T) {
	e := testEngine(t, Options{})
	ctx := context.Background()
	money := match.Money(false, 0)
	closed := board.Position{
		Me:  board.Checkers{board.Bar: 1, 5: 4},
		Opp: board.Checkers{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 8: 3},
	}
	list, err := e.Plays(ctx, closed, board.Dice{A: 6, B: 5}, money, Settings{Plies: 2})
	if err != nil || len(list) != 0 {
		t.Errorf("closed out: %v, %v", list, err)
	}
	last := board.Position{Me: board.Checkers{0: 1}, Opp: board.Checkers{0: 15}}
	list, err = e.Plays(ctx, last, board.Dice{A: 2, B: 1}, money, Settings{Plies: 2, Cubeful: true, Filter: Normal})
	if err != nil || len(list) != 1 || list[0].Equity != 2 {
		t.Errorf("last checker wins a gammon: %+v, %v", list, err)
	}
	for name, call := range map[string]func() error{
		"16 checkers": func() error {
			_, err := e.Plays(ctx, board.Position{Me: board.Checkers{0: 16}}, board.Dice{A: 1, B: 2}, money, Settings{})
			return err
		},
		"cube 3": func() error {
			_, err := e.Cube(ctx, board.Start, match.State{Cube: 3}, Settings{})
			return err
		},
		"9 plies": func() error {
			_, err := e.Evaluate(ctx, board.Start, money, Settings{Plies: 9})
			return err
		},
		"noise": func() error {
			_, err := e.Evaluate(ctx, board.Start, money, Settings{Noise: math.NaN()})
			return err
		},
		"pruning with reduced rolls": func() error {
			_, err := e.Evaluate(ctx, board.Start, money, Settings{Reduced: 7, Prune: true})
			return err
		},
	} {
		err := call()
		if !errors.Is(err, ErrSettings) && !errors.Is(err, match.ErrScore) && !errors.Is(err, board.ErrIllegalPosition) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestPlays_singleSurvivorIsNotSearched(t *testing.T) {
	calls := 0
	e := testEngine(t, Options{Threads: 1, NewEvaluator: func() Evaluator { return pips{&calls} }})
	list, err := e.Plays(context.Background(), board.Start, board.Dice{A: 3, B: 1}, match.Money(false, 0),
		Settings{Plies: 2, Filter: Filter{Cuts: [MaxPlies][]Cut{1: {{Accept: 1}, Skip}}}})
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Plies != 0 || calls != len(list) {
		t.Errorf("%d evaluations for %d plays, depth %d", calls, len(list), list[0].Plies)
	}
}

func TestBudget_keepsTheBestSoFar(t *testing.T) {
	e := testEngine(t, Options{})
	s := Settings{Plies: 4, Cubeful: true, Filter: Huge, Budget: 10 * time.Millisecond}
	list, err := e.Plays(context.Background(), board.Start, board.Dice{A: 4, B: 2}, match.Money(false, 0), s)
	if err != nil || len(list) == 0 {
		t.Fatalf("%v, %v", list, err)
	}
	if list[0].Plies == 4 {
		t.Errorf("4 plies in 10 ms")
	}
	d, err := e.Cube(context.Background(), board.Start, match.Money(false, 0), s)
	if err != nil || d.Plies == 4 || d.Probs[eval.Win] == 0 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestReduced_isNearTheFullSet(t *testing.T) {
	e := testEngine(t, Options{})
	full, err := e.Evaluate(context.Background(), board.Start, match.Money(false, 0), Settings{Plies: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{7, 14} {
		sum := 0.0
		for _, r := range rollSet(n) {
			sum += r.weight
		}
		if len(rollSet(n)) != n || math.Abs(sum-1) > 1e-9 {
			t.Errorf("%d rolls: %d with weight %v", n, len(rollSet(n)), sum)
		}
		v, err := e.Evaluate(context.Background(), board.Start, match.Money(false, 0), Settings{Plies: 1, Reduced: n})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(v.Cubeless-full.Cubeless) > 0.05 {
			t.Errorf("%d rolls: %v, all %v", n, v.Cubeless, full.Cubeless)
		}
	}
}

func TestNoise(t *testing.T) {
	testsize.Medium(t)
	r := rand.New(rand.NewPCG(9, 10))
	n := noise{deviation: 0.06}
	base := eval.Probs{0.52, 0.15, 0.01, 0.13, 0.01}
	var sum, square [5]float64
	const count = 20000
	for range count {
		p := position(r, 6)
		pr := base
		n.seed = r.Uint64()
		n.add(&p, &pr)
		again := base
		n.add(&p, &again)
		if pr != again {
			t.Fatal("the same position and seed gave different noise")
		}
		checkValid(t, pr)
		for i := range pr {
			d := float64(pr[i] - base[i])
			sum[i] += d
			square[i] += d * d
		}
	}
	for i, share := range []float64{1, 0.25, 0.01, 0.25, 0.01} {
		mean, dev := sum[i]/count, math.Sqrt(square[i]/count)
		if math.Abs(mean) > 4*dev/math.Sqrt(count) {
			t.Errorf("chance %d: mean %v is not centred (deviation %v)", i, mean, dev)
		}
		if i == 0 && math.Abs(dev/(0.06*share)-1) > 0.05 {
			t.Errorf("chance %d: deviation %v, want %v", i, dev, 0.06*share)
		}
	}
	// Near the limits the distribution stays valid, centred and certain things
	// certain.
	for _, edge := range []eval.Probs{{1, 1, 0, 0, 0}, {0, 0, 0, 0.5, 0}, {0.01, 0.005, 0, 0.9, 0.5}, {1, 0, 0, 0, 0}} {
		p := board.Start
		for seed := range uint64(200) {
			n.seed = seed
			pr := edge
			n.add(&p, &pr)
			checkValid(t, pr)
			if (edge[eval.Win] == 1 || edge[eval.Win] == 0) && pr[eval.Win] != edge[eval.Win] {
				t.Fatalf("certain %v became %v", edge, pr)
			}
		}
	}
}

func checkValid(t *testing.T, pr eval.Probs) {
	t.Helper()
	const eps = 1e-6
	if !(pr[0] >= 0 && pr[0] <= 1 && pr[1] >= 0 && pr[1] <= pr[0]+eps && pr[2] >= 0 && pr[2] <= pr[1]+eps &&
		pr[3] >= 0 && pr[3] <= 1-pr[0]+eps && pr[4] >= 0 && pr[4] <= pr[3]+eps) {
		t.Fatalf("not a distribution: %v", pr)
	}
}

// TestShare: that part of the decisions looks ahead and the rest does not, by the
// seed alone; a decision without a draw is as it would be anyway.
func TestShare(t *testing.T) {
	brief := testsize.Sample(t)
	e := testEngine(t, Options{Threads: 2})
	ctx := context.Background()
	r := rand.New(rand.NewPCG(11, 12))
	count := 600
	if brief {
		count = 300
	}
	if testsize.Race {
		count = 60
	}
	plays, cubes := 0, 0
	for range count {
		p := position(r, 8)
		d := randomDice(r)
		s := Settings{Plies: 1, Share: 0.3, Seed: r.Uint64(), Cubeful: true}
		list, err := e.Plays(ctx, p, d, match.Money(false, 0), s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := e.Plays(ctx, p, d, match.Money(false, 0), s)
		if diff := cmp.Diff(list, again); diff != "" || err != nil {
			t.Fatalf("the same seed decided otherwise: %v %s", err, diff)
		}
		whole := s
		if whole.Share = 0; len(list) < 2 || list[0].Plies == 0 {
			whole.Plies = 0
		} else {
			plays++
		}
		want, err := e.Plays(ctx, p, d, match.Money(false, 0), whole)
		if diff := cmp.Diff(want, list); diff != "" || err != nil {
			t.Fatalf("neither the one nor the other: %v %s", err, diff)
		}
		c, err := e.Cube(ctx, p, match.Money(false, 0), s)
		if err != nil {
			t.Fatal(err)
		}
		cubes += c.Plies
	}
	for name, n := range map[string]int{"plays": plays, "cube decisions": cubes} {
		if got := float64(n) / float64(count); math.Abs(got-0.3) > 0.08 && !testsize.Race { // some rolls leave nothing to search
			t.Errorf("%.2f of the %s looked ahead, want 0.3", got, name)
		}
	}
	if _, err := e.Plays(ctx, board.Start, board.Dice{A: 3, B: 1}, match.Money(false, 0), Settings{Plies: 1, Share: 1.5}); !errors.Is(err, ErrSettings) {
		t.Errorf("share 1.5: %v", err)
	}
}

func TestFilterByName(t *testing.T) {
	for _, f := range Filters() {
		got, err := FilterByName(f.Name)
		if err != nil || got.Name != f.Name {
			t.Errorf("%s: %v, %v", f.Name, got.Name, err)
		}
	}
	if _, err := FilterByName("enormous"); !errors.Is(err, ErrSettings) {
		t.Errorf("got %v", err)
	}
}

func TestNode_allocatesNothing(t *testing.T) {
	e := testEngine(t, Options{CacheBytes: -1})
	l, err := cube.NewLadder(nil, match.Money(false, 0))
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Plies: 1}
	p := e.newPlan(question{mover: l, other: l.Swap(), spots: []cube.Spot{{}, {Rung: 1, Owner: match.Theirs}}, money: true, settings: &s, cubeful: true}, 1)
	j := e.begin(context.Background(), &s)
	defer j.end()
	w := e.borrow(j.ctx, p)
	var v value
	start := board.Start
	w.node(&start, 1, &v)
	if n := testing.AllocsPerRun(20, func() { w.node(&start, 1, &v) }); n != 0 {
		t.Errorf("%v allocations in a node", n)
	}
}

// exactStub claims to know one position.
type exactStub struct{ p board.Position }

func (x exactStub) Exact(p *board.Position) (cube.Exact, bool) {
	return cube.Exact{Probs: eval.Probs{eval.Win: 0.75}, Jacoby: 0.6, Owned: 0.7, Centred: 0.6, Theirs: 0.4}, *p == x.p
}

func TestCube_exactPositionsAreNotSearched(t *testing.T) {
	p := board.Position{Me: board.Checkers{1: 2}, Opp: board.Checkers{0: 2, 1: 1}}
	e := testEngine(t, Options{Exact: exactStub{p}})
	d, err := e.Cube(context.Background(), p, match.Money(true, 0), Settings{Plies: 2})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(d.NoDouble-0.6) > 1e-6 || math.Abs(d.DoubleTake-0.8) > 1e-6 || d.Action != cube.DoubleTake {
		t.Errorf("%+v", d)
	}
	if d, err = e.Cube(context.Background(), p, states[5], Settings{Plies: 1}); err != nil || d.NoDouble == 0.7 {
		t.Errorf("match: %+v, %v", d, err)
	}
}

func TestEfficiencies_areTheInputAtDepthZero(t *testing.T) {
	e := testEngine(t, Options{})
	spots := []cube.Spot{{}, {Owner: match.Mine}, {Owner: match.Theirs}}
	xs, err := e.Efficiencies(context.Background(), board.Start, match.Money(false, 0), spots, Settings{})
	if err != nil || len(xs) != 3 {
		t.Fatal(xs, err)
	}
	for i, x := range xs {
		if math.Abs(x-cube.UsualEfficiency.Contact) > 1e-3 {
			t.Errorf("spot %d: %v", i, x)
		}
	}
	// A dead cube has none.
	if xs, err = e.Efficiencies(context.Background(), board.Start, match.State{Length: 3, Score: [2]int{2, 2}, Cube: 1}, spots[:1], Settings{}); err != nil || !math.IsNaN(xs[0]) {
		t.Errorf("dead: %v, %v", xs, err)
	}
}

func BenchmarkCube_2ply(b *testing.B) {
	e := testEngine(b, Options{Threads: 1, CacheBytes: -1})
	for b.Loop() {
		if _, err := e.Cube(context.Background(), board.Start, match.Money(false, 0), Settings{Plies: 2}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestParseFilter(t *testing.T) {
	f, err := ParseFilter("0:8:0.16, skip,0:2:0.04")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Normal.Cuts, f.Cuts); diff != "" {
		t.Errorf("normal written out: %s", diff)
	}
	for _, text := range []string{"", ":", "1:2", "skip", "skip,1:2:0.1", "-1:2:0.1", "1:2:NaN", "1:2:x", "1:2:11", "1:1:1,1:1:1,1:1:1,1:1:1,1:1:1"} {
		if _, err := ParseFilter(text); !errors.Is(err, ErrSettings) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseFilter(f *testing.F) {
	f.Add("0:8:0.16,skip,0:2:0.04")
	f.Add("skip,,:")
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := ParseFilter(text); err == nil && (len(got.Cuts[0]) != 1 || got.Cuts[0][0] == Skip) {
			t.Errorf("%q: %+v", text, got)
		}
	})
}

// An engine that was asked about another score answers as a new one does.
func TestEngine_keepsNoScore(t *testing.T) {
	e := testEngine(t, Options{Threads: 1})
	d, s := board.Dice{A: 6, B: 5}, Settings{Cubeful: true}
	states := []match.State{
		match.Money(false, 0), match.Money(true, 0), {Length: 5, Score: [2]int{1, 3}, Cube: 1}, {Length: 5, Score: [2]int{3, 1}, Cube: 1},
		{Length: 5, Score: [2]int{3, 1}, Cube: 2, Owner: match.Mine}, {Length: 5, Score: [2]int{4, 1}, Cube: 1, Crawford: true},
	}
	for i := range 3 * len(states) {
		st := states[i*5%len(states)]
		got, err := e.Plays(context.Background(), board.Start, d, st, s)
		if err != nil {
			t.Fatal(err)
		}
		want, err := testEngine(t, Options{Threads: 1}).Plays(context.Background(), board.Start, d, st, s)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %+v, a new engine %+v", st, got[0], want[0])
		}
	}
}
