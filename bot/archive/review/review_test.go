package review_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/search"
	"fibsbot/internal/testsize"
)

// archive makes an archive of three matches without an analysis.
func archive(t *testing.T) *index.DB {
	t.Helper()
	db, err := index.Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, name := range []string{"match3.sgf", "match5.sgf", "session5.sgf"} {
		m, _, err := sgf.ReadFile(filepath.Join("..", "..", "..", "engine", "analyse", "testdata", "gnubg", name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Games {
			m.Games[i].Statistics = nil
			for k := range m.Games[i].Actions {
				m.Games[i].Actions[k].Analysis = nil
			}
		}
		m.Players[0].Name = "=Al\tice"
		if _, err := db.Import(t.Context(), m, index.Meta{Account: "Bob"}); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func judge(t *testing.T, db *index.DB) *review.Reviewer {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1, CacheMB: 16, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	s := search.Settings{Cubeful: true, Deterministic: true}
	return &review.Reviewer{DB: db, Analyst: &analyse.Analyst{Engine: e.Search(), Checker: s, Cube: s, Limits: analyse.DefaultLimits, Workers: 1}}
}

func TestArchive_judgesItself(t *testing.T) {
	testsize.Medium(t)
	db := archive(t)
	j := judge(t, db)
	// Stopped in the second match, it resumes there.
	ctx, stop := context.WithCancel(t.Context())
	matches := 0
	j.Done = func(*index.Match, int, int, error) { matches++ }
	j.Analyst.Progress = func(done, _ int) {
		if matches == 1 && done == 20 {
			stop()
		}
	}
	if sum, err := j.Run(ctx, index.Filter{}, 0); !errors.Is(err, context.Canceled) || sum.Judged != 1 {
		t.Fatalf("stopped: %+v, %v", sum, err)
	}
	j.Analyst.Progress = nil
	if sum, err := j.Run(t.Context(), index.Filter{}, 1); err != nil || sum != (review.Sum{Judged: 1, Left: 1}) {
		t.Fatalf("one more: %+v, %v", sum, err)
	}
	if sum, err := j.Run(t.Context(), index.Filter{}, 0); err != nil || sum != (review.Sum{Judged: 1}) {
		t.Fatalf("the rest: %+v, %v", sum, err)
	}
	if sum, err := j.Run(t.Context(), index.Filter{}, 0); err != nil || sum != (review.Sum{}) {
		t.Fatalf("nothing is left: %+v, %v", sum, err)
	}
	stats, err := db.Stats(t.Context(), index.Filter{}, "")
	if err != nil || len(stats) != 1 || stats[0].Get("analysed") != 3 || !(stats[0].Get("pr") > 0) {
		t.Fatalf("statistics: %+v, %v", stats, err)
	}
	sums := map[string]float64{}
	for _, by := range []string{"phase", "plan"} {
		list, err := db.Splits(t.Context(), index.Filter{}, by)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			sums[by] += s.Error
		}
	}
	if d := sums["phase"] - sums["plan"]; d > 0.001 || d < -0.001 || sums["phase"] == 0 {
		t.Errorf("lost by phase and by plan: %v", sums)
	}
	// A damaged file is reported, the others are analysed.
	var file string
	if err := db.List(t.Context(), index.Filter{}, func(m *index.Match) error { file = m.File; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(db.Dir(), file), []byte("no match"), 0o644); err != nil {
		t.Fatal(err)
	}
	bad := 0
	if _, err := find(t, db, review.Query{}, func(error) { bad++ }); err != nil || bad != 1 {
		t.Errorf("%d bad files, %v", bad, err)
	}
	j.Analyst.Checker.Plies, j.Deeper = 1, true
	if sum, err := j.Run(t.Context(), index.Filter{Unlimited: true}, 0); err != nil || sum.Judged+sum.Failed != 1 {
		t.Errorf("deeper: %+v, %v", sum, err)
	}
}

func find(t *testing.T, db *index.DB, q review.Query, bad func(error)) (out []*review.Found, err error) {
	t.Helper()
	err = review.Decisions(t.Context(), db, index.Filter{}, q, func(f *review.Found) error { out = append(out, f); return nil }, bad)
	return out, err
}

func TestErrors_findWhatIsAsked(t *testing.T) {
	testsize.Medium(t)
	db := archive(t)
	if _, err := judge(t, db).Run(t.Context(), index.Filter{}, 0); err != nil {
		t.Fatal(err)
	}
	all, err := find(t, db, review.Query{}, nil)
	if err != nil || len(all) < 50 {
		t.Fatalf("%d errors, %v", len(all), err)
	}
	for _, tt := range []struct {
		name string
		q    review.Query
		fits func(*review.Found) bool
	}{
		{"size", review.Query{Min: 0.08, Max: 0.2}, func(f *review.Found) bool { return f.Loss() >= 0.08 && f.Loss() <= 0.2 }},
		{"checker", review.Query{Kind: "checker"}, func(f *review.Found) bool { return f.Kind == "checker" }},
		{"cube", review.Query{Kind: "cube"}, func(f *review.Found) bool { return f.Kind != "checker" }},
		{"category", review.Query{Kind: "missed cash"}, func(f *review.Found) bool { return f.Fault == "missed cash" }},
		{"phase", review.Query{Phase: "opening"}, func(f *review.Found) bool { return f.Phase == "opening" }},
		{"plan", review.Query{Plan: "race"}, func(f *review.Found) bool { return f.Plan == "race" }},
		{"me", review.Query{Player: "me"}, func(f *review.Found) bool { return f.Name == "Bob" }},
		{"opponent", review.Query{Player: "opponent"}, func(f *review.Found) bool { return f.Name != "Bob" }},
		{"name", review.Query{Player: "bob"}, func(f *review.Found) bool { return f.Name == "Bob" }},
		{"position", review.Query{Position: all[3].PositionID}, func(f *review.Found) bool { return f.PositionID == all[3].PositionID }},
		{"verdict", review.Query{Verdict: "double, take"}, func(f *review.Found) bool {
			return f.Cube != nil && (f.Cube.Words() == "Double, take" || f.Cube.Words() == "Redouble, take")
		}},
		{"redouble", review.Query{Verdict: "Redouble, take"}, func(f *review.Found) bool { return f.Cube != nil && f.Cube.Words() == "Redouble, take" }},
		{"pattern", review.Query{Position: "-b*"}, func(f *review.Found) bool { return strings.HasPrefix(f.XGID, "XGID=-b") }},
	} {
		want := 0
		for _, f := range all {
			if tt.fits(f) {
				want++
			}
		}
		got, err := find(t, db, tt.q, nil)
		if err != nil || len(got) != want || want == 0 {
			t.Errorf("%s: %d found, want %d (%v)", tt.name, len(got), want, err)
		}
	}
	// All decisions, those that lost nothing too.
	every, err := find(t, db, review.Query{All: true}, nil)
	if err != nil || len(every) < 3*len(all) {
		t.Errorf("%d decisions, %d errors, %v", len(every), len(all), err)
	}
	if got, err := find(t, db, review.Query{Limit: 4}, nil); err != nil || len(got) != 4 {
		t.Errorf("limit: %d, %v", len(got), err)
	}
	for _, q := range []review.Query{{Kind: "x"}, {Phase: "x"}, {Plan: "x"}, {Verdict: "pass"}, {Position: "[x"}, {Min: -1}, {Min: 2, Max: 1}} {
		if _, err := find(t, db, q, nil); !errors.Is(err, review.ErrQuery) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	decks(t, all[:20])
}

func decks(t *testing.T, list []*review.Found) {
	t.Helper()
	var b bytes.Buffer
	if err := review.Cards(&b, "csv", list, nil); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != len(list)+1 {
		t.Fatalf("csv: %d rows, %v", len(rows), err)
	}
	for _, r := range rows[1:] {
		for _, cell := range r {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("a spreadsheet would run %q", cell)
			}
		}
	}
	b.Reset()
	if err := review.Cards(&b, "anki", list, nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != len(list)+3 || lines[0] != "#separator:tab" {
		t.Fatalf("anki: %d lines, the first %q", len(lines), lines[0])
	}
	for _, l := range lines[3:] {
		f := strings.Split(l, "\t")
		if len(f) != 3 || !strings.HasPrefix(f[0], "<svg") || !strings.Contains(f[1], "XGID=") || !strings.Contains(f[2], "backgammon") {
			t.Errorf("a card of %d fields: %.80s", len(f), l)
		}
		var picture struct {
			ViewBox string `xml:"viewBox,attr"`
			Class   string `xml:"class,attr"`
		}
		svg, _, _ := strings.Cut(f[0], "<br>")
		if err := xml.Unmarshal([]byte(svg), &picture); err != nil || !strings.HasPrefix(picture.ViewBox, "0 0 ") || picture.Class != "bg-board" || strings.Contains(l, `"`) {
			t.Errorf("the picture of a card: %v %+v: %.200s", err, picture, svg)
		}
	}
	b.Reset()
	if err := review.Cards(&b, "html", list, nil); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "<details>"); n != len(list) {
		t.Errorf("%d cards on the page of %d", n, len(list))
	}
	if err := review.Cards(&b, "pdf", list, nil); !errors.Is(err, review.ErrQuery) {
		t.Errorf("pdf: %v", err)
	}
}

// A match with analysed decisions and no luck, such as two bots' files make, gets its luck and
// keeps its decisions.
func TestJudge_completesLuck(t *testing.T) {
	testsize.Medium(t)
	db := archive(t)
	full, _, err := sgf.ReadFile(filepath.Join("..", "..", "..", "engine", "analyse", "testdata", "gnubg", "match5.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	full.Players[0].Name = "=Al\tice"
	for i := range full.Games {
		for k := range full.Games[i].Actions {
			if a := full.Games[i].Actions[k].Analysis; a != nil {
				a.Luck = nil
			}
		}
	}
	if got, err := db.Import(t.Context(), full, index.Meta{}); err != nil || got != index.WasMerged {
		t.Fatal(got, err)
	}
	before, err := db.Show(t.Context(), index.Identity(full))
	if err != nil || !before.LacksLuck() || before.Error[0] == 0 {
		t.Fatalf("%+v, %v", before, err)
	}
	j := judge(t, db)
	j.Analyst.Skip.Luck = true
	if sum, err := j.Run(t.Context(), index.Filter{Length: before.Length}, 0); err != nil || sum.Judged != 0 {
		t.Fatalf("without luck: %+v %v", sum, err)
	}
	j.Analyst.Skip.Luck = false
	if sum, err := j.Run(t.Context(), index.Filter{Length: before.Length}, 0); err != nil || sum.Judged != 1 {
		t.Fatalf("%+v %v", sum, err)
	}
	after, err := db.Show(t.Context(), before.ID)
	if err != nil || after.LacksLuck() || math.Abs(float64(after.Error[0]-before.Error[0])) > 1e-4 || after.Plies != before.Plies {
		t.Errorf("%+v, %v; was %+v", after, err, before)
	}
}

// TestReviewer_againAndOutdated: an analysis that is there is made again when that is asked for,
// or when it is of other nets, and never otherwise.
func TestReviewer_againAndOutdated(t *testing.T) {
	testsize.Medium(t)
	db := archive(t)
	j := judge(t, db)
	j.Analyst.Judge = record.Provenance{Program: "fibsbot v1", Nets: "one"}
	first, err := j.Run(t.Context(), index.Filter{}, 0)
	if err != nil || first.Judged == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	nets := j.Analyst.Judge.Nets
	for _, tt := range []struct {
		name            string
		again, outdated bool
		nets            string
		want            int
	}{
		{"analysed already", false, false, nets, 0},
		{"nothing is outdated", false, true, nets, 0},
		{"newer nets", true, true, "another", 2},
		{"the newer ones are there", true, true, "another", 0},
		{"again", true, false, "another", 2},
	} {
		j.Analyst.Again, j.Outdated, j.Analyst.Judge.Nets = tt.again, tt.outdated, tt.nets
		if sum, err := j.Run(t.Context(), index.Filter{}, 2); err != nil || sum.Judged != tt.want && (tt.want > 0 || sum.Left > 0) {
			t.Errorf("%s: %+v, %v, want %d", tt.name, sum, err, tt.want)
		}
		if tt.name == "newer nets" { // the rest, beyond the limit
			if _, err := j.Run(t.Context(), index.Filter{}, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestReviewer_deeperLuck: the archive knows how deep luck was judged, and a deeper analysis
// takes the matches whose luck is shallower.
func TestReviewer_deeperLuck(t *testing.T) {
	testsize.Medium(t)
	db := archive(t)
	j := judge(t, db)
	plies := func() index.Figure {
		list, err := db.Stats(t.Context(), index.Filter{}, "")
		if err != nil {
			t.Fatal(err)
		}
		return list[0].Get("luck_plies")
	}
	if got := plies(); got.Known() {
		t.Errorf("no match is analysed: luck at %v plies", got)
	}
	first, err := j.Run(t.Context(), index.Filter{}, 0)
	if err != nil || first.Judged == 0 || plies() != 0 {
		t.Fatalf("%+v, %v, luck at %v plies", first, err, plies())
	}
	j.Deeper, j.Analyst.LuckPlies = true, 1
	sum, err := j.Run(t.Context(), index.Filter{}, 1)
	if got := plies(); err != nil || sum.Judged != 1 || sum.Left != first.Judged-1 || !(got > 0 && got < 1) {
		t.Errorf("one match deeper: %+v, %v, luck at %v plies", sum, err, got)
	}
}

// TestStatsTable_luckDepth: the table names the depth of luck, unless no match states it.
func TestStatsTable_luckDepth(t *testing.T) {
	testsize.Medium(t)
	db := archive(t)
	table := func() string {
		list, err := db.Stats(t.Context(), index.Filter{}, "")
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := review.StatsTable(&b, "", list); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if out := table(); strings.Contains(out, "luck is judged") {
		t.Errorf("no match is analysed:\n%s", out)
	}
	if _, err := judge(t, db).Run(t.Context(), index.Filter{}, 0); err != nil {
		t.Fatal(err)
	}
	if out := table(); !strings.Contains(out, "luck is judged at 0-ply on average\n") {
		t.Errorf("%s", out)
	}
}
