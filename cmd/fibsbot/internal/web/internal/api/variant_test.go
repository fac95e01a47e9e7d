package api

import (
	"context"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
)

// Taken for backgammon, the one checker of hypergammon1 had fourteen beside it that are
// off: no one could win a gammon.
func TestAPI_hypergammonIsJudgedAsSuch(t *testing.T) {
	c := newCaller(t)
	var d Described
	c.ask("POST", "/position", m{"variation": "hypergammon1"}, 200, &d)
	if d.Checkers != 1 || d.Off != [2]int{} || d.Board[0][23] != 1 || d.Finished {
		t.Errorf("start %+v", d)
	}
	c.ask("POST", "/position", m{"position": start}, 200, &d)
	if d.Checkers != board.MaxCheckers || d.Off != [2]int{} {
		t.Errorf("start of backgammon %+v", d)
	}
	var plays advice.Plays
	c.ask("POST", "/plays", m{"variation": "hypergammon1", "dice": []int{6, 1}}, 200, &plays)
	if len(plays.Moves) == 0 || plays.Moves[0].Probs[1] < 0.1 {
		t.Errorf("plays %+v", plays.Moves)
	}
	var e Evaluation
	c.ask("POST", "/eval", m{"variation": "hypergammon1", "windows": true, "counts": true}, 200, &e)
	if e.Probs[1] < 0.1 {
		t.Errorf("eval %+v", e.Probs)
	}
	var rolls advice.RollMap
	c.ask("POST", "/rolls", m{"variation": "hypergammon1"}, 200, &rolls)
	c.ask("POST", "/scores", m{"variation": "hypergammon1", "away": 3}, 200, nil)
	if got := rolledArms(t, c, m{"variation": "hypergammon1", "dice": []int{6, 1}, "trials": 36}); got[0].Probs[1] < 0.1 {
		t.Errorf("rollout %+v", got)
	}
	for name, q := range map[string]m{
		"variation": {"position": start, "variation": "chess"},
		"position":  {"position": start, "variation": "hypergammon1"},
		"board":     {"board": [2][25]int{{5: 2}, {5: 1}}, "variation": "hypergammon1"},
	} {
		var p Problem
		c.ask("POST", "/eval", q, 400, &p)
		if p.Field != name {
			t.Errorf("%v: %+v", q, p)
		}
	}
}

// A decision of an archived match is rolled out in the game that was played.
func TestAPI_aDecisionOfHypergammonIsRolledOutAsSuch(t *testing.T) {
	c := newCaller(t)
	v := record.Variation("Hypergammon1")
	p := v.Start()
	pl, err := board.ParsePlay(p, board.Dice{A: 6, B: 1}, "24/17")
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Match{Players: [2]record.Player{{Name: "anna"}, {Name: "bob"}}, Rules: record.Rules{Variation: v}, Date: "2026-01-02",
		Games: []record.Game{{Cube: 1, Actions: []record.Action{{Kind: record.Move, Dice: board.Dice{A: 6, B: 1}, Steps: pl.Steps[:pl.N]}}}}}
	g.Settle()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := c.api.opt.Archive.Import(ctx, g, index.Meta{}); err != nil {
		t.Fatal(err)
	}
	var doc report.Document
	c.ask("GET", "/matches/"+index.PlayedID(g, index.Meta{})+"/review", nil, 200, &doc)
	if doc.Match.Variation != "Hypergammon1" {
		t.Errorf("the review is of %q", doc.Match.Variation)
	}
	got := rolledArms(t, c, m{"match": index.PlayedID(g, index.Meta{}), "decision": "1.1", "trials": 36})
	if got[0].Probs[1] < 0.1 {
		t.Errorf("%+v", got)
	}
}

// rolledArms waits for a rollout.
func rolledArms(t *testing.T, c *caller, q m) []rollout.Result {
	t.Helper()
	var s Started
	c.ask("POST", "/rollouts", q, 202, &s)
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var j Job
		c.ask("GET", "/rollouts/"+s.ID, nil, 200, &j)
		if j.State == Done && len(j.Rollout.Arms) > 0 {
			return j.Rollout.Arms
		}
		if j.Error != "" || time.Now().After(end) {
			t.Fatalf("%+v", j)
		}
	}
}
