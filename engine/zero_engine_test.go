package engine_test

import (
	"errors"
	"path/filepath"
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

// TestZeroValues_engine: an Engine that Open did not make returns an error for a decision and
// empty values otherwise.
func TestZeroValues_engine(t *testing.T) {
	ctx := t.Context()
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	e, p, d, st := new(engine.Engine), board.Start, board.Dice{A: 3, B: 1}, match.State{Length: 3}
	two := func(_ any, err error) error { return err }
	for _, tt := range []struct {
		name string
		do   func() error
	}{
		{"rank plays", func() error { return two(e.RankPlays(ctx, p, d, st, expert)) }},
		{"best play", func() error { _, _, err := e.BestPlay(ctx, p, d, st, expert); return err }},
		{"evaluate", func() error { return two(e.Evaluate(ctx, p, st, expert)) }},
		{"cube", func() error { return two(e.CubeDecision(ctx, p, st, expert)) }},
		{"double", func() error { _, _, err := e.Double(ctx, p, st, expert); return err }},
		{"take", func() error { return two(e.TakeDecision(ctx, p, st, expert)) }},
		{"resign", func() error { return two(e.ResignOffer(ctx, match.Situation{Position: p, State: st}, expert)) }},
		{"accept", func() error { return two(e.AcceptResignation(ctx, match.Situation{Position: p, State: st}, 1, expert)) }},
		{"accept on roll", func() error {
			return two(e.AcceptOnRoll(ctx, match.Situation{Position: p, State: st, Dice: d}, 1, expert))
		}},
		{"other rules", func() error { return two(e.With(t.Context(), board.Rules{Checkers: 3})) }},
		{"its own rules", func() error { return two(e.With(t.Context(), board.Rules{})) }},
		{"rollout", func() error { return two(rollout.New(t.Context(), e.RolloutOptions(), p, st, rollout.Default())) }},
		{"search", func() error { return two(new(search.Engine).Plays(ctx, p, d, st, expert.Checker)) }},
		{"rolls", func() error { return two(new(search.Engine).Rolls(ctx, p, st, expert.Checker)) }},
		{"luck", func() error { return two((&luck.Meter{Search: e.Search()}).Roll(ctx, p, st, d)) }},
		{"analysis", func() error {
			return two(analyse.New(e.RolloutOptions(), expert).Analyse(ctx, &record.Match{Length: 3}))
		}},
		{"temperature", func() error {
			return two(analyse.Temperature(ctx, e.Search(), match.Situation{Position: p, State: st}, expert.Checker))
		}},
	} {
		if err := tt.do(); err == nil {
			t.Errorf("%s: the zero Engine decides", tt.name)
		}
	}
	e.Warm()
	if err := e.Close(); err != nil || e.Rules() != (board.Rules{}) || e.Manifest().Name != "" || e.Model().Arithmetic() != "" {
		t.Errorf("the zero Engine: %v, rules %v, nets %q", err, e.Rules(), e.Manifest().Name)
	}
}

// TestSettle_withoutLadder: a decision needs a ladder, and one is made of table and state
// where the caller has none. Where that cannot be there is no decision.
func TestSettle_withoutLadder(t *testing.T) {
	table := match.DefaultTable()
	for _, st := range []match.State{match.Money(true, 0).Normal(), {Length: 7, Cube: 2, Owner: match.Mine}} {
		l, err := cube.NewLadder(table, st)
		if err != nil {
			t.Fatal(err)
		}
		pr := eval.Probs{0.7, 0.2, 0, 0.05, 0}
		want := cube.Settle(table, st, l, &board.Start, pr, 0.1, 0.2)
		if got := cube.Settle(table, st, nil, &board.Start, pr, 0.1, 0.2); got != want || want.Action == cube.NoAction {
			t.Errorf("%+v: %+v, want %+v", st, got, want)
		}
	}
	st := match.State{Length: 7, Cube: 2, Owner: match.Mine}
	l, _ := cube.NewLadder(table, st)
	for _, d := range []cube.Decision{cube.Settle(nil, st, nil, &board.Start, eval.Probs{}, 0, 0), cube.Settle(nil, st, l, &board.Start, eval.Probs{}, 0, 0)} {
		if d.Available() || d.Cubeful != 0 {
			t.Errorf("a decision without a table: %+v", d)
		}
	}
	if n := cube.UsualResign.Offers(nil, st, eval.Probs{}, -1); n != 1 {
		t.Errorf("without a table %d is offered for a lost game, want 1", n)
	}
}

// TestZeroValues_handles: a rollout, a log or a program at the other end of a pipe that no
// constructor made returns an error.
func TestZeroValues_handles(t *testing.T) {
	ctx := t.Context()
	j, log, program := new(rollout.Job), new(duel.LogFile), new(external.Client)
	file := filepath.Join(t.TempDir(), "file")
	two := func(_ any, err error) error { return err }
	for _, tt := range []struct {
		name string
		do   func() error
		want error
	}{
		{"cube of a rollout", j.AddCube, rollout.ErrSettings},
		{"run of a rollout", func() error { return j.Run(ctx, nil) }, rollout.ErrSettings},
		{"run of its position", func() error {
			j := new(rollout.Job)
			j.AddPosition("here")
			return j.Run(ctx, nil)
		}, rollout.ErrSettings},
		{"piece of a rollout", func() error { return two(j.Runner().Run(ctx, []byte("{}"))) }, rollout.ErrSettings},
		{"file of a rollout", func() error { return j.Save(file, "") }, rollout.ErrSettings},
		{"rollout from a file", func() error { return two(j.Load(file, "")) }, rollout.ErrSettings},
		{"specification of a rollout", func() error { return two(j.Spec("")) }, rollout.ErrSettings},
		{"pair for a log", func() error { return log.Keep(0, duel.Pair{}) }, duel.ErrLog},
		{"request", func() error { return two(program.Ask(ctx, "hello 1")) }, external.ErrStart},
		{"move", func() error {
			return two(program.Decide(ctx, match.Situation{Position: board.Start, Dice: board.Dice{A: 3, B: 1}}, false))
		}, external.ErrStart},
	} {
		if err := tt.do(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if err := errors.Join(log.Close(), program.Close()); err != nil {
		t.Errorf("closing what was not open: %v", err)
	}
}
