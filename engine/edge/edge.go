// Package edge values the difference between two choices at one decision: a play
// against another, doubling against rolling, taking against passing, by short
// rollouts that share their dice.
//
// The differences measure who is the better player with far fewer games than the
// results do. By the performance difference lemma (S. Kakade and J. Langford,
// "Approximately optimal approximate reinforcement learning", ICML 2002, lemma
// 6.1) the result that player A expects against B is the sum over A's decisions,
// in games between the two, of what A's choice is worth above the one B would
// have made there, valued as if B played both sides from then on. The same holds
// with the names exchanged, so every decision of a game can be used, at half
// weight. Rollouts by the engine at 0 plies stand for the play of A or B from
// then on; where they misjudge a difference, the sum is wrong by that much. The
// dice of a rollout are fair, so its noise favours nobody.
package edge

import (
	"context"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
)

// Judge values differences. It is safe for concurrent use.
//
// All values are to the player named, in equity at the present cube in money play
// and in match winning chance in matches. The seed decides the dice.
type Judge struct {
	Options  rollout.Options
	Settings rollout.Settings
}

// Play returns what reaching position a is worth above reaching b to the player
// on roll at p in state st. Both are positions after a play, from his view.
func (j *Judge) Play(ctx context.Context, p board.Position, st match.State, a, b board.Position, seed uint64) (float64, error) {
	if a.Result() != 0 || b.Result() != 0 {
		return j.lastPlay(ctx, p, st, a, b, seed)
	}
	job, err := j.job(p, st, seed)
	if err != nil {
		return 0, err
	}
	for i, after := range [2]board.Position{a, b} {
		if err := job.AddPlay(fmt.Sprint("play ", i+1), board.Play{Result: after}); err != nil {
			return 0, fmt.Errorf("value plays: %w", err)
		}
	}
	v, err := run(ctx, job, st)
	if err != nil {
		return 0, fmt.Errorf("value plays: %w", err)
	}
	return v[0] - v[1], nil
}

// lastPlay is Play where one of the plays bears off the last checker.
func (j *Judge) lastPlay(ctx context.Context, p board.Position, st match.State, a, b board.Position, seed uint64) (float64, error) {
	var v [2]float64
	for i, after := range [2]board.Position{a, b} {
		if level := after.Result(); level != 0 {
			v[i] = j.worth(st, st.Points(level))
			continue
		}
		job, err := j.job(p, st, seed)
		if err != nil {
			return 0, err
		}
		if err := job.AddPlay("play", board.Play{Result: after}); err != nil {
			return 0, fmt.Errorf("value plays: %w", err)
		}
		one, err := run(ctx, job, st)
		if err != nil {
			return 0, fmt.Errorf("value plays: %w", err)
		}
		v[i] = one[0]
	}
	return v[0] - v[1], nil
}

// worth is the value of winning points (with the cube) in state st.
func (j *Judge) worth(st match.State, points int) float64 {
	if st.Length == 0 {
		return float64(points) / float64(st.Cube)
	}
	return j.Options.Search.Table().After(st, points)
}

// Cube is what the choices before a roll are worth to the player on roll.
type Cube struct{ Roll, Take, Pass float64 }

// Cube values rolling, and doubling where the opponent takes and where he passes,
// to the player on roll at p in state st, who may double.
func (j *Judge) Cube(ctx context.Context, p board.Position, st match.State, seed uint64) (Cube, error) {
	job, err := j.job(p, st, seed)
	if err != nil {
		return Cube{}, err
	}
	if err := job.AddCube(); err != nil {
		return Cube{}, fmt.Errorf("value the cube: %w", err)
	}
	v, err := run(ctx, job, st)
	if err != nil {
		return Cube{}, fmt.Errorf("value the cube: %w", err)
	}
	return Cube{Roll: v[0], Take: v[1], Pass: j.worth(st, st.DropPoints())}, nil
}

func (j *Judge) job(p board.Position, st match.State, seed uint64) (*rollout.Job, error) {
	s := j.Settings
	s.Seed, s.Threads = seed, 1
	return rollout.New(j.Options, p, st, s)
}

// run plays a rollout out and returns the value of each arm.
func run(ctx context.Context, job *rollout.Job, st match.State) ([]float64, error) {
	if err := job.Run(ctx, nil); err != nil {
		return nil, err
	}
	var out []float64
	for _, r := range job.Results() {
		v := r.Equity
		if st.Length > 0 {
			v = r.MWC
		}
		out = append(out, v)
	}
	return out, nil
}
