package explain

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/testsize"
)

var opened = sync.OnceValues(func() (*engine.Engine, error) { return engine.Open(engine.Options{}) })

func testEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// theme is a line of testdata/themes.tsv.
type theme struct {
	s           match.Situation
	best, other string
	name        string
}

func themes(t testing.TB) (out []theme) {
	t.Helper()
	f, err := os.Open("testdata/themes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		c := strings.Split(lines.Text(), "\t")
		if len(c) != 6 {
			t.Fatalf("%q: %d columns", lines.Text(), len(c))
		}
		s, err := match.ParseSituation(c[0])
		if err != nil {
			t.Fatal(err)
		}
		s.Dice = board.Dice{}
		if c[1] != "-" {
			s.Dice = board.Dice{A: c[1][0] - '0', B: c[1][1] - '0'}
		}
		out = append(out, theme{s, c[2], c[3], c[4]})
	}
	return out
}

// TestThemes_amongTheFirstFacts reports how often the theme that commentators name is among the first two facts.
func TestThemes_amongTheFirstFacts(t *testing.T) {
	testsize.Medium(t)
	e := testEngine(t)
	list := themes(t)
	if len(list) != 200 {
		t.Fatalf("%d decisions, not 200", len(list))
	}
	found, of := map[string]int{}, map[string]int{}
	total := 0
	var longest time.Duration
	for _, x := range list {
		of[x.name]++
		r := reasonOf(t, e, x, &longest)
		if r == nil {
			t.Logf("%s %s: no reason", x.s, x.best)
			continue
		}
		var first []string
		for _, f := range r.Facts {
			if f.For > 0 && f.Kind != Wins && len(first) < 2 {
				first = append(first, string(f.Kind))
			}
		}
		if slices.ContainsFunc(first, func(k string) bool { return strings.TrimSuffix(k, "_against") == x.name }) {
			found[x.name]++
			total++
		} else {
			line := ""
			for _, f := range r.Facts {
				line += fmt.Sprintf(" %s(%d %.2f %v)", f.Kind, f.For, f.Share, f.Figures)
			}
			t.Logf("%s: %s %d%d %s / %s %.3f:%s", x.name, x.s.Position.ID(), x.s.Dice.A, x.s.Dice.B, x.best, x.other, r.Diff, line)
		}
	}
	t.Logf("%d of %d; %v of %v; longest %v", total, len(list), found, of, longest)
	if 10*total < 7*len(list) {
		t.Errorf("%d of %d themes among the first two facts, want 70%%", total, len(list))
	}
}

// reasonOf explains a decision of the list with chances at 2 plies, nil where the search prefers the other play.
func reasonOf(t testing.TB, e *engine.Engine, x theme, longest *time.Duration) *Reason {
	t.Helper()
	ctx := context.Background()
	var plays []board.Play
	if !x.s.Dice.Valid() {
		return nil
	}
	for _, text := range []string{x.best, x.other} {
		p, err := board.ParsePlay(x.s.Position, x.s.Dice, text)
		if err != nil {
			t.Fatal(err)
		}
		plays = append(plays, p)
	}
	rated, err := e.Search().Rate(ctx, x.s.Position, plays, x.s.State, search.Settings{Plies: 2, Cubeful: true, Prune: true})
	if err != nil {
		t.Fatal(err)
	}
	if rated[0].Equity < rated[1].Equity {
		return nil
	}
	began := time.Now()
	r, err := Plays(ctx, e, x.s, rated[0], rated[1])
	if err != nil {
		t.Fatal(err)
	}
	*longest = max(*longest, time.Since(began))
	return r
}
