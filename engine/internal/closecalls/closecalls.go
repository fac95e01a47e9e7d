// Package closecalls rolls out the decisions that a search found close. The engine does so
// before it plays and the analysis of a match before it judges, with the same dice: a
// decision depends on the position alone.
package closecalls

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
	"fibsbot/internal/figure"
)

// seed is that of the dice of all close decisions.
const seed = 1

// sureBehind is how many joint standard deviations behind a play must be, or how clear a
// cube decision, to end its rollout. From Least trials on this is checked every look trials,
// a round of first rolls. docs/strength.md has what that saves; it changes next to no decision.
const (
	sureBehind = 3
	look       = 36
)

// Least is the number of trials below which a rollout that ran out of time is discarded.
const Least = 72

// Plays returns how many plays at the head of list, as a search ranked them in position p,
// are close enough to be rolled out; 0 or at least 2.
func Plays(p *board.Position, list []search.Candidate, c *preset.Close) int {
	// In races, databases and nets leave nothing to a rollout.
	if c.Trials == 0 || len(list) == 0 || !p.Contact() {
		return 0
	}
	most := min(c.Plays, len(list))
	for i := range list[:most] {
		if list[0].Equity-list[i].Equity > c.Within || list[i].Play.Result.Result() != 0 {
			most = i
			break
		}
	}
	if most < 2 {
		return 0
	}
	return most
}

// Cube reports whether the cube decision d at p is close, whether to double or whether to
// take, and so rolled out.
func Cube(p *board.Position, d *cube.Decision, c *preset.Close) bool {
	if c.CubeTrials == 0 || !d.Available() || d.Dead || !p.Contact() {
		return false
	}
	doubled := min(d.DoubleTake, d.DoublePass)
	if math.Abs(d.NoDouble-doubled) <= c.CubeWithin {
		return true
	}
	// A close take matters only if a double is near.
	return math.Abs(d.DoubleTake-d.DoublePass) <= c.CubeWithin && doubled > d.NoDouble-3*c.CubeWithin
}

// Job is one rollout of a close decision.
type Job struct {
	Options rollout.Options
	Close   *preset.Close
	Cubeful bool // of plays; cube decisions are always cubeful
	// Threads is how many to use, 0 one per CPU.
	Threads int
	// Until ends the rollout, unless it is zero. Its trials count from Least on.
	Until time.Time
}

// Plays rolls out the plays of list, as a search ranked them in position p and state st, that are at the
// indexes of, and returns these with the results in their order, blended with the search by Close.Search;
// no results if Until left fewer than Least trials. A play of list that leads the results is rolled out
// beside them, and so joins of.
func (j *Job) Plays(ctx context.Context, p board.Position, st match.State, list []search.Candidate, of []int) ([]int, []rollout.Result, rollout.Settings, error) {
	res, s, err := j.plays(ctx, p, st, list, of)
	for err == nil && res != nil {
		top := slices.MaxFunc(res, func(a, b rollout.Result) int { return cmp.Compare(a.Equity, b.Equity) }).Equity
		lead := -1
		for i := range list {
			if list[i].Equity > top && (lead < 0 || list[i].Equity > list[lead].Equity) && !slices.Contains(of, i) && list[i].Play.Result.Result() == 0 {
				lead = i
			}
		}
		if lead < 0 {
			break
		}
		more := append(slices.Clone(of), lead)
		again, set, err := j.plays(ctx, p, st, list, more)
		if err != nil || again == nil {
			return of, res, s, err
		}
		of, res, s = more, again, set
	}
	return of, res, s, err
}

// plays rolls out the plays of list at the indexes of.
func (j *Job) plays(ctx context.Context, p board.Position, st match.State, list []search.Candidate, of []int) ([]rollout.Result, rollout.Settings, error) {
	s := j.settings(j.Cubeful)
	s.Trials = j.Close.Trials
	job, err := rollout.New(ctx, j.Options, p, st, s)
	if err != nil {
		return nil, s, fmt.Errorf("roll out close plays: %w", err)
	}
	var asked []search.Candidate
	for _, i := range of {
		asked = append(asked, list[i])
		if err := job.AddPlay("", list[i].Play); err != nil {
			return nil, s, fmt.Errorf("roll out close plays: %w", err)
		}
	}
	res, err := j.run(ctx, job, &s)
	blend(res, asked, j.Close.Search)
	for i := range res {
		var pr eval.Probs
		for k, v := range res[i].Probs {
			pr[k] = float32(v)
		}
		// Without the luck, a mean of chances may leave 0 to 1.
		after := asked[i].Play.Result.Swap()
		for k, v := range eval.Sane(&after, pr.Invert()).Invert() {
			res[i].Probs[k] = float64(v)
		}
	}
	return res, s, err
}

