package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/bench"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// compareWork is what both programs are asked, compareTimes what it took gnubg;
// see docs/bench/compare-gnubg.py.
type compareWork struct {
	Plays     []any    `json:"plays"`
	Decisions []any    `json:"decisions"`
	Rollouts  []string `json:"rollouts"`
	Trials    int      `json:"trials"`
	Match     string   `json:"match"`
}

type compareTimes struct {
	Plays     float64    `json:"plays"`
	Decisions []float64  `json:"decisions"`
	Equities  []*float64 `json:"equities"`
	Rollouts  []float64  `json:"rollouts"`
	Match     float64    `json:"match"`
}

// TestCompareGnubg does the same work with both programs in one run and prints
// seconds of processor time, one thread each; docs/bench/compare-gnubg.sh runs it.
// The bounds are the project's targets.
func TestCompareGnubg(t *testing.T) {
	if os.Getenv("FIBSBOT_COMPARE") == "" {
		t.Skip("FIBSBOT_COMPARE is not set: see docs/bench/compare-gnubg.sh")
	}
	gnubg, err := exec.LookPath("gnubg")
	if err != nil {
		if gnubg, err = exec.LookPath("/usr/games/gnubg"); err != nil {
			t.Skip("no gnubg")
		}
	}
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
			return n
		}
		return usual
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Warm()
	world, err := preset.ByName("worldclass")
	if err != nil {
		t.Fatal(err)
	}
	natural, err := bench.NaturalQuestions(ctx, e, number("COMPARE_PLAYS", 5000))
	if err != nil {
		t.Fatal(err)
	}
	work := compareWork{Trials: number("COMPARE_TRIALS", 324), Rollouts: []string{"4HPwATDgc/ABMA"}}
	work.Match = filepath.Join(root, "..", "shared", "formats", "samples", "match7.mat")
	if _, err := os.Stat(work.Match); err != nil {
		work.Match = ""
	}
	// The start, and two positions from the middle of games.
	questions := contactQuestions(ctx, t, e, number("COMPARE_DECISIONS", 100))
	for _, q := range questions {
		work.Decisions = append(work.Decisions, []any{q.Position.ID(), q.Dice.A, q.Dice.B})
	}
	for _, q := range natural {
		work.Plays = append(work.Plays, []any{q.Position.ID(), q.Dice.A, q.Dice.B})
	}
	for _, at := range [...]int{1, 2} {
		work.Rollouts = append(work.Rollouts, questions[at*len(questions)/3].Position.ID())
	}
	before, _ := playTimes(ctx, t, natural)
	theirs := askGnubg(t, gnubg, filepath.Join(root, "docs", "bench", "compare-gnubg.py"), &work)

	t.Logf("%s; load average %s", bench.CPUName(), loadAverage())
	after, plays := playTimes(ctx, t, natural)
	// Half a second is over while the machine is in one mood; gnubg works for minutes.
	ours := median(append(before, after...))
	compared(t, fmt.Sprintf("0-ply decisions, %d with %d plays", len(natural), plays), ours, theirs.Plays, 10)
	t.Logf("plays a second: ours %.0f (%.0f to %.0f), gnubg %.0f", float64(plays)/ours,
		float64(plays)/slices.Max(append(before, after...)), float64(plays)/slices.Min(append(before, after...)), float64(plays)/theirs.Plays)
	money := match.Money(false, 0)
	var took []float64
	var sum, sumTheirs float64
	agree := 0
	for i, q := range questions {
		began := bench.CPUTime()
		list, err := e.RankPlays(ctx, q.Position, q.Dice, money, world)
		if err != nil {
			t.Fatal(err)
		}
		took = append(took, (bench.CPUTime() - began).Seconds())
		sum += took[i]
		sumTheirs += theirs.Decisions[i]
		if g := theirs.Equities[i]; g != nil && len(list) > 0 && *g-list[0].Equity < 0.1 && list[0].Equity-*g < 0.1 {
			agree++
		}
	}
	compared(t, fmt.Sprintf("2-ply decisions, %d", len(questions)), sum, sumTheirs, 12)
	t.Logf("median of a decision: ours %.1f ms, gnubg %.1f ms; best equities within 0.1 of each other in %d", 1000*median(took), 1000*median(theirs.Decisions), agree)
	if agree < len(questions)*8/10 {
		t.Errorf("the programs agree on the value of %d positions of %d: not the same work", agree, len(questions))
	}

	sum, sumTheirs = 0, 0
	for i, id := range work.Rollouts {
		p, err := board.ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		s := rollout.Default()
		s.Trials, s.Threads = work.Trials, 1
		began := bench.CPUTime()
		job, err := rollout.New(t.Context(), e.RolloutOptions(), p, money, s)
		if err != nil {
			t.Fatal(err)
		}
		job.AddPosition(id)
		if err := job.Run(ctx, nil); err != nil {
			t.Fatal(err)
		}
		sum += (bench.CPUTime() - began).Seconds()
		sumTheirs += theirs.Rollouts[i]
		t.Logf("rollout of %s: equity %+.4f, standard error %.4f", id, job.Results()[0].Equity, job.Results()[0].EquityErr)
	}
	compared(t, fmt.Sprintf("0-ply cubeful rollouts with variance reduction, %d x %d trials", len(work.Rollouts), work.Trials), sum, sumTheirs, 15)

	if work.Match != "" {
		var took []float64 // a second each: see above
		for range 5 {
			took = append(took, matchTime(ctx, t, work.Match, world))
		}
		compared(t, "analysis of a 7-point match at 2 plies, luck at 0", median(took), theirs.Match, 15)
	}

	for plies, n := range map[int]int{2: 20, 3: 10} {
		one, two := speedUp(ctx, t, questions[:min(n, len(questions))], plies)
		t.Logf("%d-ply decisions on the clock: 1 thread median %.0f ms, 2 threads %.0f ms; mean speed-up %.2f (means something on an idle machine only)",
			plies, 1000*median(one), 1000*median(two), total(one)/total(two))
	}
}

