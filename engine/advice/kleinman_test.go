package advice

import (
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/race"
)

func TestCounts_noMetricBehind(t *testing.T) {
	p := board.Position{Me: board.Checkers{5: 15}, Opp: board.Checkers{1: 10}}
	if c := CountsOf(nil, &p, 0); c.KleinmanMetric != nil || !strings.Contains(c.Text(), "no metric: behind") {
		t.Errorf("far behind:\n%s", c.Text())
	}
	p.Me, p.Opp = p.Opp, p.Me
	if c := CountsOf(nil, &p, 0); c.KleinmanMetric == nil || !strings.Contains(c.Text(), "metric ") {
		t.Errorf("far ahead:\n%s", c.Text())
	}
}

// TestCount_adviceByOwner: the advice is about the cube where it is.
func TestCount_adviceByOwner(t *testing.T) {
	advice := func(c race.Count, owner match.Owner) string { return countOf(c, owner).Advice }
	c := race.Count{Double: true, Redouble: true, Take: true}
	if a, b := advice(c, match.Centred), advice(c, match.Mine); a != "double, take" || b != "redouble, take" {
		t.Errorf("centred cube: %s; own cube: %s", a, b)
	}
	c.Redouble = false
	if a, b := advice(c, match.Centred), advice(c, match.Mine); a != "double, take" || b != "no redouble, take" {
		t.Errorf("centred cube: %s; own cube: %s", a, b)
	}
}
