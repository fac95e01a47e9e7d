package engine

import (
	"context"
	"errors"
	"math"
	"testing"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// hyperEngine plays hypergammon with one checker a side: its database is made in a moment.
func hyperEngine(t *testing.T) (*Engine, *bearoff.Hyper) {
	t.Helper()
	e, err := Open(Options{Bearoff: bearoff.NewSource(bearoff.Options{Cache: t.TempDir()}), Threads: 1, CacheMB: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.With(t.Context(), board.Rules{Checkers: 1})
	if err != nil {
		t.Fatal(err)
	}
	db, err := e.Bearoff().Hyper(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Bearoff().Close() })
	return v, db
}

// The engine's decisions in money play are those of the database, at every preset that
// does not err.
func TestWith_hypergammonIsExactForMoney(t *testing.T) {
	e, db := hyperEngine(t)
	if again, err := e.With(t.Context(), board.Rules{Checkers: 1}); err != nil || again != e {
		t.Fatal("another engine for the same game", err)
	}
	for _, name := range []string{"expert", "worldclass"} {
		pr, err := preset.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < 24; i += 3 {
			for k := 2; k < 25; k += 4 {
				var p board.Position
				p.Me[i], p.Opp[k] = 1, 1
				if p.Validate() != nil {
					continue
				}
				for _, jacoby := range []bool{false, true} {
					st := match.Money(jacoby, 0)
					v, _ := db.Value(&p)
					d, err := e.CubeDecision(t.Context(), p, st, pr)
					if err != nil {
						t.Fatal(err)
					}
					if math.Abs(d.NoDouble-v.NoDouble(match.Centred, jacoby)) > 1e-6 || math.Abs(d.DoubleTake-2*v.OppOwned) > 1e-6 || d.Probs != v.Probs {
						t.Fatalf("%s %s: %+v, database %+v", name, p.ID(), d, v)
					}
					for _, roll := range []board.Dice{{A: 3, B: 1}, {A: 6, B: 6}} {
						want, err := db.Plays(p, roll, match.Centred, jacoby)
						if err != nil {
							t.Fatal(err)
						}
						got, ok, err := e.BestPlay(t.Context(), p, roll, st, pr)
						if err != nil || ok != (len(want) > 0) {
							t.Fatal(err, ok)
						}
						if ok && math.Abs(got.Equity-want[0].Equity) > 1e-6 {
							t.Fatalf("%s %s %v: %v, database %v", name, p.ID(), roll, got.Equity, want[0].Equity)
						}
					}
				}
			}
		}
	}
}

// Rolled out to the end, the database's equity comes out: chances, gammons and the cube.
func TestWith_rolloutsAgreeWithTheDatabase(t *testing.T) {
	e, db := hyperEngine(t)
	p := board.Position{Me: board.Checkers{14: 1}, Opp: board.Checkers{20: 1}}
	v, _ := db.Value(&p)
	s := rollout.Default()
	s.Trials, s.Threads, s.TruncateTwoSided = 1296, 1, false
	job, err := rollout.New(t.Context(), e.RolloutOptions(), p, match.Money(false, 0), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.AddCube(); err != nil {
		t.Fatal(err)
	}
	if err := job.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{v.Centred, 2 * v.OppOwned} {
		r := job.Results()[i]
		if d := math.Abs(r.Equity - want); d > 4*float64(r.EquityErr)+0.002 {
			t.Errorf("%s: %v ± %v, database %v", r.Name, r.Equity, float64(r.EquityErr), want)
		}
		if d := math.Abs(r.Probs[eval.WinGammon] - float64(v.Probs[eval.WinGammon])); d > 4*float64(r.ProbsErr[eval.WinGammon])+0.002 {
			t.Errorf("gammons %v, database %v", r.Probs, v.Probs)
		}
	}
	// Where the database may end a trial it does, and nothing is left to chance.
	s.TruncateTwoSided, s.Trials = true, 36
	if job, err = rollout.New(t.Context(), e.RolloutOptions(), p, match.Money(false, 0), s); err != nil {
		t.Fatal(err)
	}
	job.AddPosition("x")
	if err := job.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if r := job.Results()[0]; math.Abs(r.Equity-max(v.Centred, min(2*v.OppOwned, 1))) > 0.002 {
		t.Errorf("%+v, database %+v", r, v)
	}
}

// At a score the chances are exact and the cube is theirs and the score's: a search
// agrees with its static view nearly, and the last cube is exact.
func TestWith_hypergammonAtAScore(t *testing.T) {
	e, db := hyperEngine(t)
	st := match.State{Length: 3, Cube: 4, Owner: match.Mine}
	p := board.Position{Me: board.Checkers{10: 1}, Opp: board.Checkers{17: 1}}
	v, _ := db.Value(&p)
	d, err := e.Search().Cube(t.Context(), p, st, search.Settings{Plies: 2, Cubeful: true, Prune: true, Filter: search.Normal})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(d.MWC[0]-float64(v.Probs[eval.Win])) > 1e-4 {
		t.Errorf("dead cube: %v, wins %v", d.MWC[0], v.Probs[eval.Win])
	}
}

func TestWith_whatCannotBePlayed(t *testing.T) {
	e, _ := hyperEngine(t)
	if _, err := e.With(t.Context(), board.Rules{Checkers: 3}); !errors.Is(err, bearoff.ErrNoHyper) {
		t.Errorf("three checkers without a database: %v", err)
	}
	if _, err := e.With(t.Context(), board.Rules{Checkers: 7}); !errors.Is(err, ErrRules) {
		t.Errorf("seven checkers: %v", err)
	}
	if _, _, err := e.BestPlay(t.Context(), board.Start, board.Dice{A: 3, B: 1}, match.Money(false, 0), preset.Preset{}); !errors.Is(err, board.ErrIllegalPosition) {
		t.Errorf("fifteen checkers: %v", err)
	}
	plain, err := e.With(t.Context(), board.Rules{Checkers: board.MaxCheckers})
	if err != nil || plain.Rules() != (board.Rules{}) {
		t.Errorf("back to backgammon: %v", err)
	}
}

// Under the Egyptian rule neither the plays nor the search put a sixth checker on a point.
func TestWith_egyptianPlaysOnly(t *testing.T) {
	e, err := Open(Options{NoBearoff: true, Threads: 1, CacheMB: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.With(t.Context(), board.Rules{Egyptian: true})
	if err != nil {
		t.Fatal(err)
	}
	pr, err := preset.ByName("worldclass")
	if err != nil {
		t.Fatal(err)
	}
	p := board.Position{Me: board.Checkers{5: 5, 7: 3, 12: 5, 23: 2}, Opp: board.Start.Opp}
	list, err := v.RankPlays(t.Context(), p, board.Dice{A: 2, B: 1}, match.Money(false, 0), pr)
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	all, err := e.RankPlays(t.Context(), p, board.Dice{A: 2, B: 1}, match.Money(false, 0), pr)
	if err != nil || len(all) <= len(list) {
		t.Errorf("%d plays, %d without the rule, %v", len(list), len(all), err)
	}
	for _, c := range list {
		for i, n := range c.Play.Result.Me[:board.Bar] {
			if n > 5 {
				t.Errorf("%s: %d checkers on %d", board.FormatPlay(p, c.Play), n, i+1)
			}
		}
	}
}
