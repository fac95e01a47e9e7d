package tournament_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/duel"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/preset"
	"fibsbot/engine/rating"
	"fibsbot/engine/tournament"
	"fibsbot/internal/figure"
	"fibsbot/internal/testsize"
)

// field is a tournament of presets without look-ahead, of so many pairs a meeting.
func field(t *testing.T, pairs, length int, names ...string) *tournament.Tournament {
	t.Helper()
	e := enginetest.Open(t)
	expert := enginetest.Preset(t, "expert")
	h := tournament.Header{Length: length, Seed: 7, Judge: tournament.Player{Name: "expert"}}
	var list []preset.Preset
	for _, name := range names {
		p := enginetest.Preset(t, strings.TrimPrefix(name, "cubeless "))
		if p.Name != name {
			p.Cube.Cubeful, p.Checker.Cubeful = false, false
		}
		list = append(list, p)
		h.Players = append(h.Players, tournament.Player{Name: name, Plays: name, Settings: p.Fingerprint()})
	}
	out := &tournament.Tournament{Header: h, Pairs: pairs, Turn: 2}
	out.Run = func(k int) (duel.Run, error) {
		m := h.Meetings()[k]
		plan := duel.Plan{Length: length, Seed: h.SeedOf(k)}
		if out.Header.Judge.Name != "" {
			plan.Luck, plan.Judge = length == 0, &expert // luck takes long
		}
		run := duel.Run{Settings: plan.Settings(e), Jobs: 1}
		for i, n := range [2]int{m.A, m.B} {
			run.Players[i] = duel.Watched(duel.Preset(e, list[n]), 0, nil)
		}
		return run, nil
	}
	return out
}

