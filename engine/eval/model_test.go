package eval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/internal/kernel"
	"fibsbot/internal/testsize"
	"fibsbot/weights"

	"github.com/google/go-cmp/cmp"
)

func model(t testing.TB) *eval.Model {
	t.Helper()
	set, err := weights.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	m, err := eval.NewModel(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// play calls visit with every decision of some games of random plays.
func play(games int, seed uint64, visit func(p board.Position, plays []board.Play)) {
	r := rand.New(rand.NewPCG(seed, 9))
	var plays []board.Play
	for range games {
		p := board.Start
		for range 400 {
			plays = board.AppendPlays(plays[:0], p, board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))})
			if len(plays) > 0 {
				visit(p, plays)
				p = plays[r.IntN(len(plays))].Result
			}
			if p.Result() != 0 {
				break
			}
			p = p.Swap()
		}
	}
}

func checkValid(t *testing.T, p board.Position, pr eval.Probs) {
	t.Helper()
	w, wg, wbg, lg, lbg := pr[0], pr[1], pr[2], pr[3], pr[4]
	if !(0 <= wbg && wbg <= wg && wg <= w && w <= 1 && 0 <= lbg && lbg <= lg && lg <= 1-w) {
		t.Fatalf("%+v: %v is not a distribution", p, pr)
	}
}

func TestEvalPlays_isTheOtherSidesEvalInverted(t *testing.T) {
	a, b := model(t).Evaluator(), model(t).Evaluator()
	out := make([]eval.Probs, 600)
	n := 0
	play(3, 1, func(p board.Position, plays []board.Play) {
		a.EvalPlays(plays, out)
		for i := range plays {
			next := plays[i].Result.Swap()
			want := b.Eval(&next).Invert()
			checkValid(t, next, b.Eval(&next))
			for k := range want {
				// By difference and from nothing the sums are the same to the bit; the
				// subtraction in Invert is done on equal numbers.
				if want[k] != out[i][k] {
					t.Fatalf("%s: play %d: %v from its siblings, %v alone", p.ID(), i, out[i], want)
				}
			}
			n++
		}
	})
	if n < 1000 {
		t.Fatalf("only %d plays compared", n)
	}
}

func TestEvalPlays_doesNotDependOnWhatCameBefore(t *testing.T) {
	m := model(t)
	used := m.Evaluator()
	play(4, 5, func(p board.Position, plays []board.Play) {
		got, want := make([]eval.Probs, len(plays)), make([]eval.Probs, len(plays))
		used.EvalPlays(plays, got)
		m.Evaluator().EvalPlays(plays, want)
		for i := range plays {
			if got[i] != want[i] {
				t.Fatalf("%s: %v after other decisions, %v at first", plays[i].Result.ID(), got[i], want[i])
			}
		}
	})
}

