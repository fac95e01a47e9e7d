package api

import (
	"math"
	"os"
	"testing"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse/report"
	"fibsbot/internal/testsize"
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
	testsize.Medium(t)
	c := newCaller(t)
	var all, two advice.Plays
	ask := m{"position": "4HPwATDgc/ABMA", "dice": []int{3, 1}, "preset": "casual"}
	c.ask("POST", "/plays", ask, 200, &all)
	ask["limit"] = 2
	c.ask("POST", "/plays", ask, 200, &two)
	if len(all.Moves) != 16 || len(two.Moves) != 2 || two.Moves[1].Move != all.Moves[1].Move {
		t.Errorf("%d plays, with a limit of 2 %d", len(all.Moves), len(two.Moves))
	}
	// A report lists as many plays per decision; the one made is always among them.
	text, err := os.ReadFile("testdata/match.mat")
	if err != nil {
		t.Fatal(err)
	}
	var in Imported
	c.ask("POST", "/matches", string(text), 200, &in)
	longest := func(limit string) (most int) {
		var doc report.Document
		c.ask("GET", "/matches/"+in.Matches[0]+"/review"+limit, nil, 200, &doc)
		for _, g := range doc.Games {
			for _, d := range g.Decisions {
				most = max(most, len(d.Candidates))
			}
		}
		return most
	}
	var started Started
	c.ask("POST", "/matches/"+in.Matches[0]+"/analyse", m{"preset": "casual", "limit": 1}, 202, &started)
	if job := c.ended("jobs", started.ID); job.Analysis == nil {
		t.Fatalf("%+v", job)
	}
	if all, one := longest(""), longest("?limit=1"); all < 4 || one > 2 {
		t.Errorf("%d plays, with a limit of 1 %d", all, one)
	}
	c.ask("GET", "/matches/"+in.Matches[0]+"/review?limit=x", nil, 400, nil)
	var p Problem
	ask["limit"] = -1
	if c.ask("POST", "/plays", ask, 400, &p); p.Field != "limit" {
		t.Errorf("%+v", p)
	}
}

// A request that leaves terms out gets those of `fibsbot play`; wrong ones are refused by name.
func TestAPI_newGameDefaults(t *testing.T) {
	c := newCaller(t)
	var g GameState
	c.ask("POST", "/games", m{}, 201, &g)
	if g.Length != play.UsualLength || g.Names[play.Opponent] != play.UsualPreset {
		t.Errorf("%d points against %s", g.Length, g.Names[play.Opponent])
	}
	c.ask("POST", "/games", m{"length": 0}, 201, &g)
	if g.Length != 0 || !g.Jacoby {
		t.Errorf("money play: length %d, Jacoby %v", g.Length, g.Jacoby)
	}
	for field, ask := range map[string]m{
		"length": {"length": 100}, "jacoby": {"jacoby": true}, "beavers": {"length": 0, "beavers": 99}, "style": {"style": "noise"},
		"preset": {"preset": "expert", "rating": 1600}, "character": {"character": "nobody"}, "rng": {"rng": "dice"}, "rating": {"rating": 9000},
	} {
		var p Problem
		if c.ask("POST", "/games", ask, 400, &p); p.Field != field {
			t.Errorf("%v: %+v, want %s", ask, p, field)
		}
	}
	for _, style := range []string{"human", "noise"} {
		if c.ask("POST", "/games", m{"rating": 1600, "style": style}, 201, &g); g.Opponent.Rating != 1600 {
			t.Errorf("%s: %+v", style, g.Opponent)
		}
	}
	// Dice thrown by hand are entered with the roll.
	c.ask("POST", "/games", m{"length": 1, "by_hand": true}, 201, &g)
	c.ask("POST", "/games/"+g.ID+"/acts", m{"kind": "roll", "dice": []int{6, 1}, "version": g.Version}, 200, &g)
	if g.Phase != play.ToMove || g.Turn != play.You {
		t.Errorf("after an opening of 61: %s of %d", g.Phase, g.Turn)
	}
}
