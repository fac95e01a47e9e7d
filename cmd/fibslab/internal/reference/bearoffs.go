package reference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

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
			Length: st.Length, Score: st.Score, Value: st.Cube, Owner: st.Owner,
			NoDouble: Value{Equity: d.NoDouble}, DoubleTake: Value{Equity: d.DoubleTake},
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
