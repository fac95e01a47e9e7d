package analyse

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/panics"
	"fibsbot/internal/reference"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

func opened(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1, CacheMB: 16, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func newAnalyst(t testing.TB) *Analyst {
	t.Helper()
	e := opened(t)
	s := search.Settings{Cubeful: true, Deterministic: true}
	return &Analyst{Engine: e.Search(), Checker: s, Cube: s, Limits: DefaultLimits}
}

// strip removes an earlier analysis.
func strip(m *record.Match) *record.Match {
	for i := range m.Games {
		m.Games[i].Statistics = nil
		for k := range m.Games[i].Actions {
			m.Games[i].Actions[k].Analysis = nil
			m.Games[i].Actions[k].Marks = record.Marks{}
		}
	}
	return m
}

func TestAnalyse_judgesEveryDecision(t *testing.T) {
	testsize.Medium(t)
	for _, name := range []string{"match3.sgf", "match5.sgf", "match7.sgf"} {
		t.Run(name, func(t *testing.T) { judgesLikeGnubg(t, name) })
	}
}

func judgesLikeGnubg(t *testing.T, name string) {
	m := strip(load(t, filepath.Join("testdata", "gnubg", name)))
	gnubg := Summarise(load(t, filepath.Join("testdata", "gnubg", name)), nil, DefaultLimits)
	s, err := newAnalyst(t).Analyse(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	for p := range 2 {
		got, want := &s.Players[p], &gnubg.Players[p]
		// What counts as a decision follows from the rules alone.
		if got.Unforced != want.Unforced || got.CubeDecisions != want.CubeDecisions {
			t.Errorf("player %d: %d unforced and %d cube decisions, gnubg has %d and %d", p, got.Unforced, got.CubeDecisions, want.Unforced, want.CubeDecisions)
		}
		// The errors of weak play look alike to any sound evaluator.
		if r := got.PlayError.EMG / want.PlayError.EMG; r < 0.7 || r > 1.4 {
			t.Errorf("player %d: checker error %.3f, gnubg says %.3f", p, got.PlayError.EMG, want.PlayError.EMG)
		}
		if d := math.Abs(got.Luck.EMG - want.Luck.EMG); d > 0.5 {
			t.Errorf("player %d: luck %.3f, gnubg says %.3f", p, got.Luck.EMG, want.Luck.EMG)
		}
	}
	if d := math.Abs(s.LuckAdjusted[0] + s.LuckAdjusted[1]); d > 1e-9 {
		t.Errorf("the luck-adjusted results sum to %v", d)
	}
	// What was found is what the file keeps.
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	back, _, err := sgf.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	again := Summarise(back, nil, DefaultLimits)
	for p := range 2 {
		if math.Abs(again.Players[p].Error().EMG-s.Players[p].Error().EMG) > 0.001 {
			t.Errorf("after writing and reading: error %v, before %v", again.Players[p].Error().EMG, s.Players[p].Error().EMG)
		}
	}
}

func TestAnalyse_sameForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int) *Summary {
		m := strip(load(t, filepath.Join("testdata", "gnubg", "session5.sgf")))
		a := newAnalyst(t)
		a.Workers = workers
		s, err := a.Analyse(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, many := run(1), run(4)
	for p := range 2 {
		if diff := cmp.Diff(one.Players[p], many.Players[p]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAnalyse_goesOnWhereItStopped(t *testing.T) {
	m := strip(load(t, filepath.Join("testdata", "gnubg", "session5.sgf")))
	a := newAnalyst(t)
	a.Workers = 1
	ctx, cancel := context.WithCancel(t.Context())
	var n, total atomic.Int64
	a.Progress = func(done, all int) {
		total.Store(int64(all))
		if n.Add(1) == 10 {
			cancel()
		}
	}
	if _, err := a.Analyse(ctx, m); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped analysis: %v", err)
	}
	first, all := n.Load(), total.Load()
	n.Store(0)
	if _, err := a.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if first+n.Load() != all {
		t.Errorf("judged %d, then %d of %d", first, n.Load(), all)
	}
	n.Store(0)
	if _, err := a.Analyse(t.Context(), m); err != nil || n.Load() != 0 {
		t.Errorf("a finished analysis judged %d again (%v)", n.Load(), err)
	}
}

// stopped analyses m until n decisions are judged.
func stopped(t *testing.T, a *Analyst, m *record.Match, n int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	half := *a
	half.Workers = 1
	half.Progress = func(done, _ int) {
		if done == n {
			stop()
		}
	}
	if _, err := half.Analyse(ctx, m); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped with %v", err)
	}
}

func TestTakeOver_whatAFileKept(t *testing.T) {
	name := filepath.Join("testdata", "gnubg", "match3.sgf")
	a := newAnalyst(t)
	half := strip(load(t, name))
	stopped(t, a, half, 60)
	var file bytes.Buffer
	if err := sgf.Write(&file, half); err != nil {
		t.Fatal(err)
	}
	kept := func() *record.Match {
		m, _, err := sgf.Read(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := strip(load(t, name))
	all := len(a.due(m))
	n := a.TakeOver(m, kept())
	if n < 50 || n > all {
		t.Errorf("%d decisions taken over of 60 or a few more", n)
	}
	if left := len(a.due(m)); left != all-n {
		t.Errorf("%d of %d decisions are left to judge, %d were taken over", left, all, n)
	}
	noisy, deeper, again := *a, *a, *a
	noisy.Checker.Noise, noisy.Cube.Noise = 0.01, 0.01
	deeper.Checker.Plies, deeper.Cube.Plies = 2, 2
	again.Again = true
	renamed, played := kept(), kept()
	renamed.Players[0].Name = "Carol"
	last := &played.Games[len(played.Games)-1]
	last.Actions = last.Actions[:len(last.Actions)-1]
	forced := 0 // such plays without a cube decision know no settings
	for _, g := range kept().Games {
		for i := range g.Actions {
			if f := g.Actions[i].Analysis; f != nil && f.Cube == nil && len(f.Candidates) < 2 {
				forced++
			}
		}
	}
	if forced > n/4 {
		t.Errorf("%d of %d decisions are forced plays", forced, n)
	}
	for _, tt := range []struct {
		name    string
		a       *Analyst
		earlier *record.Match
		most    int
	}{
		{"other noise", &noisy, kept(), forced},
		{"deeper", &deeper, kept(), forced},
		{"again", &again, kept(), 0},
		{"other players", a, renamed, 0},
		{"one action less", a, played, 0},
	} {
		if n := tt.a.TakeOver(strip(load(t, name)), tt.earlier); n > tt.most {
			t.Errorf("%s: %d decisions taken over", tt.name, n)
		}
	}
}

// A search does not replace rollouts, unless Again is set.
func TestAnalyse_keepsRollouts(t *testing.T) {
	path := filepath.Join("..", "record", "sgf", "testdata", "rollouts.sgf")
	rolled := func(m *record.Match) (out []any) {
		for _, a := range m.Games[0].Actions {
			if a.Analysis == nil {
				continue
			}
			if c := a.Analysis.Cube; c != nil && c.Rollout != nil && c.Rollout.Trials > 0 {
				out = append(out, *c)
			}
			if c := a.Analysis.Candidates; len(c) > 0 && c[0].Rollout != nil {
				out = append(out, slices.Clone(c), a.Analysis.Played)
			}
		}
		return out
	}
	m := load(t, path)
	want := rolled(m)
	a := newAnalyst(t)
	a.Checker.Plies, a.Cube.Plies = 1, 1
	if _, err := a.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, rolled(m)); diff != "" || len(want) < 6 {
		t.Errorf("%d rollouts changed: %s", len(want), diff)
	}
	a.Again = true
	if _, err := a.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if left := rolled(m); len(left) > 0 {
		t.Errorf("%d rollouts are left after a full re-analysis", len(left))
	}
}

// tripping is an evaluator with a fault.
type tripping struct{}

func (tripping) Eval(*board.Position) eval.Probs      { panic("tripped") }
func (tripping) EvalPlays([]board.Play, []eval.Probs) { panic("tripped") }

// TestAnalyse_aFaultIsAnError: a program that analyses beside other things, as a bot
// does, must not end of it.
func TestAnalyse_aFaultIsAnError(t *testing.T) {
	e, err := search.New(search.Options{NewEvaluator: func() search.Evaluator { return tripping{} }, Threads: 3, CacheBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	m := load(t, reference.Path(t, "formats", "samples", "match3.sgf"))
	for _, plies := range []int{0, 1, 2} {
		s := search.Settings{Plies: plies, Deterministic: true}
		_, err = (&Analyst{Engine: e, Checker: s, Cube: s, Limits: DefaultLimits, Workers: 2}).Analyse(t.Context(), strip(m))
		var f *panics.Fault
		if !errors.As(err, &f) || f.Value != "tripped" || !bytes.Contains(f.Stack, []byte("analyst_test.go")) {
			t.Errorf("%d plies: %v, want the fault", plies, err)
		}
	}
}

// TestAnalyse_rollsOutClosePlays: a preset that rolls out close plays when it plays does
// so when it judges; the play made is among them, and files keep it.
func TestAnalyse_rollsOutClosePlays(t *testing.T) {
	testsize.Medium(t)
	e := opened(t)
	p, err := preset.ByName("grandmaster")
	if err != nil {
		t.Fatal(err)
	}
	p = p.WithPlies(0)
	p.Close = preset.Close{Plays: 3, Within: 0.04, Trials: 36, Truncate: 5}
	m := load(t, filepath.Join("testdata", "gnubg", "match3.sgf"))
	m.Games = m.Games[:1]
	judge := New(e.RolloutOptions(), p)
	judge.Again = true
	if _, err := judge.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	back, _, err := sgf.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	rolled, errs := 0, 0
	for turn := range back.Turns(&back.Games[0]) {
		an := turn.Action.Analysis
		if an == nil || len(an.Candidates) == 0 || an.Candidates[0].Rollout == nil {
			continue
		}
		rolled++
		for _, k := range []int{0, 1, an.Played} {
			c := &an.Candidates[k]
			if c.Rollout == nil || c.Rollout.Trials != 36 {
				t.Fatalf("action %d, candidate %d: %+v", turn.Index, k, c.Rollout)
			}
			if c.Rollout.StdErr[0].Cubeful > 0 {
				errs++ // it is 0 where no roll matters any more
			}
			if c.Outcome.Cubeful > an.Candidates[0].Outcome.Cubeful {
				t.Errorf("action %d: candidate %d is better than the first", turn.Index, k)
			}
		}
	}
	if rolled < 5 || errs < rolled {
		t.Errorf("%d plays rolled out, %d standard errors", rolled, errs)
	}
	// Nothing is left to do, until plays that are close have no rollout.
	judge.Again = false
	if n := len(judge.due(back)); n != 0 {
		t.Errorf("%d decisions are judged again", n)
	}
	for name, c := range map[string]struct {
		close preset.Close
		again bool
	}{
		"fewer trials":     {preset.Close{Plays: 3, Within: 0.04, Trials: 35, Truncate: 5}, false},
		"no rollouts":      {preset.Close{}, false},
		"more trials":      {preset.Close{Plays: 3, Within: 0.04, Trials: 72, Truncate: 5}, true},
		"later ends":       {preset.Close{Plays: 3, Within: 0.04, Trials: 36, Truncate: 7}, true},
		"to the last roll": {preset.Close{Plays: 3, Within: 0.04, Trials: 36}, true},
		"deeper plies":     {preset.Close{Plays: 3, Within: 0.04, Trials: 36, Truncate: 5, Early: 2, Plies: 1}, true},
	} {
		judge.Close = c.close
		if n := len(judge.due(back)); c.again != (n >= rolled/2) || !c.again && n != 0 {
			t.Errorf("%s: %d decisions are due, %d were rolled out", name, n, rolled)
		}
	}
	plain := load(t, filepath.Join("testdata", "gnubg", "match3.sgf"))
	plain.Games = plain.Games[:1]
	judge.Close = preset.Close{Plays: 3, Within: 0.04, Trials: 36, Truncate: 5}
	if n := len(judge.due(plain)); n < rolled/2 {
		t.Errorf("%d decisions of a file without rollouts are due", n)
	}
}

// TestAnalyse_skip leaves a part of the analysis out and keeps what the file had of it.
func TestAnalyse_skip(t *testing.T) {
	e := opened(t)
	fresh := func() *record.Match {
		m := load(t, filepath.Join("testdata", "gnubg", "match3.sgf"))
		m.Games = m.Games[:1]
		return m
	}
	settings := search.Settings{Cubeful: true, Deterministic: true}
	for _, tt := range []struct {
		skip               Skip
		plays, cubes, luck bool
	}{
		{Skip{Checker: true}, false, true, true},
		{Skip{Cube: true}, true, false, true},
		{Skip{Luck: true}, true, true, false},
		{Skip{true, true, true}, false, false, false},
	} {
		m := fresh()
		for i := range m.Games[0].Actions {
			m.Games[0].Actions[i].Analysis = nil
		}
		judge := Analyst{Engine: e.Search(), Checker: settings, Cube: settings, Limits: DefaultLimits, Skip: tt.skip}
		s, err := judge.Analyse(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		x := &s.Players[0]
		if (x.CountedPlays > 0) != tt.plays || (x.Cubes > 0) != tt.cubes || (x.Rolls > 0) != tt.luck {
			t.Errorf("%+v: %d plays, %d cube decisions, %d rolls judged", tt.skip, x.CountedPlays, x.Cubes, x.Rolls)
		}
		if !tt.plays && x.Counted != x.Cubes && x.Counted > x.Cubes {
			t.Errorf("%+v: PR is taken over %d decisions, %d were judged", tt.skip, x.Counted, x.Cubes)
		}
	}
	// What the file has of a part that is switched off stays.
	m := fresh()
	want := Summarise(m, nil, DefaultLimits).Players[0].PlayError
	judge := Analyst{Engine: e.Search(), Checker: settings, Cube: settings, Limits: DefaultLimits, Skip: Skip{Checker: true}, Again: true}
	s, err := judge.Analyse(t.Context(), m)
	if err != nil || s.Players[0].PlayError != want {
		t.Errorf("plays: %v, want %v; %v", s.Players[0].PlayError, want, err)
	}
}

// TestSpec_judgesAlikeElsewhere judges two matches by what their specification makes, in
// pieces of several decisions: both files come out as from this process.
func TestSpec_judgesAlikeElsewhere(t *testing.T) {
	testsize.Medium(t)
	a := newAnalyst(t)
	matches := func() (out []*record.Match) {
		for range 2 { // the same match twice
			out = append(out, strip(load(t, filepath.Join("testdata", "gnubg", "match3.sgf"))))
		}
		return out
	}
	text := func(list []*record.Match) string {
		var file bytes.Buffer
		for _, m := range list {
			if err := sgf.Write(&file, m); err != nil {
				t.Fatal(err)
			}
		}
		return file.String()
	}
	local, far := matches(), matches()
	for _, m := range local {
		if _, err := a.Analyse(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	spec, err := a.Spec("match3.sgf")
	if err != nil {
		t.Fatal(err)
	}
	makeRunner, err := FromSpec(rollout.Options{Search: a.Engine}, spec)
	if err != nil {
		t.Fatal(err)
	}
	b := Analyst{Engine: a.Engine, Checker: a.Checker, Cube: a.Cube, Limits: a.Limits, Crew: &shard.Local{Threads: 2, New: makeRunner}, Size: 7}
	var works []*Work
	keys := map[string]bool{}
	for _, m := range far {
		w, err := b.Prepare(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range w.pieces {
			if keys[p.Key] {
				t.Errorf("two pieces %s", p.Key)
			}
			keys[p.Key] = true
		}
		works = append(works, w)
	}
	for k, w := range works {
		if _, err := b.Do(t.Context(), w, works[k+1:]); err != nil {
			t.Fatal(err)
		}
	}
	if text(local) != text(far) {
		t.Error("other judgements")
	}
	if local[0].Games[0].Actions[0].Analysis == nil || len(keys) < 20 {
		t.Errorf("%d pieces", len(keys))
	}
	for _, ask := range []string{"", "[]", `[{"kind":1}]`, `[{"play":{"N":9}}]`} {
		r, err := makeRunner()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Run(t.Context(), []byte(ask)); !errors.Is(err, errPiece) {
			t.Errorf("%q: %v", ask, err)
		}
	}
}

// A beaver and the answer to it are judged by the double that they go back to, whose
// doubler is on roll: gnubg keeps that analysis with them, too.
func TestAnalyse_beaversByTheFirstDouble(t *testing.T) {
	m := strip(load(t, filepath.Join("testdata", "gnubg", "session5.sgf")))
	m.Games = m.Games[1:3] // one with a beaver, one with a raccoon
	if _, err := newAnalyst(t).Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	beavers := 0
	for i := range m.Games {
		var first *record.CubeAnalysis
		for turn := range m.Turns(&m.Games[i]) {
			a := turn.Action
			if a.Kind != record.Double && a.Kind != record.Take && a.Kind != record.Drop {
				continue
			}
			if a.Analysis == nil || a.Analysis.Cube == nil {
				t.Fatalf("game %d: %+v is not judged", i+1, a)
			}
			if turn.Pending == 0 {
				first = a.Analysis.Cube
				continue
			}
			if turn.Pending > 1 || a.Kind == record.Double {
				beavers++
			}
			if diff := cmp.Diff(first, a.Analysis.Cube); diff != "" {
				t.Errorf("game %d, %d doubles before it: (-double +this)\n%s", i+1, turn.Pending, diff)
			}
		}
	}
	if beavers != 5 {
		t.Errorf("%d beavers, raccoons and their answers, want 5", beavers)
	}
}

// TestAnalyst_noEngine: the zero value says what it lacks.
func TestAnalyst_noEngine(t *testing.T) {
	var a Analyst
	if _, err := a.Analyse(t.Context(), &record.Match{}); err == nil {
		t.Error("Analyse: no error")
	}
	if err := a.One(t.Context(), &record.Match{}, 0, 0); err == nil {
		t.Error("One: no error")
	}
}

// TestAnalyse_comparesTwo: an error is listed beside the best two plays, all three at the full
// depth, even if the filter left nothing but the best.
func TestAnalyse_comparesTwo(t *testing.T) {
	p, err := preset.ByName("worldclass")
	if err != nil {
		t.Fatal(err)
	}
	a := New(opened(t).RolloutOptions(), p)
	roll := board.Dice{A: 3, B: 1}
	list, err := a.Engine.Plays(t.Context(), board.Start, roll, match.Money(true, 0), a.Checker)
	if err != nil || list[0].Plies == a.Checker.Plies {
		t.Fatalf("%v: the filter keeps a rival of 8/5 6/5", err)
	}
	bad := list[len(list)-1].Play
	m := &record.Match{Games: []record.Game{{Actions: []record.Action{{Kind: record.Move, Dice: roll, Steps: bad.Steps[:bad.N]}}}}}
	if _, err := a.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	an := m.Games[0].Actions[0].Analysis
	if an.Played != 2 || !slices.Equal(an.Candidates[0].Steps, list[0].Play.Steps[:list[0].Play.N]) || !slices.Equal(an.Candidates[1].Steps, list[1].Play.Steps[:list[1].Play.N]) {
		t.Errorf("the play made is number %d of %+v", an.Played+1, an.Candidates[:4])
	}
	for k, c := range an.Candidates[:4] {
		if (c.Settings.Plies == a.Checker.Plies) != (k < 3) {
			t.Errorf("play %d at %d plies", k+1, c.Settings.Plies)
		}
	}
}