// blend moves each result by part, 0 to 1, of the way to the search's value of its play. Short
// trials err by chance and by their early end, the search in other ways: the mean of both errs
// less than either (docs/strength.md). Searches to an even and an odd depth differ by much the
// same shift for all plays. A play searched to another depth than the first is therefore moved
// by the mean shift of the plays that were searched as deep as the first.
func blend(res []rollout.Result, list []search.Candidate, part float64) {
	if part == 0 || len(res) == 0 {
		return
	}
	values := func(i int) (rolled [8]*float64, searched [8]float64) {
		r, c := &res[i], &list[i]
		rolled = [8]*float64{&r.Equity, &r.Cubeless, r.MWC}
		if r.MWC == nil { // money play
			rolled[2] = new(float64)
		}
		searched = [8]float64{c.Equity, c.Cubeless, c.MWC}
		for k, v := range c.Probs {
			rolled[3+k], searched[3+k] = &r.Probs[k], float64(v)
		}
		return rolled, searched
	}
	var usual [8]float64
	n := 0.0
	for i := range res {
		if list[i].Plies == list[0].Plies {
			n++
			rolled, searched := values(i)
			for k, v := range searched {
				usual[k] += v - *rolled[k]
			}
		}
	}
	for i := range res {
		rolled, searched := values(i)
		for k, v := range searched {
			shift := v - *rolled[k]
			if list[i].Plies != list[0].Plies {
				shift = usual[k] / n
			}
			*rolled[k] += part * shift
		}
		r := &res[i]
		left := figure.Figure(1 - part)
		r.EquityErr, r.CubelessErr = left*r.EquityErr, left*r.CubelessErr
		for k := range r.ProbsErr {
			r.ProbsErr[k] *= left
		}
		if r.MWCErr != nil {
			*r.MWCErr *= left
		}
	}
}

// Cube rolls out the cube decision at position p in state st and returns it with the results
// of no double and of double, take; nil results if Until left fewer than Least trials.
func (j *Job) Cube(ctx context.Context, p board.Position, st match.State) (d cube.Decision, res []rollout.Result, s rollout.Settings, err error) {
	s = j.settings(true)
	s.Trials = j.Close.CubeTrials
	job, err := rollout.New(ctx, j.Options, p, st, s)
	if err != nil {
		return d, nil, s, fmt.Errorf("roll out a close cube decision: %w", err)
	}
	if err := job.AddCube(); err != nil {
		return d, nil, s, fmt.Errorf("roll out a close cube decision: %w", err)
	}
	if res, err = j.run(ctx, job, &s); err != nil || res == nil {
		return d, nil, s, err
	}
	d, ok := job.Decision()
	if !ok {
		return d, nil, s, nil
	}
	d.Probs = eval.Sane(&p, d.Probs)
	d.Trials, d.StdErr = res[0].Trials, [2]float64{res[0].EquityErr.Or(0), res[1].EquityErr.Or(0)}
	return d, res, s, nil
}

// settings returns the settings of rollouts within a decision.
func (j *Job) settings(cubeful bool) rollout.Settings {
	c := j.Close
	s := rollout.Default()
	s.Truncate, s.Seed, s.Threads = c.Truncate, seed, j.Threads
	s.StopJSD, s.MinTrials, s.Look = sureBehind, Least, look
	s.Cubeful, s.Checker.Cubeful, s.Cube.Cubeful = cubeful, cubeful, cubeful
	if c.Early > 0 && c.Plies > 0 {
		s.LatePly, s.LateChecker, s.LateCube = c.Early, s.Checker, s.Cube
		for _, x := range [...]*search.Settings{&s.Checker, &s.Cube} {
			x.Plies, x.Prune, x.Filter = c.Plies, true, search.Tiny
		}
	}
	return s
}

// run plays a rollout until it ends or its time does and returns its results, or nil below
// Least trials. If time ended it, s.Trials is set to the trials played, so that match files
// do not claim a longer rollout.
func (j *Job) run(ctx context.Context, job *rollout.Job, s *rollout.Settings) ([]rollout.Result, error) {
	limited := ctx
	if !j.Until.IsZero() {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, j.Until)
		defer cancel()
	}
	err := job.Run(limited, nil)
	results := job.Results()
	if err == nil {
		return results, nil
	}
	if ctx.Err() != nil || limited.Err() == nil {
		return nil, fmt.Errorf("roll out a close decision: %w", err)
	}
	s.Trials = 0
	for _, r := range results {
		if !r.Stopped && r.Trials < Least {
			return nil, nil
		}
		s.Trials = max(s.Trials, r.Trials)
	}
	return results, nil
}
