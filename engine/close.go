package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// closeSeed is the seed of all dice that settle close decisions: a decision depends
// on the position alone.
const closeSeed = 1

// sureBehind is how many joint standard deviations a play must be behind to be rolled
// out no further.
const sureBehind = 3

// closeLeast is how many trials of everything that is still open a rollout must have
// when the time budget ends it, or it changes nothing.
const closeLeast = 72

// settle rolls out the plays at the head of list that pr finds close, and puts them
// in the order of what that gave. What is left of the time budget, counted from
// began, bounds it.
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
	s := e.closeSettings(&pr.Close, pr.Checker.Cubeful)
	s.Trials, s.StopJSD = pr.Close.Trials, sureBehind
	job, err := rollout.New(e.RolloutOptions(), p, st, s)
	if err != nil {
		return fmt.Errorf("settle close plays: %w", err)
	}
	for _, c := range list[:n] {
		if err := job.AddPlay("", c.Play); err != nil {
			return fmt.Errorf("settle close plays: %w", err)
		}
	}
	results, err := runClose(ctx, job, pr.Checker.Budget, began)
	if err != nil || results == nil {
		return err
	}
	for i, r := range results {
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

// settleCube rolls the cube decision d out where pr finds it close.
func (e *Engine) settleCube(ctx context.Context, p board.Position, st match.State, pr *preset.Preset, d cube.Decision, began time.Time) (cube.Decision, error) {
	if c := &pr.Cube; !p.Contact() || !(c.Share == 0 || c.Share == 1 || d.Plies > 0) || !closeCube(&d, &pr.Close) {
		return d, nil
	}
	s := e.closeSettings(&pr.Close, true)
	s.Trials = pr.Close.CubeTrials
	job, err := rollout.New(e.RolloutOptions(), p, st, s)
	if err != nil {
		return d, fmt.Errorf("settle a close cube: %w", err)
	}
	if err := job.AddCube(); err != nil {
		return d, fmt.Errorf("settle a close cube: %w", err)
	}
	results, err := runClose(ctx, job, pr.Cube.Budget, began)
	if err != nil || results == nil {
		return d, err
	}
	if settled, ok := job.Decision(); ok {
		settled.Probs = eval.Sane(&p, settled.Probs)
		settled.Plies, settled.Trials = d.Plies, results[0].Trials
		d = settled
	}
	return d, nil
}

// closeSettings are those of rollouts within a decision.
func (e *Engine) closeSettings(c *preset.Close, cubeful bool) rollout.Settings {
	s := rollout.Default()
	s.Truncate, s.Seed, s.Threads = c.Truncate, closeSeed, e.search.Threads()
	s.Cubeful, s.Checker.Cubeful, s.Cube.Cubeful = cubeful, cubeful, cubeful
	if c.Early > 0 && c.Plies > 0 {
		s.LatePly, s.LateChecker, s.LateCube = c.Early, s.Checker, s.Cube
		for _, x := range [...]*search.Settings{&s.Checker, &s.Cube} {
			x.Plies, x.Prune, x.Filter = c.Plies, true, search.Tiny
		}
	}
	return s
}

// runClose plays a rollout within what is left of a time budget, 0 for none, and
// returns its results, nil where the budget left too few trials to say anything.
func runClose(ctx context.Context, job *rollout.Job, budget time.Duration, began time.Time) ([]rollout.Result, error) {
	limited := ctx
	if budget > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, began.Add(budget))
		defer cancel()
	}
	err := job.Run(limited, nil)
	results := job.Results()
	if err == nil {
		return results, nil
	}
	if ctx.Err() != nil || limited.Err() == nil {
		return nil, fmt.Errorf("settle a close decision: %w", err)
	}
	for _, r := range results {
		if !r.Stopped && r.Trials < closeLeast {
			return nil, nil
		}
	}
	return results, nil
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

// closeCube tells whether a cube decision is rolled out: whether to double, or to
// take, is within reach.
func closeCube(d *cube.Decision, c *preset.Close) bool {
	if c.CubeTrials == 0 || !d.Available() || d.Dead {
		return false
	}
	doubled := min(d.DoubleTake, d.DoublePass)
	if math.Abs(d.NoDouble-doubled) <= c.CubeWithin {
		return true
	}
	// A take is a question only where somebody might double.
	return math.Abs(d.DoubleTake-d.DoublePass) <= c.CubeWithin && doubled > d.NoDouble-3*c.CubeWithin
}
