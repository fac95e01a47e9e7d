package engine_test

import (
	"context"
	"errors"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/duel"
	"fibsbot/engine/eval"
	"fibsbot/engine/external"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// TestZeroValues: what another program makes first has no engine, no match and no
// options. An error says what is missing; nothing panics.
func TestZeroValues(t *testing.T) {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx := t.Context()
	a := analyse.New(e.RolloutOptions(), preset.Preset{})
	m := &record.Match{}
	two := func(_ any, err error) error { return err }
	for _, tt := range []struct {
		name string
		do   func() error
	}{
		{"search", func() error { return two(search.New(search.Options{})) }},
		{"model", func() error { return two(eval.NewModel(nil, nil)) }},
		{"rollout", func() error {
			return two(rollout.New(t.Context(), rollout.Options{}, board.Start, match.State{}, rollout.Default()))
		}},
		{"rollout of a specification", func() error { return two(rollout.FromSpec(t.Context(), rollout.Options{}, "", []byte("{}"))) }},
		{"ladder", func() error { return two(cube.NewLadder(nil, match.State{Length: 3, Cube: 1})) }},
		{"luck", func() error {
			return two(new(luck.Meter).Roll(ctx, board.Start, match.State{}, board.Dice{A: 3, B: 1}))
		}},
		{"analyst without an engine", func() error { return two(analyse.New(rollout.Options{}, preset.Preset{}).Analyse(ctx, m)) }},
		{"analyst without an engine, its work", func() error { return two(new(analyse.Analyst).Do(ctx, new(analyse.Work), nil)) }},
		{"no match to analyse", func() error { return two(a.Analyse(ctx, nil)) }},
		{"no match with a decision", func() error { return a.One(ctx, nil, 0, 0) }},
		{"no work", func() error { return two(a.Do(ctx, nil, nil)) }},
		{"work without an analyst", func() error { return two(a.Do(ctx, new(analyse.Work), nil)) }},
		{"line without turns", func() error { return new(analyse.Line[int]).Add(nil, 1) }},
		{"temperature", func() error { return two(analyse.Temperature(ctx, e.Search(), match.Situation{}, search.Settings{})) }},
		{"player without an engine", func() error { return two(duel.Preset(nil, preset.Preset{})(ctx)) }},
		{"program without a name", func() error { return two(duel.Outside(external.Spec{}, nil)(ctx)) }},
		{"pair without players", func() error { return two(duel.PlayPair(ctx, [2]duel.Player{}, duel.Settings{}, 0)) }},
		{"game without players", func() error { return one(ctx, [2]duel.Player{}) }},
		{"game without dice", func() error {
			p, err := duel.Pubeval(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return one(ctx, [2]duel.Player{p, p})
		}},
		{"duel without an engine", func() error { return two(duel.FromSpec(ctx, nil, []byte("{}"))) }},
		{"plan without an engine", func() error { return two(new(duel.Plan).Engine(t.Context(), nil)) }},
		{"run without players", func() error {
			_, _, err := (&duel.Run{Pairs: 1}).Play(ctx)
			return err
		}},
	} {
		if err := tt.do(); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}

	if cube.NewEndgame(nil, 100) != nil {
		t.Error("an Endgame of no ladder")
	}
	if _, more := record.NewReplay(nil, nil).Next(); more {
		t.Error("something happened in no game")
	}
	plays := board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})
	same := append([]board.Play(nil), plays...)
	weights := [6]float32{2, 1, 1, -1, -1, -1}
	p := board.Start
	n := search.NewRanker(nil).Shortlist(&p, plays, &weights, search.Replies)
	if k := search.NewRanker(search.SmallNet()).Shortlist(&p, same, &weights, search.Replies); k != n || plays[0] != same[0] {
		t.Errorf("a Ranker without a net: %d plays, %d by the net of the program", n, k)
	}
}

func one(ctx context.Context, two [2]duel.Player) error {
	_, err := duel.PlayOne(ctx, two, duel.Settings{}, duel.Chance{})
	return err
}
