package record_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/mat"

	"github.com/google/go-cmp/cmp"
)

func readMat(t *testing.T, file string) *record.Match {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := mat.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(file, err)
	}
	return m
}

// count is the number of actions of a match.
func count(m *record.Match) (n int) {
	for i := range m.Games {
		n += len(m.Games[i].Actions)
	}
	return n
}

// piece is what a spectator records who comes before action from and leaves before action to.
func piece(m *record.Match, from, to int) *record.Match {
	out := *m
	out.Games = nil
	n := 0
	for i := range m.Games {
		g := m.Games[i]
		first, last := n, n+len(g.Actions)
		n = last
		if last <= from || first >= to {
			continue
		}
		r := record.NewReplay(m, &m.Games[i])
		g.Actions = nil
		if from > first {
			for range from - first {
				r.Next()
			}
			p, st := r.Position(0), r.State(0)
			g.Actions = append(g.Actions, record.Action{Kind: record.SetUp, Player: r.OnRoll(), SetUp: &record.Setup{
				Board: &[2]board.Checkers{p.Me, p.Opp}, Cube: st.Cube, SetOwner: true,
				Owner: map[match.Owner]int{match.Centred: record.NoPlayer, match.Mine: 0, match.Theirs: 1}[st.Owner]}})
		}
		g.Actions = append(g.Actions, m.Games[i].Actions[max(from-first, 0):min(to, last)-first]...)
		if to < last {
			g.Result = record.Result{}
		}
		out.Games = append(out.Games, g)
	}
	return &out
}

// Pieces that overlap, cut at any places and joined in any order, of either player's file, are
// the whole match; each is found to be of it, and other matches are not.
func TestJoin_pieces(t *testing.T) {
	files := recordtest.Samples(t, "*.mat")
	r := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for _, file := range files {
		whole := readMat(t, file)
		n := count(whole)
		if n < 100 || whole.Rules.Variation != "" {
			continue
		}
		tried++
		var cuts []int
		for range 10 {
			cuts = append(cuts, 30+r.IntN(n-60))
		}
		slices.Sort(cuts)
		cuts = append(append([]int{0}, cuts...), n)
		var parts []*record.Match
		for i := range cuts[1:] {
			p := piece(whole, max(cuts[i]-20, 0), min(cuts[i+1]+20, n))
			if got := record.Meet(whole, p); !got.One() || !got.Contained {
				t.Fatalf("%s, from %d to %d: %+v", filepath.Base(file), cuts[i], cuts[i+1], got)
			}
			if r.IntN(2) == 0 {
				p = p.Swapped()
			}
			parts = append(parts, p)
		}
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		for len(parts) > 1 {
			joined := false
			for k := 1; k < len(parts); k++ {
				if got := record.Meet(parts[0], parts[k]); got.One() {
					parts[0].Join(parts[k])
					parts = slices.Delete(parts, k, k+1)
					joined = true
					break
				}
			}
			if !joined {
				parts = append(parts[1:], parts[0])
				if r.IntN(1000) == 0 {
					t.Fatalf("%s: %d pieces left", filepath.Base(file), len(parts))
				}
			}
		}
		got := parts[0]
		if got.Players[0] != whole.Players[0] {
			got = got.Swapped()
		}
		got.Settle()
		if diff := cmp.Diff(whole.Games, got.Games); diff != "" {
			t.Errorf("%s:\n%s", filepath.Base(file), diff)
		}
	}
	t.Logf("%d matches", tried)
}

// What contradicts is not one match, and what proves too little is only offered.
func TestMeet_contradictions(t *testing.T) {
	text := func(end string) *record.Match {
		m, _, err := mat.Read(bytes.NewReader([]byte(" 5 point match\n\n Game 1\n anna : 0                       bert : 0\n" +
			"  1) 31: 8/5 6/5                 52: 13/8 24/22\n  2) 64: 24/14                   31: 8/5 6/5\n" + end)))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a := text("  3) 65: 24/18 14/9              42: 13/9 13/11\n")
	for name, c := range map[string]struct {
		b            *record.Match
		one, perhaps bool
	}{
		"a shorter one":  {text(""), true, false},
		"another roll":   {text("  3) 11: 8/7 8/7 6/5 6/5\n"), false, false},
		"another play":   {text("  3) 65: 24/13\n"), false, false},
		"another end":    {text("                                 Wins 1 point\n"), false, true},
		"the other seat": {text("").Swapped(), true, false},
	} {
		if got := record.Meet(a, c.b); got.One() != c.one || got.Perhaps() != c.perhaps {
			t.Errorf("%s: %+v", name, got)
		}
		if got := record.Meet(c.b, a); got.One() != c.one || got.Perhaps() != c.perhaps {
			t.Errorf("%s, turned: %+v", name, got)
		}
	}
	other := text("")
	other.Players[1].Name = "carl"
	seven := text("")
	seven.Length = 7
	for _, b := range []*record.Match{other, seven} {
		if got := record.Meet(a, b); got.One() || got.Perhaps() || got.Contradiction("A", "B") == "" {
			t.Errorf("%+v", got)
		}
	}
	want := "game 1, action 5: A has 65: 24/18 14/9, B has 11: 8/7(2) 6/5(2)"
	if got := record.Meet(a, text("  3) 11: 8/7 8/7 6/5 6/5\n")); got.Contradiction("A", "B") != want {
		t.Errorf("%s", got.Contradiction("A", "B"))
	}
}
