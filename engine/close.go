package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/engine/settle"
)

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
	plays := make([]board.Play, n)
	for i := range plays {
		plays[i] = list[i].Play
	}
	results, _, err := e.closeJob(pr, pr.Checker.Budget, began).Plays(ctx, p, st, plays)
	if err != nil {
		return err
	}
	for i, r := range results {
		c := &list[i]
		for k, v := range r.Probs {
			c.Probs[k] = float32(v)
		}
		c.Equity, c.Cubeless, c.MWC, c.Trials = r.Equity, r.Cubeless, r.MWC, r.Trials
	}
	slices.SortStableFunc(list[:n], func(a, b search.Candidate) int { return cmp.Compare(b.Equity, a.Equity) })
	return nil
}

// settleCube rolls the cube decision d out where pr finds it close.
func (e *Engine) settleCube(ctx context.Context, p board.Position, st match.State, pr *preset.Preset, d cube.Decision, began time.Time) (cube.Decision, error) {
	if c := &pr.Cube; !(c.Share == 0 || c.Share == 1 || d.Plies > 0) || !settle.CloseCube(&p, &d, &pr.Close) {
		return d, nil
	}
	settled, results, _, err := e.closeJob(pr, pr.Cube.Budget, began).Cube(ctx, p, st)
	if err != nil || results == nil {
		return d, err
	}
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
