package recordtest

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"fibsbot/engine/record"
)

// Damages is how many times a file is damaged: usually few, or as FIBSBOT_DAMAGE says.
func Damages(t testing.TB, few int) int {
	t.Helper()
	text := os.Getenv("FIBSBOT_DAMAGE")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("FIBSBOT_DAMAGE: %v", err)
	}
	return n
}

// Reading is what a damaged file is compared by: its actions in any order, and its numbers of
// games and results.
type Reading struct {
	done           map[string]int
	actions        int
	games, results int
}

// Sum returns the Reading of matches.
func Sum(all []*record.Match) Reading {
	r := Reading{done: map[string]int{}}
	for _, m := range all {
		for i := range m.Games {
			g := &m.Games[i]
			r.games++
			if g.Result.Finished() {
				r.results++
			}
			for t := range m.Turns(g) {
				a := t.Action
				if a.Kind == record.SetUp {
					continue
				}
				r.actions++
				var steps []string
				for _, st := range t.Play.Steps[:t.Play.N] {
					steps = append(steps, fmt.Sprint(st.From, "/", st.To))
				}
				slices.Sort(steps)
				d := a.Dice.Sorted()
				r.done[fmt.Sprintf("%d %v %d%d %v", t.Player, a.Kind, d.A, d.B, steps)]++
			}
		}
	}
	return r
}

// missing are the actions of r that other has not.
func (r Reading) missing(other Reading) (out []string) {
	for k, n := range r.done {
		for range n - other.done[k] {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// Less says what other lacks of r but for the given number of actions; empty if nothing.
func (r Reading) Less(other Reading, gone, changed int) string {
	switch {
	case other.actions < r.actions-gone:
		return fmt.Sprintf("%d actions of %d; missing %.300q", other.actions, r.actions, r.missing(other))
	case other.games < r.games && (gone == 0 || other.games < r.games-1):
		return fmt.Sprintf("%d games of %d", other.games, r.games)
	case other.results < r.results && gone == 0:
		return fmt.Sprintf("%d results of %d", other.results, r.results)
	}
	if lost := r.missing(other); len(lost) > gone+changed {
		return fmt.Sprintf("missing %.300q", lost)
	}
	return ""
}