// A position goes to the net of its plan, alone and among its siblings; one whose
// plan has no net goes to the contact net. Crashed ones have a net for either side.
func TestEval_netsByPlan(t *testing.T) {
	testsize.Medium(t)
	flat := func(out float32) *nn.Net { // says the same of every position
		w := nn.NewWeights(nn.NumInputs, kernel.Width, 0)
		w.OutBias[0] = out
		n, err := nn.NewNet(w)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	set, err := weights.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	const crashed, crashedTheirs = 3.5, -3.5
	set = set.With(nn.ClassContact, flat(0)).With(nn.ClassCrashed, flat(crashed)).With(nn.ClassCrashedTheirs, flat(crashedTheirs))
	for p := range nn.NumPlans {
		if p == nn.PlanHolding {
			set = set.With(nn.ClassOfPlan(p), nil)
		} else {
			set = set.With(nn.ClassOfPlan(p), flat((float32(p)+1)/8))
		}
	}
	m, err := eval.NewModel(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, out := m.Evaluator(), make([]eval.Probs, 600)
	var seen [nn.NumPlans]int
	var sides [2]int
	play(150, 4, func(_ board.Position, plays []board.Play) {
		e.EvalPlays(plays, out)
		for i := range plays {
			next := plays[i].Result.Swap()
			plan, x := nn.PlanOf(&next), 0.0
			switch eval.ClassOf(&next) {
			case eval.Contact:
				seen[plan]++
				if plan != nn.PlanHolding {
					x = (float64(plan) + 1) / 8
				}
			case eval.Crashed:
				if x = crashed; eval.CrashedTheirs(&next) {
					x = crashedTheirs
					sides[1]++
				} else {
					sides[0]++
				}
			default:
				continue
			}
			want := 1 / (1 + math.Exp(-x))
			alone, among := e.Eval(&next)[eval.Win], out[i].Invert()[eval.Win]
			if math.Abs(float64(alone)-want) > 1e-5 || math.Abs(float64(among)-want) > 1e-5 {
				t.Fatalf("%s, %s: win chance %v alone, %v among its siblings, want %v", next.ID(), plan, alone, among, want)
			}
		}
	})
	for p, n := range seen {
		if n == 0 && nn.Plan(p) != nn.PlanOpen {
			t.Errorf("no position of plan %s", nn.Plan(p))
		}
	}
	if min(sides[0], sides[1]) < 50 {
		t.Errorf("crashed positions on either side: %v", sides)
	}
}

// The nets in the program are evaluated in whole numbers, on every processor alike.
func TestModel_arithmetic(t *testing.T) {
	if got := model(t).Arithmetic(); got != "int16-1" {
		t.Errorf("the embedded nets compute by %s", got)
	}
}

func TestEval_startFavoursThePlayerOnRoll(t *testing.T) {
	pr := model(t).Evaluator().Eval(&board.Start)
	if pr[eval.Win] < 0.50 || pr[eval.Win] > 0.56 || pr[eval.WinGammon] < 0.08 || pr[eval.WinGammon] > 0.2 {
		t.Errorf("start: %v, GNU Backgammon at 2 plies says 0.525 wins, 0.149 gammons", pr)
	}
}

func TestEval_finishedGames(t *testing.T) {
	home := board.Checkers{0: 3, 5: 2}
	all := board.Checkers{4: 5, 5: 5, 7: 5}
	back := board.Checkers{4: 5, 5: 5, 20: 5}
	for _, tt := range []struct {
		name string
		p    board.Position
		want eval.Probs
	}{
		{"I am off", board.Position{Opp: home}, eval.Probs{1}},
		{"I am off, gammon", board.Position{Opp: all}, eval.Probs{1, 1}},
		{"I am off, backgammon", board.Position{Opp: back}, eval.Probs{1, 1, 1}},
		{"the opponent is off", board.Position{Me: home}, eval.Probs{}},
		{"the opponent is off, gammon", board.Position{Me: all}, eval.Probs{3: 1}},
		{"the opponent is off, backgammon", board.Position{Me: back}, eval.Probs{3: 1, 4: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, model(t).Evaluator().Eval(&tt.p)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSane(t *testing.T) {
	contact := board.Start
	nan := float32(math.NaN())
	race := board.Position{Me: board.Checkers{5: 5}, Opp: board.Checkers{6: 15}}
	tests := []struct {
		name     string
		p        board.Position
		in, want eval.Probs
	}{
		{"a good one stays", contact, eval.Probs{0.5, 0.1, 0.01, 0.2, 0.02}, eval.Probs{0.5, 0.1, 0.01, 0.2, 0.02}},
		{"above the whole", contact, eval.Probs{0.9, 0.95, 0.97, 0.3, 0.2}, eval.Probs{0.9, 0.9, 0.9, 1 - float32(0.9), 1 - float32(0.9)}},
		{"not numbers", contact, eval.Probs{nan, nan, nan, 2, -1}, eval.Probs{0, 0, 0, 1, 0}},
		{"a checker off saves the gammon", race, eval.Probs{0.5, 0.4, 0.3, 0.2, 0.1}, eval.Probs{0.5, 0.4, 0, 0, 0}},
		{
			"no time to lose a gammon",
			board.Position{Me: board.Checkers{0: 15}, Opp: board.Checkers{5: 14, 6: 1}},
			eval.Probs{0.9, 0.4, 0.3, 0.05, 0.01}, eval.Probs{0.9, 0, 0, 0, 0},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, eval.Sane(&tt.p, tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSane_neverCutsWhatCanHappen plays races with the rolls that make gammons
// most likely: the leader throws 6-6, the other 2-1 and runs for it.
func TestSane_neverCutsWhatCanHappen(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	lost := 0
	for range 3000 {
		var p board.Position
		for range 15 {
			p.Me[r.IntN(4)]++
			p.Opp[r.IntN(12)]++
		}
		if p.Contact() {
			continue
		}
		seen := []board.Position{p} // with the leader on roll
		var plays []board.Play
		for p.Result() == 0 {
			plays = board.AppendPlays(plays[:0], p, board.Dice{A: 6, B: 6})
			p = plays[0].Result.Swap()
			if p.Result() != 0 {
				p = p.Swap()
				break
			}
			plays = board.AppendPlays(plays[:0], p, board.Dice{A: 2, B: 1})
			p = toSafety(plays).Swap()
			seen = append(seen, p)
		}
		if p.Result() < 2 {
			continue
		}
		lost++
		for _, q := range seen {
			got := eval.Sane(&q, eval.Probs{1, 1, 1, 0, 0})
			for k := range p.Result() {
				if got[k] != 1 {
					t.Fatalf("%s: a result of %d happened, but %v says it cannot", q.ID(), p.Result(), got)
				}
			}
		}
	}
	if lost < 20 {
		t.Fatalf("only %d gammons came up", lost)
	}
}

// toSafety is the play that saves the gammon soonest, as far as one roll shows.
func toSafety(plays []board.Play) board.Position {
	best, at := 1000, 0
	for k := range plays {
		c, left := plays[k].Result.Me, 0
		for i, n := range c[6:] {
			left += (i + 1) * int(n)
		}
		if left = left*20 + c.Count(); left < best {
			best, at = left, k
		}
	}
	return plays[at].Result
}

func FuzzEval_alwaysADistribution(f *testing.F) {
	f.Add([]byte("\xe0\xfc\x30\xe0\xfc\x30"), []byte("\x00\x01"))
	f.Add([]byte{5, 5, 5, 5, 5, 24}, []byte{1, 2, 3, 24, 24, 24})
	m := model(f)
	f.Fuzz(func(t *testing.T, me, opp []byte) {
		var p board.Position
		for i, b := range me[:min(len(me), 15)] {
			if at := b % 25; i < 15 {
				p.Me[at]++
			}
		}
		for _, b := range opp[:min(len(opp), 15)] {
			if at := b % 25; at == 24 || p.Me[23-at] == 0 {
				p.Opp[at]++
			}
		}
		if p.Validate() != nil {
			t.Skip()
		}
		checkValid(t, p, m.Evaluator().Eval(&p))
	})
}

type fixed eval.Probs

func (d fixed) Lookup(p *board.Position) (eval.Probs, bool, bool) {
	return eval.Probs(d), true, eval.ClassOf(p) != eval.Race
}

func TestEval_asksTheDatabaseForBearoffs(t *testing.T) {
	set, err := weights.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	m, err := eval.NewModel(set, fixed{0.123})
	if err != nil {
		t.Fatal(err)
	}
	p := board.Position{Me: board.Checkers{5: 5, 3: 2}, Opp: board.Checkers{5: 4}}
	if got := m.Evaluator().Eval(&p); got != (eval.Probs{0.123}) {
		t.Errorf("a bearoff: %v, the database says 0.123", got)
	}
	p.Me[7], p.Me[5] = 1, 4
	if got := m.Evaluator().Eval(&p); got[0] == 0.123 {
		t.Errorf("a race outside the database got the database's value")
	}
}

func TestNewModel_needsNets(t *testing.T) {
	if _, err := eval.NewModel(nil, nil); err == nil {
		t.Error("a model without nets was made")
	}
}

func TestEvaluator_doesNotAllocate(t *testing.T) {
	e := model(t).Evaluator()
	plays := board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})
	out := make([]eval.Probs, len(plays))
	if n := testing.AllocsPerRun(50, func() { e.EvalPlays(plays, out); e.Eval(&board.Start) }); n != 0 {
		t.Errorf("%v allocations a decision", n)
	}
}

func TestModel_startsQuickly(t *testing.T) {
	begin := time.Now()
	e := model(t).Evaluator()
	e.Eval(&board.Start)
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("first evaluation after %v", took)
	}
}

func TestPubeval(t *testing.T) {
	var e eval.Pubeval
	// By hand from the published list: two on the 24 point, five on the 13, three
	// on the 8, five on the 6 point, and no opposing blot.
	want := -1.66135 + (1.78389 + 0.36797) + (1.83120 + 0.58722) + (3.35809 + 0.57353)
	if score := e.Score(&board.Start, false); math.Abs(float64(score)-want) > 1e-4 {
		t.Errorf("start scores %v, want %v", score, want)
	}
	off := board.Position{Opp: board.Checkers{5: 1}}
	if e.Score(&off, true) < 1e7 {
		t.Error("bearing off everything is not the best play")
	}
	// Its well-known opening: 3-1 makes the 5 point.
	plays := board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})
	best := plays[e.Best(&board.Start, plays)]
	if best.Result.Me[4] != 2 {
		t.Errorf("3-1 at the start is played %s, not 8/5 6/5", board.FormatPlay(board.Start, best))
	}
}

// wide is a model of random nets of the given width, to measure speed by.
func wide(b *testing.B, hidden int) *eval.Model {
	b.Helper()
	random := func(inputs, hidden int) *nn.Net {
		w := nn.NewWeights(inputs, hidden, 0)
		r := rand.New(rand.NewPCG(uint64(hidden), 1))
		for _, part := range [][]float32{w.First, w.Bias, w.Out} {
			for i := range part {
				part[i] = float32(r.NormFloat64() * 0.1)
			}
		}
		n, err := nn.NewNet(w)
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	set := new(nn.Set).With(nn.ClassContact, random(nn.NumInputs, hidden)).With(nn.ClassRace, random(nn.NumRaceInputs, 128))
	m, err := eval.NewModel(set, nil)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

type decision struct {
	p board.Position
	d board.Dice
}

// decisions are those of games the embedded nets play against themselves.
func decisions(b *testing.B, n int) (ds []decision) {
	e := model(b).Evaluator()
	r := rand.New(rand.NewPCG(1, 1))
	var c chooser
	for len(ds) < n {
		for p := board.Start; p.Result() == 0; {
			d := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
			ds = append(ds, decision{p, d})
			if p, _ = c.choose(e, p, d); p.Result() == 0 {
				p = p.Swap()
			}
		}
	}
	return ds
}

// chooser makes whole 0-ply decisions: plays, their chances, the best of them.
type chooser struct {
	plays []board.Play
	out   []eval.Probs
}

func (c *chooser) choose(e eval.Evaluator, p board.Position, d board.Dice) (board.Position, int) {
	c.plays = board.AppendPlays(c.plays[:0], p, d)
	if len(c.plays) == 0 {
		return p, 0
	}
	if cap(c.out) < len(c.plays) {
		c.out = make([]eval.Probs, 2*len(c.plays))
	}
	e.EvalPlays(c.plays, c.out[:len(c.plays)])
	best, at := float32(-9), 0
	for i := range c.plays {
		if m := c.out[i].Money(); m > best {
			best, at = m, i
		}
	}
	return c.plays[at].Result, len(c.plays)
}

// BenchmarkDecisions measures whole 0-ply decisions: move generation, inputs, net
// and choice, in positions as they come up in play.
func BenchmarkDecisions(b *testing.B) {
	ds := decisions(b, 2000)
	b.Cleanup(func() { kernel.Force("") })
	run := func(name, variant string, m *eval.Model) {
		if !kernel.Force(variant) {
			return
		}
		b.Run(name+"/"+kernel.Name(), func(b *testing.B) {
			e, n := m.Evaluator(), 0
			var c chooser
			b.ReportAllocs()
			cpu := cpuSeconds()
			for i := 0; b.Loop(); i++ {
				_, k := c.choose(e, ds[i%len(ds)].p, ds[i%len(ds)].d)
				n += k
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "plays/s")
			if cpu = cpuSeconds() - cpu; cpu > 0 {
				b.ReportMetric(float64(n)/cpu, "plays/cpu-s")
			}
		})
	}
	for _, v := range []string{"go", "avx2", "avx512"} {
		run("embedded", v, model(b))
	}
	for _, hidden := range []int{128, 256, 512} {
		for _, v := range []string{"go", "avx2", "avx512"} {
			run(fmt.Sprint(hidden), v, wide(b, hidden))
		}
	}
}

// What was judged before, and is remembered, comes out as a new evaluator judges it.
func TestEvalPlays_remembersWhatItSaid(t *testing.T) {
	m := model(t)
	old := m.Evaluator()
	play(2, 21, func(_ board.Position, plays []board.Play) {
		first, again, fresh := make([]eval.Probs, len(plays)), make([]eval.Probs, len(plays)), make([]eval.Probs, len(plays))
		old.EvalPlays(plays, first)
		old.EvalPlays(plays, again)
		m.Evaluator().EvalPlays(plays, fresh)
		for i := range plays {
			if first[i] != fresh[i] || again[i] != fresh[i] {
				t.Fatalf("%s: %v, again %v, from an empty cache %v", plays[i].Result.ID(), first[i], again[i], fresh[i])
			}
		}
	})
}

// The plays of all rolls judged together have the chances that they have roll by roll.
func TestEvalReplies_areThoseOfEachRoll(t *testing.T) {
	m := model(t)
	together, alone := m.Evaluator(), m.Evaluator()
	play(2, 22, func(p board.Position, _ []board.Play) {
		var all []board.Play
		var want []eval.Probs
		for _, r := range board.Rolls {
			plays := board.AppendPlays(nil, p, r.Dice)
			plays = plays[:min(len(plays), 1+len(plays)%12)] // as short lists are, and longer
			out := make([]eval.Probs, len(plays))
			alone.EvalPlays(plays, out)
			all, want = append(all, plays...), append(want, out...)
		}
		got := make([]eval.Probs, len(all))
		for range 2 { // computed, then from the cache
			if eval.EvalReplies(together, all, len(board.Rolls), got); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, roll by roll %v", p.ID(), got, want)
			}
		}
	})
}
