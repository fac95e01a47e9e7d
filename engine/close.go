package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/internal/closecalls"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// Rolled is the rollout behind a decision, for match files. Without Results nothing was rolled
// out. Candidates and decisions themselves have the number of trials only.
type Rolled struct {
	Settings rollout.Settings
	Plays    []board.Play // those of Results, none of a cube decision
	Results  []rollout.Result
}

// rollPlays rolls out the plays at the head of list that are close by pr, with those that lead them, and
// puts them first, in the order of the results. The rest of the time budget, counted from began, bounds it.
func (e *Engine) rollPlays(ctx context.Context, p board.Position, st match.State, pr *preset.Preset, list []search.Candidate, began time.Time) (Rolled, error) {
	n := 0
	// A decision that the preset's Share left at 0 plies is not rolled out either.
	if c := &pr.Checker; c.Share == 0 || c.Share == 1 || list[0].Plies > 0 {
		n = closecalls.Plays(&p, list, &pr.Close)
	}
	if n == 0 {
		return Rolled{}, nil
	}
	of := make([]int, n)
	for i := range of {
		of[i] = i
	}
	of, results, s, err := e.closeJob(pr, pr.Checker.Budget, began).Plays(ctx, p, st, list, of)
	if err != nil {
		return Rolled{}, err
	}
	plays := make([]board.Play, len(of))
	for i, at := range of {
		plays[i] = list[at].Play
	}
	for i, r := range results {
		c := &list[of[i]]
		for k, v := range r.Probs {
			c.Probs[k] = float32(v)
		}
		c.Equity, c.Cubeless, c.Trials, c.StdErr = r.Equity, r.Cubeless, r.Trials, r.EquityErr.Or(0)
		if r.MWC != nil {
			c.MWC = *r.MWC
		}
	}
	slices.SortStableFunc(list, func(a, b search.Candidate) int {
		switch {
		case a.Trials > 0 && b.Trials > 0:
			return cmp.Compare(b.Equity, a.Equity)
		case a.Trials > 0:
			return -1
		case b.Trials > 0:
			return 1
		}
		return 0
	})
	return Rolled{Settings: s, Plays: plays, Results: results}, nil
}

// rollCube rolls out the cube decision d if it is close by pr.
func (e *Engine) rollCube(ctx context.Context, p board.Position, st match.State, pr *preset.Preset, d cube.Decision, began time.Time) (cube.Decision, Rolled, error) {
	if c := &pr.Cube; !(c.Share == 0 || c.Share == 1 || d.Plies > 0) || !closecalls.Cube(&p, &d, &pr.Close) {
		return d, Rolled{}, nil
	}
	rolled, results, s, err := e.closeJob(pr, pr.Cube.Budget, began).Cube(ctx, p, st)
	if err != nil || results == nil {
		return d, Rolled{}, err
	}
	rolled.Plies = d.Plies
	return rolled, Rolled{Settings: s, Results: results}, nil
}

// closeJob returns a rollout within a decision that began at a time and has that budget, 0 for
// none.
func (e *Engine) closeJob(pr *preset.Preset, budget time.Duration, began time.Time) *closecalls.Job {
	j := &closecalls.Job{Options: e.RolloutOptions(), Close: &pr.Close, Cubeful: pr.Checker.Cubeful, Threads: e.search.Threads()}
	if budget > 0 {
		j.Until = began.Add(budget)
	}
	return j
}
