package api

import (
	"strings"
	"testing"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/preset"
)

// body is a JSON object.
type body = map[string]any

func TestGames_fromAPosition(t *testing.T) {
	c := newCaller(t)
	var g GameState
	c.ask("POST", "/games", body{"position": "4HPwATDgc/ABMA", "length": 7, "score": []int{3, 5}, "cube": 2, "owner": "opponent", "dice": []int{3, 1}, "preset": "beginner", "seed": 3}, 201, &g)
	if g.Phase != "move" || g.Turn != 1 || g.Score != [2]int{5, 3} || g.Length != 7 || g.Cube != 2 || g.Owner != 0 || len(g.Dice) != 2 || !g.Posed {
		t.Errorf("%+v", g.View)
	}
	c.ask("POST", "/games/"+g.ID+"/think", body{"version": g.Version, "for_me": true}, 200, &g)
	if g.Turn != 0 || len(g.Acts) != 1 || g.Acts[0].Side != 1 {
		t.Errorf("the engine has not played for me: %+v", g.View)
	}
	if g.ThinkMS < 400 || g.ThinkMS > 5000 {
		t.Errorf("a person would have thought for %d ms", g.ThinkMS)
	}
	c.ask("POST", "/games/"+g.ID+"/acts", body{"version": g.Version, "kind": "swap"}, 200, &g)
	if g.Turn != 1 || g.Score != [2]int{3, 5} {
		t.Errorf("%+v", g.View)
	}
	c.ask("POST", "/games/"+g.ID+"/acts", body{"version": g.Version, "kind": "again"}, 200, &g)
	if g.Phase != "move" || g.Turn != 0 || g.Tally.Games != 0 || g.Game != 2 {
		t.Errorf("%+v", g.View)
	}
	// The text's own match counts without a length, the opponent's side by wish.
	c.ask("POST", "/games", body{"position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:0:9:10", "play_as": "opponent"}, 201, &g)
	if g.Length != 9 || g.Turn != 0 || g.Score != [2]int{2, 1} {
		t.Errorf("%+v", g.View)
	}
}

// A bad position is reported by its field, and nothing is begun.
func TestGames_badPositions(t *testing.T) {
	c := newCaller(t)
	for field, request := range map[string]body{
		"position": {"position": "nonsense"},
		"dice":     {"position": "4HPwATDgc/ABMA", "dice": []int{7, 1}},
		"score":    {"position": "4HPwATDgc/ABMA", "length": 5, "score": []int{5, 0}},
		"cube":     {"position": "4HPwATDgc/ABMA", "cube": 3},
		"play_as":  {"position": "4HPwATDgc/ABMA", "play_as": "white"},
		"owner":    {"owner": "me"},
		"preset":   {"position": "4HPwATDgc/ABMA", "preset": "nonesuch"},
	} {
		status, data := c.send("POST", "/games", request, false)
		if status != 400 || !strings.Contains(string(data), `"field":"`+field+`"`) {
			t.Errorf("%v: %d %s", request, status, data)
		}
	}
	var list GameList
	c.ask("GET", "/games", nil, 200, &list)
	if len(list.Games) != 0 {
		t.Errorf("%d matches were begun", len(list.Games))
	}
}

// A match of two people is recorded, corrected and archived.
func TestGames_ofTwoPeople(t *testing.T) {
	c := newCaller(t)
	var g GameState
	c.ask("POST", "/games", body{"length": 1, "two_players": true, "by_hand": true, "name": "anna", "opponent_name": "bob", "event": "Club night",
		"clock": body{"kind": "bronstein", "reserve": 120, "delay": 12}}, 201, &g)
	act := func(request body) {
		t.Helper()
		request["version"] = g.Version
		c.ask("POST", "/games/"+g.ID+"/acts", request, 200, &g)
	}
	act(body{"kind": "roll", "dice": []int{3, 1}})
	act(body{"kind": "move", "play": "8/5 6/5", "spent_ms": 20000})
	if g.Turn != 0 || g.Clock.Left != [2]int64{120000, 112000} {
		t.Errorf("turn %d, clock %+v", g.Turn, g.Clock)
	}
	act(body{"kind": "roll", "dice": []int{6, 4}})
	var fresh GameState // an answer leaves out what is false
	status, data := c.send("POST", "/games/"+g.ID+"/acts", body{"kind": "move", "play": "24/14 6/5", "version": g.Version}, true)
	if status != 400 || !strings.Contains(string(data), `"field":"play"`) {
		t.Errorf("an illegal play without its mark: %d %s", status, data)
	}
	act(body{"kind": "move", "play": "24/14 6/5", "illegal": true})
	c.ask("POST", "/games/"+g.ID+"/correct", body{"version": g.Version, "act": 3, "play": "24/14"}, 200, &fresh)
	g = fresh
	if a := g.Acts[3]; a.Illegal || a.Play != "24/14" {
		t.Errorf("%+v", a)
	}
	status, data = c.send("POST", "/games/"+g.ID+"/correct", body{"version": g.Version, "act": 3, "play": "2/1"}, true)
	if status != 400 || !strings.Contains(string(data), `"field":"play"`) {
		t.Errorf("%d %s", status, data)
	}
	act(body{"kind": "resign", "level": 1})
	act(body{"kind": "accept"})
	if g.Archived == "" {
		t.Fatalf("not archived: %+v", g.View)
	}
	var head Head
	c.ask("GET", "/matches/"+g.Archived+"/head", nil, 200, &head)
}

// A preset of the configuration plays, and its match is resumed by another server.
func TestGames_presetOfTheConfiguration(t *testing.T) {
	c := newCaller(t)
	find := func(name string) (preset.Preset, error) {
		p, err := preset.ByName("casual")
		if p.Name = name; err == nil && name != "mine" {
			p, err = preset.ByName(name)
		}
		return p, err
	}
	c.api.opt.Preset, c.api.opt.Matches.Presets = find, find
	var g GameState
	c.ask("POST", "/games", body{"length": 3, "preset": "mine"}, 201, &g)
	if g.Names[0] != "mine" {
		t.Errorf("names %v", g.Names)
	}
	again := play.NewStore(c.api.opt.Matches.Dir(), nil)
	again.Presets = find
	if m, err := again.Get(g.ID); err != nil || m.Foe().Name != "mine" {
		t.Errorf("%v, %v", m, err)
	}
}
