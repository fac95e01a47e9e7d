package analyse

import (
	"cmp"
	"context"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/internal/closecalls"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout/recorded"
	"fibsbot/engine/search"
	"slices"
)

// task is one action to judge.
type task struct {
	turn record.Turn
	game int // index of its game in the match
	// opening marks the first roll of a game: no doubles, either player, no cube decision.
	opening bool
	rules   board.Rules
	// resigned is set if the resignation after the action is judged instead of the action.
	resigned *resignation
	loser    int // who resigned
}

// resignation is the position, with dice and cube, at which a player resigned.
type resignation struct {
	At     match.Situation // seen by the player on roll
	OnRoll bool            // who resigned is on roll
	Points int             // given up
}

// player returns who decided.
func (k *task) player() int {
	if k.resigned != nil {
		return k.loser
	}
	return k.turn.Player
}

// resignationOf returns the resignation that ended a game; ok is false without one, or if it
// answered a beaver. r has replayed all actions.
func resignationOf(r *record.Replay, g *record.Game, last *record.Turn) (resignation, bool) {
	if !g.GivenUp() || last == nil {
		return resignation{}, false
	}
	loser, onRoll := 1-g.Result.Winner&1, r.OnRoll()
	doubler, pending := r.Pending()
	switch {
	case pending > 1:
		return resignation{}, false
	case pending == 1:
		onRoll = doubler
	case onRoll != 0 && onRoll != 1:
		return resignation{}, false
	}
	out := resignation{OnRoll: onRoll == loser, Points: g.Result.Points}
	out.At = match.Situation{Position: r.Position(onRoll), State: r.State(onRoll), Doubled: pending == 1}
	if last.Action.Kind == record.Roll && last.Player == onRoll {
		out.At.Dice = last.Action.Dice
	}
	return out, out.At.Position.Validate() == nil && out.At.Position.Result() == 0
}

// due lists the actions of m that still need judging at the wanted depth.
func (a *Analyst) due(m *record.Match) []task { return a.tasks(m, a.isDue) }

// tasks lists the actions of m for which want returns true.
func (a *Analyst) tasks(m *record.Match, want func(*task) bool) (tasks []task) {
	for i := range m.Games {
		g, first := &m.Games[i], true
		r := record.NewReplay(m, g)
		var last *record.Turn
		for t, ok := r.Next(); ok; t, ok = r.Next() {
			last = &t
			switch t.Action.Kind {
			case record.SetUp:
				first = false
				continue
			case record.Roll:
				continue
			}
			k := task{turn: t, game: i, rules: m.Rules.Board(), opening: first && t.Action.Kind == record.Move && !t.Action.Dice.Double() && t.Position == m.Rules.Variation.Start()}
			first = false
			if want(&k) {
				tasks = append(tasks, k)
			}
		}
		if v, ok := resignationOf(r, g, last); ok {
			if k := (task{turn: *last, game: i, rules: m.Rules.Board(), resigned: &v, loser: 1 - g.Result.Winner&1}); want(&k) {
				tasks = append(tasks, k)
			}
		}
	}
	return tasks
}

// isDue reports whether an action still needs judging at the wanted depth.
func (a *Analyst) isDue(k *task) bool {
	if a.Player > 0 && k.player() != a.Player-1 {
		return false
	}
	have := Judgement(k.turn.Action.Analysis)
	if have == nil {
		have = &record.Analysis{}
	}
	if k.resigned != nil {
		return !a.Skip.Cube && (a.Again || have.Resigned == nil || !enough(&have.Resigned.Settings, nil, &a.Cube))
	}
	if k.turn.Action.Kind != record.Move {
		return a.cubeDue(&k.turn, have)
	}
	if a.luckDue(have) || !a.Skip.Checker && a.playDue(&k.turn, have) {
		return true
	}
	return !k.opening && decidesCube(k.turn.State) && a.cubeDue(&k.turn, have)
}

// luckDue reports whether the luck of a roll still needs judging. What a file states of luck
// without its depth is as good as any.
func (a *Analyst) luckDue(have *record.Analysis) bool {
	return !a.Skip.Luck && (a.Again || have == nil || have.Luck == nil || have.LuckPlies != nil && *have.LuckPlies < a.LuckPlies)
}

// cubeDue reports whether a cube decision still needs judging.
func (a *Analyst) cubeDue(t *record.Turn, have *record.Analysis) bool {
	return !a.Skip.Cube && (a.Again || have.Cube == nil || !enough(&have.Cube.Settings, have.Cube.Rollout, &a.Cube) || a.cubeToRollOut(t, have.Cube))
}

// playDue reports whether a play still needs judging. A forced play does not, nor does the
// best play if it was made and has no rival within the filter.
func (a *Analyst) playDue(t *record.Turn, have *record.Analysis) bool {
	switch n := len(have.Candidates); {
	case a.Again || n == 0 && !t.Forced:
		return true
	case n < 2:
		return false
	}
	first := &have.Candidates[0]
	if ahead := first.Outcome.Cubeful - have.Candidates[1].Outcome.Cubeful; have.Played == 0 && !rolledOut(first.Rollout) &&
		first.Settings.Noise <= a.Checker.Noise+rounding && a.Checker.Settled(first.Settings.Plies, ahead) {
		return a.playsToRollOut(t, have.Candidates)
	}
	return !enough(&first.Settings, first.Rollout, &a.Checker) || !a.rolledOutEnough(first.Rollout, a.Close.Trials) && a.playsToRollOut(t, have.Candidates)
}

// rounding is how far figures in files are off at most.
const rounding = 1e-5

// enough reports whether a judgement is at least as deep as the wanted one and has no more
// noise (a weak player's thoughts have some). A rollout is deeper than any search.
func enough(s *record.Settings, r *record.Rollout, want *search.Settings) bool {
	return s.Plies >= want.Plies && s.Noise <= want.Noise+rounding || rolledOut(r)
}

func rolledOut(r *record.Rollout) bool { return r != nil && r.Trials > 0 }

// rolledOutEnough reports whether r has at least trials trials, truncated no earlier than this
// analyst's. If the analyst rolls nothing out, any rollout is enough.
func (a *Analyst) rolledOutEnough(r *record.Rollout, trials int) bool {
	c := &a.Close
	return rolledOut(r) && (trials == 0 || recorded.Enough(r, trials, c.Truncate, c.Early, c.Plies))
}

// keep copies into found what is not judged again: rollouts no shorter than this analyst's,
// parts that are deep enough, and parts that are switched off. With fresh only such rollouts
// and switched off parts are kept.
func (a *Analyst) keep(t *record.Turn, had, found *record.Analysis, fresh bool) {
	if had = Judgement(had); had == nil {
		return
	}
	if c := had.Cube; c != nil && (a.Skip.Cube || !a.Again && (a.rolledOutEnough(c.Rollout, a.Close.CubeTrials) || !fresh && !a.cubeDue(t, had))) {
		found.Replace(had, true, "")
	}
	if list := had.Candidates; len(list) > 0 && (a.Skip.Checker || !a.Again && (a.rolledOutEnough(list[0].Rollout, a.Close.Trials) || !fresh && had.Played >= 0 && !a.playDue(t, had))) {
		found.Replace(had, false, "")
	}
	if a.Skip.Luck || !fresh && !a.luckDue(had) {
		found.Luck, found.LuckPlies = had.Luck, had.LuckPlies
	}
	found.CubeMarked = had.CubeMarked && !a.Again
}

// decidesCube reports whether the player on roll has a cube decision: the cube may
// be turned and turning it could gain something.
func decidesCube(s match.State) bool { return s.MayDouble() && !s.DeadCube() }

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
