package duel_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/duel"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/internal/testsize"
)

func valuer(t testing.TB, trials int) *duel.Valuer {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	s := rollout.Default()
	s.Trials = trials
	return &duel.Valuer{Options: rollout.Options{Evaluator: e.Model().Evaluator, Search: e.Search()}, Settings: s}
}

// after is the position once steps were played from p, the mover's view.
func after(t testing.TB, p board.Position, d board.Dice, steps string) board.Position {
	t.Helper()
	for _, pl := range board.AppendPlays(nil, p, d) {
		if board.FormatPlay(p, pl) == steps {
			return pl.Result
		}
	}
	t.Fatalf("no play %s", steps)
	return p
}

func TestValuerPlay_openingBlunder(t *testing.T) {
	testsize.Medium(t)
	j, d := valuer(t, 12), board.Dice{A: 3, B: 1}
	good, bad := after(t, board.Start, d, "8/5 6/5"), after(t, board.Start, d, "24/23 6/3")
	for _, st := range []match.State{{Cube: 4, Owner: match.Theirs}, {Cube: 1, Length: 7, Score: [2]int{2, 3}}} {
		v, err := j.Play(context.Background(), board.Start, st, good, bad, 9)
		if err != nil {
			t.Fatal(err)
		}
		// The blunder costs about a quarter of a point, or 4 % of a match.
		low, high := 0.05, 0.6
		if st.Length > 0 {
			low, high = 0.005, 0.12
		}
		if v < low || v > high {
			t.Errorf("%+v: making the five point gains %.3f", st, v)
		}
		if st.Length > 0 {
			continue
		}
		turned, err := j.Play(context.Background(), board.Start, st, bad, good, 9)
		if err != nil || math.Abs(turned+v) > 1e-12 {
			t.Errorf("%+v: %.6f one way round, %.6f, %v the other", st, v, turned, err)
		}
	}
}

func TestValuerPlay_lastChecker(t *testing.T) {
	p := board.Position{Me: board.Checkers{0: 1, 1: 1}, Opp: board.Checkers{0: 1}}
	won := board.Position{Opp: p.Opp}
	kept := board.Position{Me: board.Checkers{0: 1}, Opp: p.Opp}
	j := valuer(t, 2)
	for _, c := range []struct {
		st   match.State
		want float64
	}{
		{match.Money(true, 0), 2}, // a point won against one lost, whatever the cube
		{match.State{Cube: 8, Owner: match.Mine}, 2},
		{match.State{Cube: 1, Length: 3, Score: [2]int{2, 2}}, 1},
	} {
		v, err := j.Play(context.Background(), p, c.st, won, kept, 1)
		if err != nil || math.Abs(v-c.want) > 1e-6 {
			t.Errorf("%+v: %.6f, %v, want %v", c.st, v, err, c.want)
		}
	}
}

func TestValuerCube(t *testing.T) {
	j := valuer(t, 36)
	// 32 of 36 throws do not save the opponent of one checker against two on his
	// six point: a double and a pass.
	p := board.Position{Me: board.Checkers{0: 3}, Opp: board.Checkers{5: 2}}
	v, err := j.Cube(context.Background(), p, match.Money(false, 0), 4)
	if err != nil || v.Pass != 1 || v.Take < 1 || v.Roll > 1.0001 {
		t.Errorf("%+v, %v", v, err)
	}
	m, err := j.Cube(context.Background(), p, match.State{Cube: 1, Length: 2}, 4)
	if want := 0.70; err != nil || math.Abs(m.Pass-want) > 0.05 || m.Take < m.Pass {
		t.Errorf("%+v, %v: pass about %.2f", m, err, want)
	}
	if _, err := j.Cube(context.Background(), p, match.State{Cube: 2, Owner: match.Theirs}, 4); !errors.Is(err, rollout.ErrSettings) {
		t.Errorf("the opponent's cube: %v", err)
	}
}
