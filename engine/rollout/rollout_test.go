package rollout

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	throw "fibsbot/engine/dice"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/race"
	"fibsbot/engine/search"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

var source = sync.OnceValue(func() *bearoff.Source { return bearoff.NewSource(bearoff.Options{NoCache: true}) })

// known judges bearoff positions by the databases and everything else by pip
// count, which is poor and steady.
type known struct{}

func (known) Eval(p *board.Position) eval.Probs {
	if pr, over := eval.Result(p); over {
		return pr
	}
	if pr, _, ok := source().Lookup(p); ok {
		return pr
	}
	return eval.Probs{eval.Win: float32(race.Kleinman(p.Me.Pips(), p.Opp.Pips()))}
}

func (e known) EvalPlays(plays []board.Play, out []eval.Probs) {
	for i := range plays {
		q := plays[i].Result.Swap()
		out[i] = e.Eval(&q).Invert()
	}
}

// rough knows only pip counts, so that its luck estimates are poor.
type rough struct{}

func (rough) Eval(p *board.Position) eval.Probs {
	if pr, over := eval.Result(p); over {
		return pr
	}
	return eval.Probs{eval.Win: float32(race.Kleinman(p.Me.Pips(), p.Opp.Pips()))}
}

func (e rough) EvalPlays(plays []board.Play, out []eval.Probs) {
	for i := range plays {
		q := plays[i].Result.Swap()
		out[i] = e.Eval(&q).Invert()
	}
}

type exact struct{}

func (exact) Exact(p *board.Position) (cube.Exact, bool) {
	e, ok := source().Equities(p)
	return cube.Exact{Probs: eval.Probs{eval.Win: (float32(e.Cubeless) + 1) / 2}, Jacoby: float32(e.Centred), Owned: float32(e.Owned), Centred: float32(e.Centred), Theirs: float32(e.OppOwned)}, ok
}

