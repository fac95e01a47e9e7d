package duel

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bearoff"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

func TestDuel_sameForAnyJobs(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	e := enginetest.Open(t)
	for _, set := range []Settings{{Seed: 3}, {Seed: 3, Cubeless: true}, {Seed: 3, Length: 3}, {Seed: 3, Jacoby: true},
		{Seed: 3, Variation: record.Nackgammon, AutoDoubles: 2, Dice: dice.ChaCha8}} {
		set.Luck = &luck.Meter{Search: e.Search(), Settings: search.Settings{Cubeful: !set.Cubeless, Prune: true}}
		var want []Pair
		for _, jobs := range []int{1, 3} {
			makers := [2]Maker{
				Preset(e, enginetest.Preset(t, "beginner")),
				Preset(e, enginetest.Preset(t, "expert")),
			}
			run := Run{Players: makers, Settings: set, Pairs: 3, Jobs: jobs}
			got, games, err := run.Play(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if games < 6 {
				t.Errorf("%+v: %d games", set, games)
			}
			if want == nil {
				want = got
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%+v: %s", set, diff)
			}
		}
	}
}

func TestDuel_strongerWins(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	makers := [2]Maker{
		Preset(e, enginetest.Preset(t, "expert")),
		Preset(e, enginetest.Preset(t, "beginner")),
	}
	set := Settings{Seed: 1, Cubeless: true}
	run := Run{Players: makers, Settings: set, Pairs: 60}
	results, _, err := run.Play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d := Summarise(results, set)
	if d.PPG < 2*d.Stderr {
		t.Errorf("expert beats beginner by %.3f, standard error %.3f", d.PPG, d.Stderr)
	}
}

// TestRun_stoppedGivesWhatIsFinished: the results of whole pairs stay when the duel is
// stopped.
func TestRun_stoppedGivesWhatIsFinished(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	p := Preset(e, enginetest.Preset(t, "beginner"))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	seen := 0
	run := Run{Players: [2]Maker{p, p}, Settings: Settings{Seed: 3, Cubeless: true}, Pairs: 1 << 20, Jobs: 1}
	run.Progress = func(done int, finished func() []Pair) {
		if seen = len(finished()); seen != done {
			t.Errorf("%d pairs of %d", seen, done)
		}
		if done == 3 {
			stop()
		}
	}
	results, games, err := run.Play(ctx)
	if !errors.Is(err, context.Canceled) || len(results) < 3 || seen != len(results) || games != 2*seen {
		t.Errorf("%d results, %d games, %v", len(results), games, err)
	}
}

// pairsOf makes results without luck.
func pairsOf(results ...[2]float64) (out []Pair) {
	for _, r := range results {
		out = append(out, Pair{Result: r, Games: 2})
	}
	return out
}

func TestSummarise(t *testing.T) {
	d := Summarise(pairsOf([2]float64{1, 1}, [2]float64{-1, 1}, [2]float64{2, -4}), Settings{})
	// Pair means 1, 0, -1: mean 0, deviation 1, standard error 1/sqrt(3).
	if d.PPG != 0 || math.Abs(d.Stderr-1/math.Sqrt(3)) > 1e-12 || d.WinRate != nil {
		t.Errorf("%+v", d)
	}
	m := Summarise(pairsOf([2]float64{1, 1}, [2]float64{1, -1}), Settings{Length: 5})
	if m.Matches != 4 || m.WinRate == nil || *m.WinRate != 0.75 {
		t.Errorf("%+v", m)
	}
}

// judged returns set with the luck of the dice judged.
func judged(e *engine.Engine, set Settings) Settings {
	set.Luck = &luck.Meter{Search: e.Search(), Settings: search.Settings{Cubeful: !set.Cubeless, Prune: true}}
	return set
}

// duelModes are the kinds of duel there are.
var duelModes = map[string]Settings{
	"cubeless": {Seed: 5, Cubeless: true}, "money": {Seed: 5}, "jacoby": {Seed: 5, Jacoby: true},
	"match": {Seed: 5, Length: 3}, "cubeless match": {Seed: 5, Length: 3, Cubeless: true},
}

func TestDuelLuck_equalPlayersStillScoreZero(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	equal := Preset(e, enginetest.Preset(t, "expert"))
	for name, set := range duelModes {
		set = judged(e, set)
		run := Run{Players: [2]Maker{equal, equal}, Settings: set, Pairs: 2}
		results, _, err := run.Play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if d := Summarise(results, set); *d.LuckAdjusted != 0 || *d.LuckAdjustedStderr != 0 || d.PPG != 0 {
			t.Errorf("%s: %+v", name, d)
		}
		if results[0].Luck == [2]float64{} {
			t.Errorf("%s: no luck at all", name)
		}
	}
}

// With different players the adjusted results vary far less and agree with the
// raw ones.
func TestDuelLuck_variesLess(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	e := enginetest.Open(t)
	makers := [2]Maker{
		Preset(e, enginetest.Preset(t, "expert")),
		Preset(e, enginetest.Preset(t, "intermediate")),
	}
	for name, set := range duelModes {
		set = judged(e, set)
		run := Run{Players: makers, Settings: set, Pairs: 60}
		results, _, err := run.Play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		d := Summarise(results, set)
		if *d.LuckAdjustedStderr <= 0 || *d.LuckAdjustedStderr > 0.6*d.Stderr {
			t.Errorf("%s: standard error %.4f with luck taken off, %.4f without", name, *d.LuckAdjustedStderr, d.Stderr)
		}
		if gap := *d.LuckAdjusted - d.PPG; gap*gap > 16*d.Stderr*d.Stderr {
			t.Errorf("%s: %+.3f with luck taken off, %+.3f +- %.3f without", name, *d.LuckAdjusted, d.PPG, d.Stderr)
		}
	}
}

// lastListed is a poor player: he makes the play that the generator lists last,
// never doubles and always takes.
type lastListed struct{}

func (lastListed) Move(_ context.Context, p board.Position, d board.Dice, _ match.State, _ bool, _ uint64) (board.Position, error) {
	if plays := board.AppendPlays(nil, p, d); len(plays) > 0 {
		return plays[len(plays)-1].Result, nil
	}
	return p, nil
}

func (lastListed) Double(context.Context, board.Position, match.State, uint64) (bool, error) {
	return false, nil
}

func (lastListed) Take(context.Context, board.Position, match.State, uint64) (bool, error) {
	return true, nil
}
func (lastListed) Close() {}

func TestDuelDifferences(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	e := enginetest.Open(t)
	valuer := Valuer{Options: e.RolloutOptions(), Settings: rollout.Default()}
	valuer.Settings.Trials, valuer.Settings.Truncate = 1, 2 // fast; good enough to tell a blunder
	expert := Preset(e, enginetest.Preset(t, "expert"))
	poor := func(context.Context) (Player, error) { return lastListed{}, nil }
	play := func(makers [2]Maker, set Settings, jobs int) []Pair {
		t.Helper()
		run := Run{Players: makers, Settings: set, Pairs: 2, Jobs: jobs}
		results, _, err := run.Play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return results
	}
	for name, set := range map[string]Settings{"money": {Seed: 4}, "match": {Seed: 4, Length: 1}} {
		plain := play([2]Maker{expert, poor}, set, 1)
		set.Differences = &valuer
		if d := Summarise(play([2]Maker{expert, expert}, set, 1), set); *d.Edge != 0 || *d.EdgeStderr != 0 || *d.Differ != 0 {
			t.Errorf("%s: equal players differ: %+v", name, d)
		}
		results := play([2]Maker{expert, poor}, set, 1)
		for k := range results {
			if results[k].Result != plain[k].Result {
				t.Errorf("%s: looking at differences changed pair %d", name, k)
			}
		}
		there, back := Summarise(results, set), Summarise(play([2]Maker{poor, expert}, set, 2), set)
		if *there.Edge < 0.3 || *there.Differ < 20 {
			t.Errorf("%s: the edge over a poor player is %.3f from %d differences", name, *there.Edge, *there.Differ)
		}
		if *back.Edge > -0.3 {
			t.Errorf("%s: the poor player's edge is %.3f", name, *back.Edge)
		}
	}
}

func TestDuelLog_refusesDamage(t *testing.T) {
	h := Header{Version: LogVersion, A: "a", B: "b", Settings: [2]string{"1", "2"}}
	var head strings.Builder
	if err := json.NewEncoder(&head).Encode(h); err != nil {
		t.Fatal(err)
	}
	one := `{"pair":3,"result":[1,-1],"luck":[0.5,0],"games":2}` + "\n"
	for name, text := range map[string]string{
		"other file": "hello\n", "other JSON": "{}\n", "no JSON": head.String() + "x\n",
		"other settings": strings.Replace(head.String(), `"settings":["1"`, `"settings":["3"`, 1),
		"no pair":        head.String() + `{"games":2}` + "\n", "twice": head.String() + one + one,
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if l, err := ResumeLog(path, h); err == nil {
			t.Errorf("%s: read as %v", name, l.Earlier)
			l.Close()
		}
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(head.String()+one), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := ResumeLog(path, h)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if r := l.Earlier[3]; len(l.Earlier) != 1 || r.Luck[0] != 0.5 || r.Games != 2 {
		t.Errorf("%+v", l.Earlier)
	}
	if _, err := ResumeLog(path, h); err == nil {
		t.Error("two duels write to one log")
	}
	older := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(older, []byte(strings.Replace(head.String(), `,"settings":["1","2"]`, "", 1)+one), 0o644); err != nil {
		t.Fatal(err)
	}
	if l, err := ResumeLog(older, h); err != nil || len(l.Earlier) != 1 {
		t.Errorf("a log from before the settings were written: %v", err)
	} else {
		l.Close()
	}
}

// TestPubeval plays its plays, never doubles, always takes, and loses to the engine.
func TestPubeval(t *testing.T) {
	ctx := context.Background()
	p, err := Pubeval(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	money := match.Money(false, 0)
	next, err := p.Move(ctx, board.Start, board.Dice{A: 3, B: 1}, money, true, 1)
	if err != nil || next == board.Start {
		t.Errorf("%+v, %v", next, err)
	}
	if double, err := p.Double(ctx, board.Start, money, 1); double || err != nil {
		t.Errorf("doubles: %v, %v", double, err)
	}
	if take, err := p.Take(ctx, board.Start, money, 1); !take || err != nil {
		t.Errorf("passes: %v, %v", take, err)
	}
	barred := board.Position{Me: board.Checkers{24: 1}, Opp: board.Checkers{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2}}
	if next, err := p.Move(ctx, barred, board.Dice{A: 3, B: 1}, money, true, 1); err != nil || next != barred {
		t.Errorf("closed out, and moves: %+v, %v", next, err)
	}
}

// TestPlan_makesTheSameDuelAgain plays a duel in pieces of several pairs, made again
// from its specification, with pairs that are there already.
func TestPlan_makesTheSameDuelAgain(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	e := enginetest.Open(t)
	for _, plan := range []Plan{{Seed: 3, Luck: true, Cubeless: true}, {Seed: 4, Length: 1, Trials: 1}, {Seed: 5, Pubeval: [2]bool{true, false}}} {
		plan.Players = [2]preset.Preset{enginetest.Preset(t, "beginner"), enginetest.Preset(t, "expert")}
		local := Run{Players: plan.makers(e), Settings: plan.Settings(e), Pairs: 5, Jobs: 2}
		want, _, err := local.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		spec, err := plan.Spec()
		if err != nil {
			t.Fatal(err)
		}
		makeRunner, err := FromSpec(t.Context(), e, spec)
		if err != nil {
			t.Fatal(err)
		}
		far := Run{Pairs: 5, Crew: &shard.Local{Threads: 2, New: makeRunner}, Size: 2, Earlier: map[int]Pair{1: want[1]}}
		got, _, err := far.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: %s", plan, diff)
		}
	}
	if _, err := FromSpec(t.Context(), e, []byte(`{"players":[{"Checker":{"Plies":99}}]}`)); !errors.Is(err, search.ErrSettings) {
		t.Error(err)
	}
}

// A duel of hypergammon and one by the Egyptian rule are played by those rules, here and
// where a piece of them is made again.
func TestPlan_variations(t *testing.T) {
	testsize.Medium(t)
	src := bearoff.NewSource(bearoff.Options{Cache: t.TempDir()})
	defer src.Close()
	e, err := engine.Open(engine.Options{Bearoff: src, Threads: 1, CacheMB: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Plan{{Variation: "Hypergammon1", Seed: 3, Luck: true}, {Egyptian: true, Seed: 3, Length: 1}} {
		p.Players = [2]preset.Preset{enginetest.Preset(t, "expert"), enginetest.Preset(t, "expert")}
		of, err := p.Engine(t.Context(), e)
		if err != nil || of.Rules() != p.Variation.Board(p.Egyptian) {
			t.Fatal(err)
		}
		run := Run{Players: p.makers(of), Settings: p.Settings(of), Pairs: 3, Jobs: 1}
		want, _, err := run.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		spec, err := p.Spec()
		if err != nil {
			t.Fatal(err)
		}
		open, err := FromSpec(t.Context(), e, spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := r.Run(t.Context(), shard.Range{From: 0, To: 3}.Ask())
		if err != nil {
			t.Fatal(err)
		}
		var got []Pair
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v, %v", got, want, err)
		}
	}
	bad := Plan{Pubeval: [2]bool{true}, Egyptian: true}
	if bad.Check() == nil {
		t.Error("pubeval by the Egyptian rule")
	}
}

// One pair says nothing of how far results spread: an error of 0 would be a lie.
func TestResult_onePairHasNoStandardError(t *testing.T) {
	one := []Pair{{Result: [2]float64{1, -3}, Games: 2}}
	for _, set := range []Settings{{}, {Length: 3}} {
		for _, results := range [][]Pair{one, append(one, one[0])} {
			r := Summarise(results, set)
			if text := r.Text(); strings.Contains(text, "unknown") != (len(results) == 1) {
				t.Errorf("%d pairs: %s", len(results), text)
			}
		}
	}
}

// TestRun_zeroValues: a duel without players, or of less than no pairs, is an error.
func TestRun_zeroValues(t *testing.T) {
	for _, run := range []Run{{Pairs: 1}, {Pairs: 1, Players: [2]Maker{Pubeval}}, {Pairs: -1, Players: [2]Maker{Pubeval, Pubeval}}} {
		if _, _, err := run.Play(t.Context()); err == nil {
			t.Errorf("%d pairs: no error", run.Pairs)
		}
	}
}

// A recorded match can be replayed without a problem, ends, and is the same in each run.
func TestRecord(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	player, err := Preset(e, enginetest.Preset(t, "casual"))(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	two := [2]Player{player, player}
	if _, err := Record(context.Background(), two, Settings{}, 0); err == nil {
		t.Error("money play was recorded")
	}
	cubes := 0
	for k := range uint64(3) {
		set := Settings{Length: 5, Seed: 9}
		m, err := Record(context.Background(), two, set, k)
		if err != nil {
			t.Fatal(err)
		}
		if m.Winner() == record.NoPlayer {
			t.Errorf("match %d has no winner: %v", k, m.FinalScore())
		}
		again, err := Record(context.Background(), two, set, k)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m, again); diff != "" {
			t.Error(diff)
		}
		for i := range m.Games {
			g := &m.Games[i]
			r := record.NewReplay(m, g)
			for turn, ok := r.Next(); ok; turn, ok = r.Next() {
				if !turn.Legal {
					t.Errorf("match %d, game %d, action %d: %s", k, i, turn.Index, turn.Problem)
				}
				if turn.Action.Kind == record.Double {
					cubes++
				}
			}
			if winner, points := r.Outcome(); winner != g.Result.Winner || points != g.Result.Points {
				t.Errorf("match %d, game %d: %d points for %d, recorded as %+v", k, i, points, winner, g.Result)
			}
		}
	}
	if cubes == 0 {
		t.Error("no double in three matches")
	}
}

// careless is a player who fails at every third decision, or at each, and sometimes does not answer.
type careless struct {
	lastListed
	asked *int
	every int
}

func (x careless) Move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, seed uint64) (board.Position, error) {
	if *x.asked++; *x.asked%x.every == 0 {
		if *x.asked%2 == 0 {
			<-ctx.Done()
			return p, context.Cause(ctx)
		}
		return p, errors.New("not legal")
	}
	return x.lastListed.Move(ctx, p, d, st, cubeless, seed)
}

// TestWatched: faults are counted and told, and the game goes on; too many in a row end the duel.
func TestWatched(t *testing.T) {
	e := enginetest.Open(t)
	for _, c := range []struct{ every, told, made int }{{3, 1, 2}, {1, mostFaults, mostFaults}} {
		asked, made, told := 0, 0, 0
		poor := func(context.Context) (Player, error) { made++; return careless{asked: &asked, every: c.every}, nil }
		run := Run{Jobs: 1, Pairs: 1, Settings: Settings{Seed: 2, Cubeless: true}, Players: [2]Maker{
			Watched(poor, 2*time.Millisecond, func(error) { told++ }), Watched(Preset(e, enginetest.Preset(t, "expert")), 0, nil)}}
		list, _, err := run.Play(t.Context())
		if told < c.told || made < c.made {
			t.Errorf("%d faults told, %d players made", told, made)
		}
		if c.every == 1 {
			if err == nil || !strings.Contains(err.Error(), "20 wrong answers in a row") {
				t.Error(err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		a := list[0].Asked
		if a[0].Faults != told || a[0].Decisions <= a[0].Faults || a[0].Seconds < a[0].Longest || a[1].Faults != 0 || a[1].Decisions == 0 {
			t.Errorf("%+v, %d told", a, told)
		}
	}
}

// TestJudge: the profiles of a duel are those of an analysis, the same on other machines, and do
// not change what is played.
func TestJudge(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	expert := enginetest.Preset(t, "expert")
	for _, plan := range []Plan{{Seed: 3}, {Seed: 3, Length: 3}, {Seed: 3, Cubeless: true}} {
		plan.Players = [2]preset.Preset{enginetest.Preset(t, "beginner"), expert}
		play := func(plan Plan) Pair {
			t.Helper()
			run := Run{Players: plan.makers(e), Settings: plan.Settings(e), Pairs: 1, Jobs: 1}
			list, _, err := run.Play(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return list[0]
		}
		plain := play(plan)
		plan.Judge = &expert
		judged := play(plan)
		all := func(analyse.Kind, analyse.Phase) bool { return true }
		poor, good := judged.Profile[0].Sum(all), judged.Profile[1].Sum(all)
		if poor.PR() < 10 || good.PR() > 1 || good.Decisions < 5 {
			t.Errorf("%+v: PR %.2f and %.2f of %d decisions", plan, poor.PR(), good.PR(), good.Decisions)
		}
		back := judged.Turned()
		if back.Profile[0] != judged.Profile[1] || back.Result[0] != -judged.Result[0] {
			t.Errorf("turned: %+v", back)
		}
		if judged.Profile = nil; !reflect.DeepEqual(plain, judged) {
			t.Errorf("%+v: %+v, judged %+v", plan, plain, judged)
		}
	}
}

// TestSequence decides for what is true nearly always, and says nothing of few pairs.
func TestSequence(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	wrong := 0
	for n := range 400 {
		s := Sequence{Test: Test{Low: 0, High: 0.1}}
		truth := []float64{s.Low, s.High}[n%2]
		for pairs := 1; s.Verdict() == ""; pairs++ {
			v := truth + rng.NormFloat64()*0.3
			s.Add(&Pair{Result: [2]float64{v + 1, v - 1}, Luck: [2]float64{2, -2}}, n%4 < 2)
			if pairs < leastPairs && s.Verdict() != "" {
				t.Fatalf("a verdict of %d pairs", pairs)
			}
		}
		if (s.Verdict() == "high") != (truth == s.High) {
			wrong++
		}
	}
	if wrong > 32 { // 5 % are 20
		t.Errorf("%d of 400 verdicts are wrong", wrong)
	}
	if (Test{0.02, 0}).Check() == nil || (Test{0, math.NaN()}).Check() == nil {
		t.Error("a test without a question")
	}
}