// matchTime times the analysis of a match that was read, with luck at the depth at which gnubg judges it,
// by an engine that has its nets laid out and has seen nothing.
func matchTime(ctx context.Context, t *testing.T, file string, p preset.Preset) float64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := mat.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Warm()
	a := analyse.New(e.RolloutOptions(), p)
	a.LuckPlies, a.Workers = 0, 1
	began := bench.CPUTime()
	if _, err := a.Analyse(ctx, m); err != nil {
		t.Fatal(err)
	}
	return (bench.CPUTime() - began).Seconds()
}

// playTimes times whole decisions at 0 plies, cubeless, each once by an engine that has
// seen none of them, in seconds, for three such engines, and counts the plays of one.
func playTimes(ctx context.Context, t *testing.T, questions []bench.Question) (took []float64, plays int) {
	t.Helper()
	money := match.Money(false, 0)
	for range 3 {
		e, err := engine.Open(engine.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		e.Warm()
		plays = 0
		began := bench.CPUTime()
		for _, q := range questions {
			_, legal, err := e.Search().Best(ctx, q.Position, q.Dice, money, search.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			plays += legal
		}
		took = append(took, (bench.CPUTime() - began).Seconds())
	}
	return took, plays
}

// compared prints and judges one comparison: target is how many times less
// processor time ours is to take; a tenth less passes.
func compared(t *testing.T, what string, ours, theirs, target float64) {
	t.Helper()
	t.Logf("%s: ours %.2f s, gnubg %.2f s, %.1f times (target %.0f)", what, ours, theirs, theirs/ours, target)
	if theirs < 0.9*ours*target {
		t.Errorf("%s: %.1f times as fast, want %.0f", what, theirs/ours, target)
	}
}

// contactQuestions are decisions of natural games with contact and a choice.
func contactQuestions(ctx context.Context, t *testing.T, e *engine.Engine, n int) (out []bench.Question) {
	t.Helper()
	all, err := bench.NaturalQuestions(ctx, e, 4*n)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range all {
		if eval.ClassOf(&q.Position) == eval.Contact && len(board.AppendPlays(nil, q.Position, q.Dice)) > 1 && len(out) < n {
			out = append(out, q)
		}
	}
	return out
}

func askGnubg(t *testing.T, gnubg, script string, work *compareWork) (got compareTimes) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "work.json"), filepath.Join(dir, "times.json")
	b, err := json.Marshal(work)
	if err == nil {
		err = os.WriteFile(in, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), gnubg, "-t", "-q", "-r", "-p", script)
	cmd.Env = append(os.Environ(), "COMPARE="+in, "COMPARE_OUT="+out, "HOME="+dir)
	text, err := cmd.CombinedOutput()
	if err == nil {
		b, err = os.ReadFile(out)
	}
	if err == nil {
		err = json.Unmarshal(b, &got)
	}
	if err != nil || len(got.Decisions) != len(work.Decisions) || len(got.Equities) != len(work.Decisions) || len(got.Rollouts) != len(work.Rollouts) {
		t.Fatalf("gnubg: %v\n%s", err, text[max(0, len(text)-2000):])
	}
	return got
}

// speedUp times decisions by the clock with one and with two threads, each on a
// new engine.
func speedUp(ctx context.Context, t *testing.T, questions []bench.Question, plies int) (one, two []float64) {
	t.Helper()
	world, err := preset.ByName("worldclass")
	if err != nil {
		t.Fatal(err)
	}
	world.Checker.Plies = plies
	for threads, times := range map[int]*[]float64{1: &one, 2: &two} {
		e, err := engine.Open(engine.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			began := time.Now()
			if _, err := e.RankPlays(ctx, q.Position, q.Dice, match.Money(false, 0), world); err != nil {
				t.Fatal(err)
			}
			*times = append(*times, time.Since(began).Seconds())
		}
		e.Close()
	}
	return one, two
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	return s[len(s)/2]
}

func total(xs []float64) (s float64) {
	for _, x := range xs {
		s += x
	}
	return s
}

func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:1], "")
}