func options(t testing.TB, e eval.Evaluator, x search.ExactSource) Options {
	t.Helper()
	s, err := search.New(search.Options{NewEvaluator: func() eval.Evaluator { return e }, Exact: x, CacheBytes: 1 << 20, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Evaluator: func() eval.Evaluator { return e }, Search: s, Exact: x}
}

func job(t testing.TB, o Options, p board.Position, st match.State, s Settings) *Job {
	t.Helper()
	j, err := New(t.Context(), o, p, st, s)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// steady are options for tests that ask for no exact value. The race detector
// makes building the databases too slow, so there they do without.
func steady(t testing.TB) Options {
	if testsize.Race {
		return options(t, rough{}, nil)
	}
	return options(t, known{}, exact{})
}

func needsDatabases(t *testing.T) {
	t.Helper()
	if testsize.Race {
		t.Skip("building the bearoff databases is slow under the race detector: skipped with -race")
	}
}

// playToTheEnd are settings without help of the databases. The race detector
// makes trials ten times as slow, so it watches fewer.
func playToTheEnd(trials int) Settings {
	s := Default()
	if testsize.Race {
		trials = min(max(trials/9, batch), trials)
	}
	s.Trials, s.TruncateTwoSided, s.TruncateOneSided = trials, false, false
	return s
}

var bearoffPositions = []board.Position{
	{Me: board.Checkers{1: 1, 4: 1}, Opp: board.Checkers{1: 1, 2: 1}},
	{Me: board.Checkers{0: 2, 2: 2, 5: 1}, Opp: board.Checkers{0: 1, 3: 2, 4: 1}},
	{Me: board.Checkers{3: 2, 4: 2, 5: 2}, Opp: board.Checkers{3: 3, 4: 1, 5: 2}},
}

// With exact static values every play and cube decision is right, so rollouts
// must come to the exact equity, whatever the cube does. 4 standard errors with
// fixed seeds: a right rollout fails here one time in fifteen thousand.
func TestRun_unbiasedOnExactPositions(t *testing.T) {
	testsize.Medium(t)
	needsDatabases(t)
	o := options(t, known{}, exact{})
	for _, vr := range []bool{false, true} {
		for _, p := range bearoffPositions {
			for _, owner := range []match.Owner{match.Centred, match.Mine, match.Theirs} {
				st := match.Money(false, 0)
				st.Owner = owner
				s := playToTheEnd(1296)
				s.VarianceReduction = vr
				j := job(t, o, p, st, s)
				j.AddPosition("position")
				if err := j.Run(context.Background(), nil); err != nil {
					t.Fatal(err)
				}
				r := j.Results()[0]
				e, _ := source().Equities(&p)
				want := map[match.Owner]float64{match.Centred: e.CentredBest(), match.Mine: e.OwnedBest(), match.Theirs: e.OppOwned}[owner]
				// Database values are rounded to 0.00003.
				if d := math.Abs(r.Equity - want); d > 4*float64(r.EquityErr)+0.0001 {
					t.Errorf("%s owner %d vr %v: equity %.5f +- %.5f, exact %.5f", p.ID(), owner, vr, r.Equity, float64(r.EquityErr), want)
				}
				if vr && float64(r.EquityErr) > 0.0005 {
					t.Errorf("%s owner %d: standard error %.5f with perfect luck estimates", p.ID(), owner, float64(r.EquityErr))
				}
			}
		}
	}
}

// A poor evaluator must not bias the variance reduction: the same plays with and
// without it agree within their errors, and it does reduce.
func TestRun_varianceReductionMovesNoMean(t *testing.T) {
	testsize.Medium(t)
	o := options(t, rough{}, nil)
	p := board.Position{Me: board.Checkers{5: 4, 7: 3, 3: 4, 10: 2, 1: 2}, Opp: board.Checkers{5: 5, 7: 4, 4: 4, 2: 2}}
	st := match.Money(false, 0)
	var res [2]Result
	for i, vr := range []bool{false, true} {
		s := playToTheEnd(648)
		s.VarianceReduction, s.Cubeful = vr, false
		j := job(t, o, p, st, s)
		j.AddPosition("position")
		if err := j.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		res[i] = j.Results()[0]
	}
	t.Logf("plain %.4f +- %.4f, reduced %.4f +- %.4f", res[0].Equity, float64(res[0].EquityErr), res[1].Equity, float64(res[1].EquityErr))
	if d := math.Abs(res[0].Equity - res[1].Equity); d > 4*math.Hypot(float64(res[0].EquityErr), float64(res[1].EquityErr)) {
		t.Errorf("means differ by %.4f", d)
	}
	if float64(res[1].EquityErr) > 0.75*float64(res[0].EquityErr) {
		t.Errorf("standard error %.4f against %.4f", float64(res[1].EquityErr), float64(res[0].EquityErr))
	}
}

// The two sides of a cube decision against the database.
func TestRun_cubeDecision(t *testing.T) {
	needsDatabases(t)
	o := options(t, known{}, exact{})
	p := bearoffPositions[0]
	j := job(t, o, p, match.Money(false, 0), playToTheEnd(1296))
	if err := j.AddCube(); err != nil {
		t.Fatal(err)
	}
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	r := j.Results()
	for i, want := range []float64{0.160494, 0.320988} {
		if math.Abs(r[i].Equity-want) > 4*float64(r[i].EquityErr)+0.0001 {
			t.Errorf("%s: %.5f +- %.5f, want %.5f", r[i].Name, r[i].Equity, float64(r[i].EquityErr), want)
		}
	}
}

// If neither side can use the cube after a double, the double is worth exactly twice as much.
func TestRun_cubelessDoubleIsWorthTwice(t *testing.T) {
	needsDatabases(t)
	for _, to := range []int{0, 3} { // to the end, and cut off
		set := playToTheEnd(1296)
		set.Cubeful, set.Truncate = false, to
		j := job(t, options(t, known{}, exact{}), bearoffPositions[0], match.Money(false, 0), set)
		if err := j.AddCube(); err != nil {
			t.Fatal(err)
		}
		if err := j.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		r := j.Results()
		for i, times := range []float64{1, 2} {
			if want := times * r[i].Cubeless; math.Abs(r[i].Equity-want) > 1e-9 || math.Abs(float64(r[i].EquityErr)-times*float64(r[i].CubelessErr)) > 1e-9 {
				t.Errorf("%d plies, %s: %.5f +- %.5f, want %.5f +- %.5f", to, r[i].Name, r[i].Equity, float64(r[i].EquityErr), want, times*float64(r[i].CubelessErr))
			}
		}
	}
}

// A play is valued for the player who makes it.
func TestRun_playsAreSeenByTheMover(t *testing.T) {
	needsDatabases(t)
	o := options(t, known{}, exact{})
	p := bearoffPositions[2]
	d := board.Dice{A: 6, B: 5}
	st := match.Money(false, 0)
	plays := board.AppendPlays(nil, p, d)
	j := job(t, o, p, st, playToTheEnd(324))
	for _, pl := range plays {
		if err := j.AddPlay(board.FormatPlay(p, pl), pl); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for i, r := range j.Results() {
		after := plays[i].Result.Swap()
		e, _ := source().Equities(&after)
		if want := -e.CentredBest(); math.Abs(r.Equity-want) > 4*float64(r.EquityErr)+0.0001 {
			t.Errorf("%s: %.5f +- %.5f, exact %.5f", r.Name, r.Equity, float64(r.EquityErr), want)
		}
	}
}

// At double match point the equity is the chance of winning.
func TestRun_matchPlay(t *testing.T) {
	testsize.Medium(t)
	needsDatabases(t)
	o := options(t, known{}, exact{})
	for _, p := range bearoffPositions {
		st := match.State{Length: 5, Score: [2]int{4, 4}, Cube: 1}
		j := job(t, o, p, st, playToTheEnd(648))
		j.AddPosition("position")
		if err := j.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		r := j.Results()[0]
		pr, _, _ := source().Lookup(&p)
		if math.Abs(*r.MWC-float64(pr[0])) > 4*float64(*r.MWCErr)+0.0001 || math.Abs(r.Probs[0]-*r.MWC) > 1e-9 {
			t.Errorf("%s: MWC %.5f +- %.5f, win %.5f, exact %.5f", p.ID(), *r.MWC, *r.MWCErr, r.Probs[0], pr[0])
		}
	}
}

func TestRun_sameForAnyThreadsAndWhenResumed(t *testing.T) {
	brief := testsize.Sample(t)
	o := steady(t)
	run := func(j *Job) []Result {
		if err := j.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		return j.Results()
	}
	trials := 300
	if brief {
		trials = 60
	}
	s := Default()
	s.Trials, s.Threads = trials, 1
	s.TruncateOneSided, s.TruncateTwoSided = false, false
	p := board.Position{Me: board.Checkers{1: 4, 2: 4}, Opp: board.Checkers{1: 3, 2: 4}}
	st := match.State{Length: 7, Score: [2]int{2, 4}, Cube: 1}
	whole := job(t, o, p, st, s)
	whole.AddPosition("x")
	want := run(whole)
	s.Threads = 3
	j := job(t, o, p, st, s)
	j.AddPosition("x")
	if diff := cmp.Diff(want, run(j)); diff != "" {
		t.Errorf("three threads: %s", diff)
	}
	s.Trials = trials / 3
	j = job(t, o, p, st, s)
	j.AddPosition("x")
	run(j)
	path := filepath.Join(t.TempDir(), "r.json")
	if err := j.Save(path, "nets"); err != nil {
		t.Fatal(err)
	}
	s.Trials = trials
	j = job(t, o, p, st, s)
	j.AddPosition("x")
	if found, err := j.Load(path, "nets"); !found || err != nil {
		t.Fatal(found, err)
	}
	if diff := cmp.Diff(want, run(j)); diff != "" {
		t.Errorf("resumed: %s", diff)
	}
	s.Seed++
	j = job(t, o, p, st, s)
	j.AddPosition("x")
	if _, err := j.Load(path, "nets"); !errors.Is(err, ErrFile) {
		t.Errorf("another seed: %v", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Load(path, "nets"); !errors.Is(err, ErrFile) {
		t.Errorf("damaged file: %v", err)
	}
}

// TestLoad_otherGame: totals by other rules, or in a match by another match equity table,
// are not added to; they were, and came out as the mean of two games. Money play asks no
// table.
func TestLoad_otherGame(t *testing.T) {
	with := func(r board.Rules, table *match.Table, st match.State) *Job {
		s, err := search.New(search.Options{NewEvaluator: func() eval.Evaluator { return rough{} }, Rules: r, Table: table, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		j := job(t, Options{Evaluator: func() eval.Evaluator { return rough{} }, Search: s}, board.Start, st, Default())
		j.AddPosition("x")
		return j
	}
	usual, woolsey, egyptian := match.DefaultTable(), match.WoolseyTable(), board.Rules{Egyptian: true}
	seven, money := match.State{Length: 7, Cube: 1}, match.Money(false, 0)
	for _, c := range []struct {
		name     string
		from, to *Job
		fits     bool
	}{
		{"same", with(board.Rules{}, usual, seven), with(board.Rules{}, usual, seven), true},
		{"egyptian goes on as backgammon", with(egyptian, usual, money), with(board.Rules{}, usual, money), false},
		{"backgammon goes on as egyptian", with(board.Rules{}, usual, money), with(egyptian, usual, money), false},
		{"another table in a match", with(board.Rules{}, usual, seven), with(board.Rules{}, woolsey, seven), false},
		{"another table in money play", with(board.Rules{}, usual, money), with(board.Rules{}, woolsey, money), true},
	} {
		path := filepath.Join(t.TempDir(), "r.json")
		if err := c.from.Save(path, "nets"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.to.Load(path, "nets"); (err == nil) != c.fits || err != nil && !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestLoad_endless: a file that no rollout writes is not read to its end.
func TestLoad_endless(t *testing.T) {
	j := job(t, options(t, known{}, nil), board.Start, match.Money(false, 0), Default())
	j.AddPosition("x")
	path := filepath.Join(t.TempDir(), "r.json")
	if err := j.Save(path, "nets"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, bytes.Repeat([]byte{' '}, 2<<20)...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Load(path, "nets"); !errors.Is(err, ErrFile) {
		t.Errorf("error %v", err)
	}
}

// TestNew_zeroOptions: without an evaluator or a search there is an error, and no panic.
func TestNew_zeroOptions(t *testing.T) {
	whole := options(t, known{}, nil)
	for _, o := range []Options{{}, {Evaluator: whole.Evaluator}, {Search: whole.Search}} {
		if _, err := New(t.Context(), o, board.Start, match.Money(false, 0), Default()); !errors.Is(err, ErrSettings) {
			t.Errorf("error %v", err)
		}
	}
}

func TestRun_stopRules(t *testing.T) {
	testsize.Medium(t)
	o := steady(t)
	p := bearoffPositions[2]
	s := playToTheEnd(5000)
	s.Trials = 5000
	s.StopStdErr, s.VarianceReduction = 0.05, false
	j := job(t, o, p, match.Money(false, 0), s)
	j.AddPosition("x")
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if r := j.Results()[0]; float64(r.EquityErr) > 0.05 || r.Trials >= 5000 || r.Trials%batch != 0 {
		t.Errorf("stopped at %+v", r)
	}
	if testsize.Race {
		return // a pip counter does not tell these plays apart
	}
	s = playToTheEnd(5000)
	s.Trials = 5000
	s.StopJSD = 3
	j = job(t, o, p, match.Money(false, 0), s)
	for _, pl := range board.AppendPlays(nil, p, board.Dice{A: 2, B: 1}) {
		if err := j.AddPlay(board.FormatPlay(p, pl), pl); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for i, r := range j.Results() {
		if r.Diff == 0 && float64(r.DiffErr) == 0 {
			continue // the best one
		}
		after := [2]board.Position{}
		for k, m := range []int{i, bestOf(j.Results())} {
			after[k] = j.arms[m].start
		}
		a, _ := source().Equities(&after[0])
		b, _ := source().Equities(&after[1])
		if want := a.CentredBest() - b.CentredBest(); math.Abs(r.Diff-want) > 4*float64(r.DiffErr)+0.0002 {
			t.Errorf("%s is behind by %.5f +- %.5f, exactly %.5f", r.Name, r.Diff, float64(r.DiffErr), want)
		}
	}
	left := 0
	for _, r := range j.Results() {
		if !r.Stopped {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d plays left", left)
	}
}

func bestOf(res []Result) (best int) {
	for i := range res {
		if res[i].Equity > res[best].Equity {
			best = i
		}
	}
	return best
}

func TestRun_cancelled(t *testing.T) {
	o := steady(t)
	j := job(t, o, bearoffPositions[2], match.Money(false, 0), playToTheEnd(1<<20))
	j.AddPosition("x")
	ctx, cancel := context.WithCancel(context.Background())
	err := j.Run(ctx, func(done, total int) {
		if done >= 2*batch {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || j.Results()[0].Trials != 2*batch {
		t.Errorf("%v after %d trials", err, j.Results()[0].Trials)
	}
}

func TestNew_refuses(t *testing.T) {
	o := steady(t)
	over := bearoffPositions[0]
	over.Opp = board.Checkers{}
	bad := Default()
	bad.Trials = 0
	for name, err := range map[string]error{
		"no trials": func() error { _, err := New(t.Context(), o, board.Start, match.Money(false, 0), bad); return err }(),
		"game over": func() error { _, err := New(t.Context(), o, over, match.Money(false, 0), Default()); return err }(),
		"no arms":   job(t, o, board.Start, match.Money(false, 0), Default()).Run(context.Background(), nil),
		"Crawford": job(t, o, board.Start, match.State{Length: 3, Score: [2]int{2, 0}, Cube: 1, Crawford: true},
			Default()).AddCube(),
	} {
		if !errors.Is(err, ErrSettings) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDice_areBalanced(t *testing.T) {
	for _, c := range []struct {
		initial  bool
		n        int
		firsts   int
		pairings int
		from     throw.Generator
	}{{false, 36, 36, 1296, throw.PCG}, {true, 30, 30, 1080, throw.PCG}, {false, 36, 36, 1296, throw.ChaCha8}} {
		d := newDice(&Settings{Seed: 7, InitialPosition: c.initial, Dice: c.from})
		count := map[[2]board.Dice]int{}
		third := map[[2]board.Dice]int{}
		for trial := range c.pairings {
			s := d.deal(uint64(trial))
			a, b, e := s.roll(0), s.roll(1), s.roll(2)
			if c.initial && a.Double() {
				t.Fatal("a double first")
			}
			count[[2]board.Dice{a, b}]++
			third[[2]board.Dice{a, e}]++
		}
		if len(count) != c.pairings || len(third) != c.pairings {
			t.Errorf("initial %v: %d pairs of first and second, %d of first and third, want %d", c.initial, len(count), len(third), c.pairings)
		}
		for block := range 5 {
			var seen [2]map[board.Dice]bool
			seen[0], seen[1] = map[board.Dice]bool{}, map[board.Dice]bool{}
			for k := range c.n {
				s := d.deal(uint64(block*c.n + k))
				seen[0][s.roll(0)], seen[1][s.roll(1)] = true, true
			}
			if len(seen[0]) != c.firsts || len(seen[1]) != c.n {
				t.Errorf("block %d: %d first and %d second rolls", block, len(seen[0]), len(seen[1]))
			}
		}
	}
	// 37 trials never hold three openings of 66.
	d := newDice(&Settings{Seed: 9})
	sixes := 0
	for trial := range 37 {
		s := d.deal(uint64(trial))
		if s.roll(0) == (board.Dice{A: 6, B: 6}) {
			sixes++
		}
	}
	if sixes > 2 {
		t.Errorf("66 first in %d of 37 trials", sixes)
	}
	// The rest is random: all throws come up, about equally.
	count := map[board.Dice]int{}
	for trial := range 3600 {
		s := d.deal(uint64(trial))
		for ply := range 6 {
			r := s.roll(ply)
			if ply > 2 {
				count[r]++
			}
		}
	}
	chi := 0.0
	for _, n := range count {
		chi += (float64(n) - 300) * (float64(n) - 300) / 300
	}
	if len(count) != 36 || chi > 80 {
		t.Errorf("%d throws, chi square %.1f for 35 degrees of freedom", len(count), chi)
	}
	a, b, c := newDice(&Settings{Seed: 3}), newDice(&Settings{Seed: 4}), newDice(&Settings{Seed: 3, Dice: throw.ChaCha8})
	if slices.Equal(a.lists[0], b.lists[0]) || slices.Equal(a.lists[0], c.lists[0]) {
		t.Error("two seeds or generators shuffle alike")
	}
	equal := 0
	for trial := range 100 {
		x, y := a.deal(uint64(trial)), c.deal(uint64(trial))
		for ply := range 10 {
			if r, q := x.roll(ply), y.roll(ply); ply > 2 && r == q {
				equal++
			}
		}
	}
	if equal > 50 { // of 700, where chance makes 19
		t.Errorf("two generators throw the same %d times", equal)
	}
}
