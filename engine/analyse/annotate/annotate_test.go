package annotate

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/rollout"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func load(t *testing.T) *record.Match {
	t.Helper()
	m, _, err := sgf.ReadFile(filepath.Join("..", "testdata", "gnubg", "match5.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func judge(t *testing.T) *analyse.Analyst {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1, CacheMB: 16, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	return analyse.New(e.RolloutOptions(), p)
}

// places finds a play with several candidates, a decision not to double and a take.
func places(t *testing.T, m *record.Match) (play, none, take Place) {
	t.Helper()
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	for i := range m.Games {
		for _, d := range report.Rows(m, s, i, nil) {
			p := Place{i + 1, d.Number}
			switch {
			case d.Kind == "checker" && len(d.Candidates) > 5 && d.Loss() > 0:
				play = p
			case d.Kind == "double" && d.Turn().Action.Kind == record.Move && d.Counts:
				none = p
			case d.Kind == "take":
				take = p
			}
		}
	}
	return play, none, take
}

// again writes a match and reads it.
func again(t *testing.T, m *record.Match) *record.Match {
	t.Helper()
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	back, ws, err := sgf.Read(&b)
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	return back
}

func TestAnnotate_survivesTheFile(t *testing.T) {
	m, j := load(t), judge(t)
	play, none, take := places(t, m)
	s := rollout.Default()
	s.Trials, s.Truncate, s.Threads = 36, 5, 1
	before := map[Place]report.Row{}
	for _, p := range []Place{play, none, take} {
		d, err := Find(m, p)
		if err != nil {
			t.Fatal(err)
		}
		before[p] = *d
		if err := Rollout(t.Context(), m, p, j, Rolling{Settings: s, Plays: 3}); err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		if err := Comment(m, p, " weigh ] the \\ anchor \n<b>twice "); err != nil {
			t.Fatal(err)
		}
	}
	m = again(t, m)
	for _, p := range []Place{play, none, take} {
		d, err := Find(m, p)
		if err != nil {
			t.Fatal(err)
		}
		if d.Depth != "rollout 36" {
			// The play made may be one of the candidates behind; it is rolled out anyway.
			t.Errorf("%v is a %s", p, d.Depth)
		}
		if d.Turn().Action.Comment != "weigh ] the \\ anchor \n<b>twice" {
			t.Errorf("%v: comment %q", p, d.Turn().Action.Comment)
		}
		// The evaluation stays beside the rollout, with its judge.
		was := before[p]
		if len(d.Beside) != 1 || d.Beside[0].By != "GNU Backgammon 1.07.001" || d.Beside[0].Depth != "0-ply" ||
			cmp.Diff(was.Candidates, d.Beside[0].Candidates, cmpopts.IgnoreUnexported(report.Candidate{}), cmpopts.EquateApprox(0, 1e-5)) != "" ||
			cmp.Diff(was.Cube, d.Beside[0].Cube, cmpopts.IgnoreUnexported(report.CubeChoice{}), cmpopts.EquateApprox(0, 1e-5)) != "" {
			t.Errorf("%v: beside the rollout %+v, before it %+v %+v", p, d.Beside, was.Candidates, was.Cube)
		}
		var b strings.Builder
		if err := report.WriteDecision(&b, m, p.Game, d, nil); err != nil || !strings.Contains(b.String(), "rollout 36") || !strings.Contains(b.String(), "±") || !strings.Contains(b.String(), "Before the rollout: GNU Backgammon 1.07.001, 0-ply\n") {
			t.Errorf("%v: %s", p, b.String())
		}
	}
	d, _ := Find(m, play)
	if len(d.Candidates) < 4 || d.Candidates[0].StdErr <= 0 || strings.HasPrefix(d.Candidates[len(d.Candidates)-1].Depth, "rollout") {
		t.Errorf("candidates: %+v", d.Candidates)
	}
	// The page shows both, as text.
	var page bytes.Buffer
	if err := report.HTML(&page, m, analyse.Summarise(m, nil, analyse.DefaultLimits), report.PageOptions{}); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); !strings.Contains(text, "rollout 36") || strings.Count(text, "<p class=was>Before the rollout: GNU Backgammon 1.07.001, 0-ply") < 2 || !strings.Contains(text, "&lt;b&gt;twice") || strings.Contains(text, "<b>twice") {
		t.Error("the page has no rollout, no comment, or its markup")
	}
	// An analysis afterwards keeps the rollouts, a hint of the same decision does not.
	if _, err := j.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if d, _ := Find(m, play); d.Depth != "rollout 36" || len(d.Beside) != 1 {
		t.Errorf("after an analysis %s, beside it %+v", d.Depth, d.Beside)
	}
	// A longer rollout takes the place of the first, not that of the evaluation.
	s.Trials = 72
	if err := Rollout(t.Context(), m, play, j, Rolling{Settings: s, Plays: 3}); err != nil {
		t.Fatal(err)
	}
	if d, _ := Find(m, play); d.Depth != "rollout 72" || len(d.Beside) != 1 || d.Beside[0].Depth != "0-ply" {
		t.Errorf("after a longer rollout %s, beside it %+v", d.Depth, d.Beside)
	}
	j.Again = true
	if err := Hint(t.Context(), m, play, j); err != nil {
		t.Fatal(err)
	}
	if d, _ := Find(m, play); d.Depth != "0-ply" || len(d.Beside) > 0 || d.Turn().Action.Comment == "" {
		t.Errorf("after a hint %s", d.Depth)
	}
	if err := Comment(m, play, ""); err != nil || again(t, m).Games[play.Game-1].Actions[d.Turn().Index].Comment != "" {
		t.Error("the comment stays")
	}
}

