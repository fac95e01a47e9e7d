package reference

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sync"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// Chooser chooses a play; ok is false without a legal one.
type Chooser = train.Host

// ByPreset chooses cubeless money plays as a preset does, with its rollouts.
func ByPreset(ctx context.Context, e *engine.Engine, pr preset.Preset) Chooser {
	pr.Checker.Cubeful = false
	return func(p board.Position, d board.Dice) (board.Play, bool, error) {
		// Noise is drawn for the decision, however often it is asked.
		key := p.Key()
		h := fnv.New64a()
		h.Write(append(key[:], d.A, d.B))
		pr := pr.WithSeed(h.Sum64() | 1)
		best, ok, err := e.BestPlay(ctx, p, d, match.Money(false, 0), pr)
		return best.Play, ok, err
	}
}

// ByTeacher chooses by the labels of a teacher at a depth, one decision at a time, until ctx ends.
func ByTeacher(ctx context.Context, t train.Teacher, plies int) Chooser {
	var mu sync.Mutex
	return func(pos board.Position, d board.Dice) (best board.Play, ok bool, err error) {
		plays := board.AppendPlays(nil, pos, d)
		keys, labels := make([]board.Key, len(plays)), make([]train.Label, len(plays))
		for i := range plays {
			keys[i] = plays[i].Result.Swap().Key()
		}
		mu.Lock()
		defer mu.Unlock()
		if err := t.Label(ctx, keys, plies, labels); err != nil {
			return best, false, err
		}
		least := float32(math.Inf(1)) // the opponent's equity
		for i := range plays {
			if v := labels[i].Probs().Money(); v < least {
				least, best = v, plays[i]
			}
		}
		return best, len(plays) > 0, nil
	}
}

// Losses returns the loss of a chooser in each decision, in millipoints, on all processors. choose
// makes a chooser for each goroutine. A play that the file does not list counts as its worst. report,
// unless nil, is called with the number of decisions done.
func Losses(ctx context.Context, ds []train.Problem, choose func() Chooser, report func(done int)) ([]float64, error) {
	out := make([]float64, len(ds))
	return out, train.Parallel(ctx, len(ds), report, func() func(i int) error {
		by := choose()
		return func(i int) error {
			play, ok, err := by(ds[i].Position, ds[i].Dice)
			if err != nil {
				return fmt.Errorf("decision %d: %w", i+1, err)
			}
			if ok {
				out[i] = ds[i].LossOf(play.Result.Swap().Key()) * 1000
			}
			return nil
		}
	})
}

// Bearoffs draws n close cube decisions of bearoffs with two to six checkers a side at home, at
// scores of matches up to 15 points with cube access, and computes the exact equities of each:
// backwards from the last checker, by a table of all pairs of boards ([cube.Endgame]). None is
// reserved.
func Bearoffs(ctx context.Context, t *match.Table, seed uint64, n int, report func(done int)) ([]Reference, error) {
	rng := rand.New(rand.NewPCG(seed, 0xbea0))
	home := func() (c board.Checkers) {
		for range 2 + rng.IntN(5) {
			c[rng.IntN(6)]++
		}
		return c
	}
	var out []Reference
	for len(out) < n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := board.Position{Me: home(), Opp: home()}
		st := match.State{Length: 3 + rng.IntN(13), Cube: 1}
		st.Score = [2]int{rng.IntN(st.Length), rng.IntN(st.Length)}
		if rng.IntN(2) == 0 {
			st.Cube, st.Owner = 2<<rng.IntN(2), match.Mine
		}
		l, err := cube.NewLadder(t, st)
		if err != nil {
			return nil, fmt.Errorf("bearoffs: %w", err)
		}
		e := cube.NewEndgame(l, 0)
		if e == nil || !l.MayDouble(cube.Spot{Owner: st.Owner}) {
			continue
		}
		known := e.Prepare(ctx, &p, false, cube.AllPairs)
		var u [2]float64
		if !known.Values(&p, false, []cube.Spot{{Owner: st.Owner}, {Rung: 1, Owner: match.Theirs}}, u[:]) {
			continue // ctx has ended
		}
		d := cube.Settle(t, st, l, &p, eval.Probs{}, u[0], u[1])
		if !d.Available() || d.Dead || !closeCube(d) {
			continue
		}
		out = append(out, Reference{Tag: "bearoff", Position: p.ID(), Cube: &Cube{
			CubeState: train.CubeStateOf(st),
			NoDouble:  Value{Equity: d.NoDouble}, DoubleTake: Value{Equity: d.DoubleTake},
		}})
		if report != nil {
			report(len(out))
		}
	}
	return out, nil
}

// closeCube reports whether doubling and rolling, or taking and passing, differ and are near
// each other.
func closeCube(d cube.Decision) bool {
	gain, give := math.Abs(d.NoDouble-min(d.DoubleTake, d.DoublePass)), math.Abs(d.DoubleTake-d.DoublePass)
	return gain > 1e-4 && gain < nearCube || give > 1e-4 && give < nearCube
}
