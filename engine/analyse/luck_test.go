package analyse

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/xg"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// rolls calls f with each judged roll of m.
func rolls(m *record.Match, f func(*record.Action)) {
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if act := &m.Games[i].Actions[k]; act.Analysis != nil && act.Analysis.Luck != nil {
				f(act)
			}
		}
	}
}

// luckAlone returns an analyst that judges nothing but luck, at so many plies.
func luckAlone(t *testing.T, plies int) *Analyst {
	a := *newAnalyst(t)
	a.Skip, a.LuckPlies = Skip{Checker: true, Cube: true}, plies
	return &a
}

// TestLuck_depth: the depth of the luck is in the match and its file, a deeper judge replaces it,
// a shallower one does not.
func TestLuck_depth(t *testing.T) {
	testsize.Medium(t)
	m := strip(load(t, filepath.Join("testdata", "gnubg", "match3.sgf")))
	zero, one := luckAlone(t, 0), luckAlone(t, 1)
	for _, c := range []struct {
		judge *Analyst
		due   bool
		depth string
	}{{zero, true, "0-ply"}, {zero, false, "0-ply"}, {one, true, "1-ply"}, {zero, false, "1-ply"}} {
		w, err := c.judge.Prepare(t.Context(), m)
		if err != nil || w.Pieces() > 0 != c.due {
			t.Fatalf("%s: %d rolls due, %v", c.depth, w.Pieces(), err)
		}
		if _, err := c.judge.Do(t.Context(), w, nil); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		all, _, err := sgf.ReadAll(&b)
		if err != nil {
			t.Fatal(err)
		}
		if m = all[0]; LuckDepth(m) != c.depth {
			t.Errorf("luck at %q, want %q", LuckDepth(m), c.depth)
		}
	}
	mixed := 0
	rolls(m, func(act *record.Action) {
		if mixed++; mixed%3 == 0 {
			act.Analysis.LuckPlies = nil
		}
	})
	if got := LuckDepth(m); got != "mostly 1-ply" {
		t.Errorf("two thirds at 1 ply: %q", got)
	}
}

// TestLuck_merged: of two analyses of a match the deeper luck remains.
func TestLuck_merged(t *testing.T) {
	testsize.Medium(t)
	judged := func(plies int) *record.Match {
		m := strip(load(t, filepath.Join("testdata", "gnubg", "match3.sgf")))
		if _, err := luckAlone(t, plies).Analyse(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range [][2]int{{0, 1}, {1, 0}} {
		m := judged(c[0])
		MergeAnalysis(m, judged(c[1]), nil, DefaultLimits)
		if got := LuckDepth(m); got != "1-ply" {
			t.Errorf("%d and %d plies: luck at %q", c[0], c[1], got)
		}
	}
}

// TestLuck_ofAnotherProgram: the luck that XG states remains XG's beside deeper judgements of
// this program, until everything is judged again; at 1 ply this program agrees with XG better
// than at 0.
func TestLuck_ofAnotherProgram(t *testing.T) {
	testsize.Large(t)
	read := func() *record.Match {
		data, err := os.ReadFile(reference.Path(t, "formats", "xg-sample", "match7.xg"))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := xg.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	stated := read()
	values := func(m *record.Match) (out []float64) {
		rolls(m, func(act *record.Action) { out = append(out, *act.Analysis.Luck) })
		return out
	}
	want := values(stated)
	if got := LuckDepth(stated); got != "as stated in the file" || len(want) < 100 {
		t.Fatalf("%d rolls, luck at %q", len(want), got)
	}
	// The plays are judged by this program, the luck remains.
	part := read()
	for i := range part.Games {
		for k := range part.Games[i].Actions {
			if an := part.Games[i].Actions[k].Analysis; an != nil {
				an.Candidates, an.Played = nil, -1
			}
		}
	}
	if _, err := newAnalyst(t).Analyse(t.Context(), part); err != nil {
		t.Fatal(err)
	}
	for i, v := range values(part) {
		if v != want[i] {
			t.Fatalf("roll %d: luck %v, the file states %v", i, v, want[i])
		}
	}
	var off [2]float64
	for plies := range off {
		m, a := read(), luckAlone(t, plies)
		a.Again = true
		if _, err := a.Analyse(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		for i, v := range values(m) {
			off[plies] += math.Abs(v-want[i]) / float64(len(want))
		}
	}
	if t.Logf("mean difference to XG: %.4f at 0 plies, %.4f at 1", off[0], off[1]); !(off[1] < 0.9*off[0] && off[0] < 0.02) {
		t.Errorf("mean difference to XG %.4f at 0 plies, %.4f at 1", off[0], off[1])
	}
}
