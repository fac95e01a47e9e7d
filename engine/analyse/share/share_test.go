package share

import (
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/link"
	"fibsbot/engine/record/sgf"
)

func match(t *testing.T, name string) *record.Match {
	t.Helper()
	m, _, err := sgf.ReadFile(filepath.Join("..", "testdata", "gnubg", name))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// differing counts the marks that the link of m changes, as write writes it.
func differing(t *testing.T, m *record.Match, write func(b *strings.Builder, m *record.Match) error) int {
	t.Helper()
	var b strings.Builder
	if err := write(&b, m); err != nil {
		t.Fatal(err)
	}
	list, _, err := link.Read(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	n, got := 0, verdicts(list[0])
	for i, v := range verdicts(m) {
		n += differ(v, got[i])
	}
	return n
}

// atLimits moves what every action lost to just above or below a limit, and the luck of every roll.
func atLimits(m *record.Match) {
	for n, v := range verdicts(m) {
		a := m.Games[v.game].Actions[v.action].Analysis
		if a == nil {
			continue
		}
		lim := []float64{analyse.DefaultLimits.Doubtful, analyse.DefaultLimits.Bad, analyse.DefaultLimits.VeryBad}[n%3]
		off := float64(n%11-5) * 1e-4
		if a.Played > 0 {
			a.Candidates[0].Outcome.Cubeful = float64(n%7)*0.1337 - 0.4
			a.Candidates[a.Played].Outcome.Cubeful = a.Candidates[0].Outcome.Cubeful - lim - off
		}
		if a.Luck != nil {
			luck := []float64{1, -1}[n%2] * (analyse.DefaultLimits.Lucky + off)
			a.Luck = &luck
		}
		if a.Cube != nil && m.Length == 0 {
			a.Cube.DoubleTake.Cubeful = a.Cube.NoDouble.Cubeful + []float64{lim + off/10, -lim - off/10}[n%2]
		}
	}
}

// A link changes no mark, not even of decisions at a limit, where its rounding alone changes many.
func TestWrite_keepsMarks(t *testing.T) {
	rounded := 0
	for _, name := range []string{"match3.sgf", "match7.sgf", "session5.sgf"} {
		for _, edge := range []bool{false, true} {
			m := match(t, name)
			if edge {
				atLimits(m)
			}
			rounded += differing(t, m, func(b *strings.Builder, m *record.Match) error { return link.Write(b, m) })
			if n := differing(t, m, func(b *strings.Builder, m *record.Match) error { return Write(b, m) }); n > 0 {
				t.Errorf("%s: %d marks are others", name, n)
			}
		}
	}
	if rounded < 20 {
		t.Errorf("rounding changes %d marks: this test shows little", rounded)
	}
	t.Logf("rounding alone changes %d marks", rounded)
}
