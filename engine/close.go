package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/internal/settle"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// Rolled is the rollout that a decision came to: what rolled.Plays and rolled.Cube write down.
// Without Results nothing was rolled out.
type Rolled struct {
	Settings rollout.Settings
	Plays    []board.Play // those of Results, none of a cube decision
	Results  []rollout.Result
}

type rolledKey struct{}

// WithRolled returns a context for one decision of RankPlays, Double, TakeDecision or the
// like, which puts its rollout into r. The lists and decisions themselves have the number of
// trials only: searches fill them by the million.
func WithRolled(ctx context.Context, r *Rolled) context.Context {
	return context.WithValue(ctx, rolledKey{}, r)
}

func noteRolled(ctx context.Context, r Rolled) {
	if to, ok := ctx.Value(rolledKey{}).(*Rolled); ok {
		*to = r
	}
}

// settle rolls out the plays at the head of list that pr finds close, and puts them
// in the order of what that gave. What is left of the time budget, counted from
// began, bounds it.
func (e *Engine) settle(ctx context.Context, p board.Position, st match.State, pr *preset.Preset, list []search.Candidate, began time.Time) error {
	n := 0
	// A decision that the preset's share does not look into is left at that here too.
	if c := &pr.Checker; c.Share == 0 || c.Share == 1 || list[0].Plies > 0 {
		n = settle.Close(&p, list, &pr.Close)
	}
	if n == 0 {
		return nil
	}
	results, s, err := e.closeJob(pr, pr.Checker.Budget, began).Plays(ctx, p, st, list[:n])
	if err != nil {
		return err
	}
	plays := make([]board.Play, n)
	for i := range plays {
		plays[i] = list[i].Play
	}
	noteRolled(ctx, Rolled{Settings: s, Plays: plays, Results: results})
	for i, r := range results {
		c := &list[i]
		for k, v := range r.Probs {
			c.Probs[k] = float32(v)
		}
		c.Equity, c.Cubeless, c.Trials, c.StdErr = r.Equity, r.Cubeless, r.Trials, r.EquityErr.Or(0)
		if r.MWC != nil {
			c.MWC = *r.MWC
		}
	}
	slices.SortStableFunc(list[:n], func(a, b search.Candidate) int { return cmp.Compare(b.Equity, a.Equity) })
	return nil
}

// settleCube rolls the cube decision d out where pr finds it close.
func (e *Engine) settleCube(ctx context.Context, p board.Position, st match.State, pr *preset.Preset, d cube.Decision, began time.Time) (cube.Decision, error) {
	if c := &pr.Cube; !(c.Share == 0 || c.Share == 1 || d.Plies > 0) || !settle.CloseCube(&p, &d, &pr.Close) {
		return d, nil
	}
	settled, results, s, err := e.closeJob(pr, pr.Cube.Budget, began).Cube(ctx, p, st)
	if err != nil || results == nil {
		return d, err
	}
	noteRolled(ctx, Rolled{Settings: s, Results: results})
	settled.Plies = d.Plies
	return settled, nil
}

// closeJob is a rollout within a decision that began at a time and has a budget of it,
// 0 for none.
func (e *Engine) closeJob(pr *preset.Preset, budget time.Duration, began time.Time) *settle.Job {
	j := &settle.Job{Options: e.RolloutOptions(), Close: &pr.Close, Cubeful: pr.Checker.Cubeful, Threads: e.search.Threads()}
	if budget > 0 {
		j.Until = began.Add(budget)
	}
	return j
}
