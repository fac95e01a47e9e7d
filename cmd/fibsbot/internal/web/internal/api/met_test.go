package api

import (
	"math"
	"testing"

	"fibsbot/engine/advice"
)

// met asks every address below /met; the figures are those of `fibsbot met`.
func (c *caller) met() {
	t := c.t
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 2e-6 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	var table advice.MatchTable
	c.ask("GET", "/met?length=3", nil, 200, &table)
	near("2-away 1-away", table.Pre[1][0], 0.32264)
	near("post-Crawford", table.Post[1], 0.48803)
	var prices advice.Prices
	c.ask("GET", "/met/prices?length=5", nil, 200, &prices)
	near("take point", prices.TakePoints[1][1], 0.32264)

	state := m{"length": 7, "score": []int{3, 5}, "cube": 2, "owner": "me", "values": []float64{-0.25, 0.371}, "stderr": 0.0123}
	var v advice.Conversion
	for _, ask := range []m{state,
		{"position": "UQngAFAAGAAE", "values": []float64{-0.25, 0.371}, "stderr": 0.0123},
		{"position": "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:5:0:7:10", "values": []float64{-0.25, 0.371}, "stderr": 0.0123},
	} {
		c.ask("POST", "/met/eq2mwc", ask, 200, &v)
		near("chance", v.Values[0].MWC, 0.1875)
		near("chance", v.Values[1].MWC, 0.34275)
		near("its error", *v.Values[0].MWCErr, 0.003075)
	}
	c.ask("POST", "/met/mwc2eq", m{"length": 7, "score": []int{3, 5}, "cube": 2, "values": []float64{0.1, 0.73}}, 200, &v)
	near("equity", v.Values[0].Equity, -0.6)
	near("equity", v.Values[1].Equity, 1.92)
	var w advice.Windows
	c.ask("POST", "/met/prices", m{"length": 7, "score": []int{3, 5}, "gammons": 26, "gammons_against": 14}, 200, &w)
	near("gammon price", math.Round(1000*w.Prices.WinGammon)/1000, 0.463)
	c.ask("POST", "/met/prices", m{"length": 0, "jacoby": false}, 200, &w)
	near("money take point", w.Dead.Take, 0.25)

	var p Problem
	for field, ask := range map[string]m{
		"length": {"values": []float64{1}}, "score": {"length": 7, "score": []int{7, 0}, "values": []float64{1}}, "values": {"length": 7, "values": []float64{}},
		"stderr": {"length": 7, "values": []float64{1}, "stderr": -1}, "position": {"position": "4HPwATDgc/ABMA", "values": []float64{1}},
	} {
		if c.ask("POST", "/met/eq2mwc", ask, 400, &p); p.Field != field {
			t.Errorf("%v: %+v, want %s", ask, p, field)
		}
	}
	if c.ask("POST", "/met/mwc2eq", m{"length": 7, "values": []float64{43}}, 400, &p); p.Field != "values" {
		t.Errorf("a chance of 43: %+v", p)
	}
	if c.ask("POST", "/met/prices", m{"length": 7, "gammons": 101}, 400, &p); p.Field != "gammons" {
		t.Errorf("gammons of 101: %+v", p)
	}
	if c.ask("GET", "/met?length=100", nil, 400, &p); p.Field != "length" {
		t.Errorf("a length of 100: %+v", p)
	}
}

// The number of plays listed has one name and one default, all of them, as hint --limit.
func TestAPI_limit(t *testing.T) {
	c := newCaller(t)
	var all, two advice.Plays
	ask := m{"position": "4HPwATDgc/ABMA", "dice": []int{3, 1}, "preset": "casual"}
	c.ask("POST", "/plays", ask, 200, &all)
	ask["limit"] = 2
	c.ask("POST", "/plays", ask, 200, &two)
	if len(all.Moves) != 16 || len(two.Moves) != 2 || two.Moves[1].Move != all.Moves[1].Move {
		t.Errorf("%d plays, with a limit of 2 %d", len(all.Moves), len(two.Moves))
	}
	var p Problem
	ask["limit"] = -1
	if c.ask("POST", "/plays", ask, 400, &p); p.Field != "limit" {
		t.Errorf("%+v", p)
	}
}