// report is the result as JSON, without what was timed.
func report(t *testing.T, of *tournament.Tournament) string {
	t.Helper()
	r := of.Report()
	for i := range r.Players {
		p := &r.Players[i]
		if !p.Milliseconds.Known() || *p.Faults != 0 {
			t.Errorf("%s: %v ms, %d faults", p.Name, p.Milliseconds, *p.Faults)
		}
		p.Milliseconds, p.Longest = figure.Unknown, figure.Unknown
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPlay_killedGoesOn plays a tournament of six to the end, and again with twenty ends in the
// middle, half of which cut the log in its last line, as a kill does: the results are equal.
func TestPlay_killedGoesOn(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	six := []string{"beginner", "casual", "intermediate", "advanced", "expert", "cubeless expert"}
	whole := field(t, 2, 1, six...)
	if err := whole.Open(""); err != nil {
		t.Fatal(err)
	}
	if err := whole.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := field(t, 2, 1, six...)
	path := filepath.Join(t.TempDir(), "field.log")
	rng := rand.New(rand.NewPCG(3, 4))
	for kills := 0; ; kills++ {
		if err := again.Open(path); err != nil {
			t.Fatal(err)
		}
		ctx, kill := context.WithCancel(t.Context())
		left := 1 + rng.IntN(2)
		again.Progress = func() {
			if left--; left == 0 && kills < 20 {
				kill()
			}
		}
		err := again.Play(ctx)
		kill()
		if cerr := again.Close(); cerr != nil {
			t.Fatal(cerr)
		}
		if err == nil {
			if kills < 20 {
				t.Errorf("over after %d kills", kills)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if last := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1; kills%2 == 0 {
			text = text[:last+rng.IntN(len(text)-last)]
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(report(t, whole), report(t, again)); diff != "" {
		t.Error(diff)
	}
}

// TestOpen_refuses: a log of another tournament, or one that is damaged, is not touched.
func TestOpen_refuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	one := field(t, 2, 0, "beginner", "casual")
	if err := errors.Join(one.Open(path), one.Play(t.Context()), one.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]string{
		"players is": strings.Replace(string(text), `"name":"casual"`, `"name":"hero"`, 1),
		"seed is 8":  strings.Replace(string(text), `"seed":7`, `"seed":8`, 1),
		"place":      strings.Replace(string(text), `"pair":1`, `"pair":2`, 1),
		"no log":     "{}\n",
		"line 3":     string(text[:len(text)-5]) + "\n",
	} {
		if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		err := field(t, 2, 0, "beginner", "casual").Open(path)
		if now, _ := os.ReadFile(path); !errors.Is(err, tournament.ErrLog) || !strings.Contains(err.Error(), name) || string(now) != other {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPlay_testEnds: a meeting ends when its test has a verdict, at the same pair however many are
// played at a time, and the log of one with a verdict needs no more.
func TestPlay_testEnds(t *testing.T) {
	t.Parallel()
	var want string
	for _, turn := range []int{5, 100} {
		c := field(t, 100, 0, "expert", "beginner")
		c.Header.Judge = tournament.Player{}
		c.Turn, c.Test = turn, &duel.Test{Low: 0, High: 1}
		path := filepath.Join(t.TempDir(), "log")
		if err := errors.Join(c.Open(path), c.Play(t.Context()), c.Close()); err != nil {
			t.Fatal(err)
		}
		if r := c.Report(); r.Meetings[0].Test.Verdict != "high" || r.Meetings[0].Pairs >= 100 {
			t.Errorf("%+v", r.Meetings[0])
		}
		if got := report(t, c); want == "" {
			want = got
		} else if got != want {
			t.Error(cmp.Diff(want, got))
		}
		c.Progress = func() { t.Error("a pair after the verdict") }
		if err := errors.Join(c.Open(path), c.Play(t.Context()), c.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReport_unknown: before the first pair nothing is known, and nothing is 0.
func TestReport_unknown(t *testing.T) {
	c := field(t, 1, 5, "expert", "beginner", "casual")
	c.Header.Gauntlet = true
	if err := c.Open(""); err != nil {
		t.Fatal(err)
	}
	r := c.Report()
	if len(r.Meetings) != 2 || r.Meetings[1].A != "expert" {
		t.Errorf("a gauntlet of %+v", r.Meetings)
	}
	var text, list bytes.Buffer
	if err := errors.Join(r.Text(&text), r.CSV(&list)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "1  expert         –  –      0       –  –") {
		t.Error(text.String())
	}
	if !strings.Contains(list.String(), "\nexpert,expert,0,,,,,,,,,,,,,,0,,,\n") {
		t.Error(list.String())
	}
	if doc, err := json.Marshal(r); err != nil || !strings.Contains(string(doc), `"points":{"mean":null,"stderr":null}`) || !strings.Contains(string(doc), `"rating":null,"pr":null`) {
		t.Errorf("%s %v", doc, err)
	}
}

// TestReport_page: the page has the tables and a bar for each player with a rating, names are text, and
// only a page of a tournament in progress is read again.
func TestReport_page(t *testing.T) {
	r := tournament.Report{Seed: 3, Players: []tournament.Standing{
		{Name: "<script>alert(1)</script>", Rating: &rating.Interval{Low: 0.1, Estimate: 0.2, High: 0.3}, Games: 8},
		{Name: "second", Rating: &rating.Interval{Low: -0.3, Estimate: -0.2, High: -0.1}, Games: 8},
		{Name: "has not played"},
	}}
	for _, live := range []bool{true, false} {
		var b bytes.Buffer
		if err := r.Page(&b, live); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		if strings.Contains(page, "<script>") || strings.Count(page, "<circle") != 2 || strings.Contains(page, `"refresh"`) != live {
			t.Errorf("live %v: %s", live, page)
		}
		for _, want := range []string{"has not played", `<line x1="190" y1="0" x2="333.3"`, "0.200 ± 0.100", "seed 3"} {
			if !strings.Contains(page, want) {
				t.Errorf("live %v: no %q", live, want)
			}
		}
	}
	var b bytes.Buffer
	if err := (&tournament.Report{}).Page(&b, true); err != nil || strings.Contains(b.String(), "<svg") {
		t.Errorf("nobody has played: %v, %s", err, b.String())
	}
}
