package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

func open(t testing.TB, o Options) *Engine {
	t.Helper()
	o.NoBearoff = true
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func named(t testing.TB, name string) preset.Preset {
	t.Helper()
	p, err := preset.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEngine_openingPlays(t *testing.T) {
	e := open(t, Options{})
	for _, c := range []struct {
		dice board.Dice
		want string
	}{
		{board.Dice{A: 3, B: 1}, "8/5 6/5"},
		{board.Dice{A: 4, B: 2}, "8/4 6/4"},
		{board.Dice{A: 6, B: 1}, "13/7 8/7"},
	} {
		got, ok, err := e.BestPlay(context.Background(), board.Start, c.dice, match.Money(true, 3), named(t, "expert"))
		if err != nil || !ok {
			t.Fatalf("%v: %v %v", c.dice, ok, err)
		}
		if text := board.FormatPlay(board.Start, got.Play); text != c.want {
			t.Errorf("%v: %s, want %s", c.dice, text, c.want)
		}
	}
}

func TestEngine_cubeAndResign(t *testing.T) {
	ctx, e, pr := context.Background(), open(t, Options{}), named(t, "expert")
	money := match.Money(false, 0)
	if double, d, err := e.Double(ctx, board.Start, money, pr); double || err != nil || d.Action != cube.NoDoubleTake {
		t.Errorf("start: double %v, %v, %v", double, d.Action, err)
	}
	// Four checkers each on the ace point: only a double saves the opponent, who
	// wins 5/36, too little to take.
	won := board.Position{Me: board.Checkers{0: 4}, Opp: board.Checkers{0: 4}}
	if double, d, err := e.Double(ctx, won, money, pr); !double || err != nil {
		t.Errorf("won race: double %v, %v, %v", double, d.Action, err)
	}
	if a, err := e.TakeDecision(ctx, won, money, pr); a.Take || err != nil {
		t.Errorf("won race: take %v, %v", a.Take, err)
	}
	if a, err := e.TakeDecision(ctx, board.Start, money, pr); !a.Take || err != nil {
		t.Errorf("start: take %v, %v", a.Take, err)
	}
	if _, err := e.TakeDecision(ctx, board.Start, match.State{Cube: 2, Owner: match.Theirs}, pr); !errors.Is(err, match.ErrScore) {
		t.Errorf("impossible double: %v", err)
	}
	// The opponent bears off his last checker whatever happens; a checker of
	// ours is off, so it is a single game.
	lost := board.Position{Me: board.Checkers{3: 5, 4: 5}, Opp: board.Checkers{0: 1}}
	for _, c := range []struct {
		p    board.Position
		want int
	}{{lost, 1}, {board.Start, 0}, {board.Position{Me: board.Checkers{12: 15}, Opp: board.Checkers{0: 2}}, 2}} {
		level, err := e.ResignOffer(ctx, match.Situation{Position: c.p, State: money}, pr)
		if err != nil || level != c.want {
			t.Errorf("%s: offers %d, %v, want %d", c.p.ID(), level, err, c.want)
		}
		for l := 1; l <= 3; l++ {
			ok, err := e.AcceptResignation(ctx, match.Situation{Position: c.p, State: money}, l, pr)
			if want := c.want > 0 && l >= c.want || l == 3; err != nil || ok != want && c.want > 0 {
				t.Errorf("%s: accepts %d: %v, %v", c.p.ID(), l, ok, err)
			}
		}
	}
	if ok, err := e.AcceptOnRoll(ctx, match.Situation{Position: lost.Swap(), State: money}, 1, pr); !ok || err != nil {
		t.Errorf("on roll with one checker left: accepts %v, %v", ok, err)
	}
}

func TestEngine_noiseFollowsTheSeed(t *testing.T) {
	ctx, pr := context.Background(), named(t, "beginner")
	run := func(seed uint64) (out []string) {
		e := open(t, Options{Seed: seed})
		for range 20 {
			c, _, err := e.BestPlay(ctx, board.Start, board.Dice{A: 6, B: 2}, match.Money(true, 0), pr)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, board.FormatPlay(board.Start, c.Play))
		}
		return out
	}
	a, b := run(5), run(5)
	different := map[string]bool{}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("decision %d differs with the same seed: %s, %s", i, a[i], b[i])
		}
		different[a[i]] = true
	}
	if len(different) < 2 {
		t.Error("a beginner always plays the same")
	}
}

func TestOpen_badWeights(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(path, []byte("no weights"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Weights: path}); err == nil {
		t.Error("accepted")
	}
	if _, err := Open(Options{Weights: path + "x"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkPlays_2ply(b *testing.B) {
	e := open(b, Options{Threads: 1, CacheMB: -1})
	pr := named(b, "worldclass")
	for b.Loop() {
		if _, err := e.RankPlays(context.Background(), board.Start, board.Dice{A: 4, B: 2}, match.Money(false, 0), pr); err != nil {
			b.Fatal(err)
		}
	}
}
