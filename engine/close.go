package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// closeSeed is the seed of all dice that settle close plays: a decision depends on
// the position alone.
const closeSeed = 1

// sureBehind is how many joint standard deviations a play must be behind to be rolled
// out no further.
const sureBehind = 3

// settle rolls out the plays at the head of list that pr finds close, and puts them
// in the order of what that gave. What is left of the time budget, counted from
// began, bounds it: a rollout that does not finish changes nothing.
func (e *Engine) settle(ctx context.Context, p board.Position, st match.State, pr *preset.Preset, list []search.Candidate, began time.Time) error {
	n := 0
	// Races have databases and nets that leave nothing to settle. A decision that the
	// preset's share does not look into is left at that too.
	if c := &pr.Checker; p.Contact() && (c.Share == 0 || c.Share == 1 || list[0].Plies > 0) {
		n = closePlays(list, &pr.Close)
	}
	if n < 2 {
		return nil
	}
	s := rollout.Default()
	s.Trials, s.Truncate, s.Seed, s.StopJSD = pr.Close.Trials, pr.Close.Truncate, closeSeed, sureBehind
	s.Threads = e.search.Threads()
	s.Cubeful, s.Checker.Cubeful, s.Cube.Cubeful = pr.Checker.Cubeful, pr.Checker.Cubeful, pr.Checker.Cubeful
	job, err := rollout.New(e.RolloutOptions(), p, st, s)
	if err != nil {
		return fmt.Errorf("settle close plays: %w", err)
	}
	for _, c := range list[:n] {
		if err := job.AddPlay("", c.Play); err != nil {
			return fmt.Errorf("settle close plays: %w", err)
		}
	}
	limited := ctx
	if b := pr.Checker.Budget; b > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, began.Add(b))
		defer cancel()
	}
	if err := job.Run(limited, nil); err != nil {
		if ctx.Err() == nil && limited.Err() != nil {
			return nil
		}
		return fmt.Errorf("settle close plays: %w", err)
	}
	for i, r := range job.Results() {
		c := &list[i]
		for k, v := range r.Probs {
			c.Probs[k] = float32(v)
		}
		// With the luck taken off a mean of chances may leave their range.
		after := c.Play.Result.Swap()
		c.Probs = eval.Sane(&after, c.Probs.Invert()).Invert()
		c.Equity, c.Cubeless, c.MWC, c.Trials = r.Equity, r.Cubeless, r.MWC, r.Trials
	}
	slices.SortStableFunc(list[:n], func(a, b search.Candidate) int { return cmp.Compare(b.Equity, a.Equity) })
	return nil
}

// closePlays is how many plays at the head of list are rolled out.
func closePlays(list []search.Candidate, c *preset.Close) int {
	if c.Trials == 0 {
		return 0
	}
	for i := range list[:min(c.Plays, len(list))] {
		if list[0].Equity-list[i].Equity > c.Within || list[i].Play.Result.Result() != 0 {
			return i
		}
	}
	return min(c.Plays, len(list))
}
