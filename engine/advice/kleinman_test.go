package advice

import (
	"strings"
	"testing"

	"fibsbot/engine/board"
)

func TestCounts_noMetricBehind(t *testing.T) {
	p := board.Position{Me: board.Checkers{5: 15}, Opp: board.Checkers{1: 10}}
	if c := CountsOf(nil, &p); c.KleinmanMetric != nil || !strings.Contains(c.Text(), "no metric: behind") {
		t.Errorf("far behind:\n%s", c.Text())
	}
	p.Me, p.Opp = p.Opp, p.Me
	if c := CountsOf(nil, &p); c.KleinmanMetric == nil || !strings.Contains(c.Text(), "metric ") {
		t.Errorf("far ahead:\n%s", c.Text())
	}
}
