package analyse

import (
	"cmp"
	"context"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/internal/closecalls"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout/recorded"
	"fibsbot/engine/search"
)

// playsToRollOut reports whether plays of an earlier analysis are close enough to be rolled out.
func (a *Analyst) playsToRollOut(t *record.Turn, list []record.Candidate) bool {
	if a.Close.Trials == 0 || !t.Position.Contact() {
		return false
	}
	return list[0].Outcome.Cubeful-list[1].Outcome.Cubeful <= a.Close.Within
}

// rolledPlay is a rolled out play; of is its index in the list of the search.
type rolledPlay struct {
	candidate record.Candidate
	of        int
}

// rollClosePlays rolls out the close plays of list and the one made, and returns them best first, or
// nil if nothing is close or rollouts are off.
func (a *Analyst) rollClosePlays(ctx context.Context, q *query, list []search.Candidate, made int) ([]rolledPlay, error) {
	n := closecalls.Plays(&q.Position, list, &a.Close)
	if n == 0 {
		return nil, nil
	}
	var of []int
	for i := range list {
		if i < n || i == made && list[i].Play.Result.Result() == 0 {
			of = append(of, i)
		}
	}
	of, res, s, err := a.closeJob().Plays(ctx, q.Position, q.State, list, of)
	if err != nil {
		return nil, err
	}
	out := make([]rolledPlay, len(of))
	for i, at := range of {
		out[i] = rolledPlay{recorded.Plays(res[i:i+1], []board.Play{list[at].Play}, s, q.State)[0], at}
	}
	slices.SortStableFunc(out, func(x, y rolledPlay) int {
		return cmp.Compare(y.candidate.Outcome.Cubeful, x.candidate.Outcome.Cubeful)
	})
	return out, nil
}

// closeJob returns a rollout on one thread: the workers share the decisions.
func (a *Analyst) closeJob() *closecalls.Job {
	return &closecalls.Job{Options: a.Rollouts, Close: &a.Close, Cubeful: a.Checker.Cubeful, Threads: 1}
}

// rollCloseCube rolls out a close cube decision, and returns nil for another one.
func (a *Analyst) rollCloseCube(ctx context.Context, p board.Position, st match.State, d *cube.Decision) (*record.CubeAnalysis, error) {
	if !closecalls.Cube(&p, d, &a.Close) {
		return nil, nil
	}
	_, res, s, err := a.closeJob().Cube(ctx, p, st)
	if err != nil || res == nil {
		return nil, err
	}
	return recorded.Cube(&res[0], &res[1], s, st, a.Engine.Table()), nil
}

// cubeToRollOut reports whether the cube decision of an earlier analysis is close enough to be
// rolled out.
func (a *Analyst) cubeToRollOut(t *record.Turn, c *record.CubeAnalysis) bool {
	if a.Close.CubeTrials == 0 || a.rolledOutEnough(c.Rollout, a.Close.CubeTrials) {
		return false
	}
	p, st := t.Doubler()
	ladder, err := cube.NewLadder(a.Engine.Table(), st)
	if err != nil {
		return false
	}
	nd, dt := c.NoDouble.Cubeful, c.DoubleTake.Cubeful
	if st.Length > 0 {
		nd, dt = 2*nd-1, 2*dt-1
	}
	var pr eval.Probs
	for i, v := range c.NoDouble.Probs {
		pr[i] = float32(v)
	}
	d := cube.Settle(a.Engine.Table(), st, ladder, &p, pr, nd, dt)
	return closecalls.Cube(&p, &d, &a.Close)
}
