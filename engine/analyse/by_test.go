package analyse

import (
	"strings"
	"testing"
	"time"

	"fibsbot/engine/record"
	"fibsbot/internal/testsize"
	"fibsbot/internal/texts"
)

// TestBy: a file says which program judged it, also one that others judged in part, and how
// deep most of it was.
func TestBy(t *testing.T) {
	testsize.Large(t)
	day := func() time.Time { return time.Date(2026, 11, 26, 23, 0, 0, 0, time.UTC) }
	m := load(t, "testdata/gnubg/match3.sgf")
	if got, want := By(m), "GNU Backgammon 1.07.001, 0-ply, luck as stated in the file"; got != want {
		t.Errorf("gnubg's file: %q, want %q", got, want)
	}
	bare := strip(load(t, "testdata/gnubg/match3.sgf"))
	if got := By(again(t, bare)); got != "" {
		t.Errorf("an unanalysed file: %q", got)
	}
	judge := newAnalyst(t)
	judge.Judge, judge.Now = record.Provenance{Program: "fibsbot v1", Preset: "expert", Nets: "nets-7"}, day
	m = again(t, bare)
	m.Judge.Program = "other" // ignored: this program judged no decision
	if _, err := judge.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	ours := "fibsbot v1, expert, 0-ply, luck 0-ply, nets nets-7, match equities " + judge.Engine.Table().Name + ", 2026-11-26"
	if got := By(again(t, m)); got != ours {
		t.Errorf("%q, want %q", got, ours)
	}
	if _, err := judge.Analyse(t.Context(), m); err != nil || By(m) != ours {
		t.Errorf("%v, %q", err, By(m))
	}
	part := load(t, "testdata/gnubg/match3.sgf")
	for i := range part.Games[0].Actions[:10] {
		part.Games[0].Actions[i].Analysis = nil
	}
	if _, err := judge.Analyse(t.Context(), part); err != nil {
		t.Fatal(err)
	}
	if got, want := part.Judge.Program, "fibsbot v1, some decisions by GNU Backgammon 1.07.001"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	german, _ := texts.Find("de")
	if got, want := byIn(part, german), "fibsbot v1, einige Entscheidungen von GNU Backgammon 1.07.001, Experte"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range part.Games[0].Actions[:10] {
		part.Games[0].Actions[i].Analysis = nil
	}
	if _, err := judge.Analyse(t.Context(), part); err != nil || part.Judge.Program != "fibsbot v1, some decisions by GNU Backgammon 1.07.001" {
		t.Errorf("%v, %q", err, part.Judge.Program)
	}
	deep := *judge
	deep.Checker.Plies, deep.Cube.Plies, deep.Skip.Luck = 1, 1, true
	m.Games[0].Actions = m.Games[0].Actions[:6]
	if _, err := deep.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := Depth(m); got != "1-ply" && got != "mostly 1-ply" && got != "mostly 0-ply" {
		t.Errorf("depth %q", got)
	}
}