// TestAnnotate_numbers: a decision has the same number before and after an analysis.
func TestAnnotate_numbers(t *testing.T) {
	m, j := load(t), judge(t)
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			m.Games[i].Actions[k].Analysis = nil
		}
	}
	type key struct{ game, index, number int }
	numbers := func() map[key]bool {
		out := map[key]bool{}
		s := analyse.Summarise(m, nil, analyse.DefaultLimits)
		for i := range m.Games {
			for _, d := range report.Rows(m, s, i, nil) {
				if d.Turn() != nil && d.Kind == "checker" {
					out[key{i, d.Turn().Index, d.Number}] = true
				}
			}
		}
		return out
	}
	before := numbers()
	if _, err := j.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	after := numbers()
	if len(before) < 100 || len(before) != len(after) {
		t.Fatalf("%d plays before, %d after", len(before), len(after))
	}
	for k := range before {
		if !after[k] {
			t.Errorf("%+v has another number after the analysis", k)
		}
	}
	// An unanalysed play is ranked first.
	for k := range m.Games[0].Actions {
		m.Games[0].Actions[k].Analysis = nil
	}
	play := Place{1, 3}
	s := rollout.Default()
	s.Trials, s.Truncate, s.Threads = 36, 3, 1
	if err := Rollout(t.Context(), m, play, j, Rolling{Settings: s, Plays: 2}); err != nil {
		t.Fatal(err)
	}
}

func TestPlace(t *testing.T) {
	for _, text := range []string{"", "2", "2.", ".3", "0.1", "1.0", "a.b", "2.3.4", "-1.2", "99999999999999999999.1"} {
		if p, err := ParsePlace(text); !errors.Is(err, ErrPlace) {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	if p, err := ParsePlace("2.14"); err != nil || p != (Place{2, 14}) || p.String() != "2.14" {
		t.Error(p, err)
	}
	m := load(t)
	for _, p := range []Place{{9, 1}, {1, 999}} {
		if err := Comment(m, p, "x"); !errors.Is(err, ErrPlace) {
			t.Errorf("%v: %v", p, err)
		}
	}
}
