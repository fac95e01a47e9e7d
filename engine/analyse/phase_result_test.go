package analyse

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/record"
)

// TestPhaseResults: the phases add up to the results of the match, with and without luck,
// game by game and in all, also where the last game has no result.
func TestPhaseResults(t *testing.T) {
	for _, name := range []string{"match3.sgf", "match5.sgf", "match7.sgf", "session5.sgf", "match7.sgf unfinished"} {
		file, unfinished := strings.CutSuffix(name, " unfinished")
		m := load(t, filepath.Join("testdata", "gnubg", file))
		if unfinished {
			m.Games[len(m.Games)-1].Result = record.Result{}
		}
		s := Summarise(m, nil, DefaultLimits)
		games, without := s.GameResults(m, nil)
		actual, adjusted := s.PhaseResults(m, nil, 0)
		var want, got [2]float64
		phases := 0
		for ph := range actual {
			got[0], got[1] = got[0]+actual[ph], got[1]+adjusted[ph]
			if actual[ph] != 0 {
				phases++
			}
		}
		for i := range games {
			want[0], want[1] = want[0]+games[i], want[1]+without[i]
			one, less := 0.0, 0.0
			a, b := s.PhaseResults(m, nil, i+1)
			for ph := range a {
				one, less = one+a[ph], less+b[ph]
			}
			if math.Abs(one-games[i]) > 1e-9 || math.Abs(less-without[i]) > 1e-9 {
				t.Errorf("%s, game %d: %v %v, want %v %v", name, i+1, one, less, games[i], without[i])
			}
		}
		if math.Abs(got[0]-want[0]) > 1e-9 || math.Abs(got[1]-want[1]) > 1e-9 || phases < 3 {
			t.Errorf("%s: %v in %d phases, want %v", name, got, phases, want)
		}
		t.Logf("%s: %.3f, less luck %.3f; phases %.3f, %.3f", name, want[0], want[1], actual, adjusted)
	}
}
