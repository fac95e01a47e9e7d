// Package annotate writes on one decision of a match: a comment, the engine's opinion, a
// rollout. What it writes goes into the record and with it into the .sgf.
package annotate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/rolled"
	"fibsbot/engine/rollout"
)

// ErrPlace is wrapped by errors of a decision that the match does not have, or that a
// rollout can say nothing about.
var ErrPlace = errors.New("no such decision")

// Place names a decision: the game and the number in it, both from 1, as reports tell them.
type Place struct{ Game, Number int }

// ParsePlace reads "2.14", the 14th decision of the second game.
func ParsePlace(text string) (p Place, err error) {
	game, number, ok := strings.Cut(text, ".")
	if p.Game, err = strconv.Atoi(game); err == nil && ok {
		p.Number, err = strconv.Atoi(number)
	}
	if err != nil || !ok || p.Game < 1 || p.Number < 1 {
		return Place{}, fmt.Errorf("%w: %.20q, want GAME.NUMBER such as 2.14", ErrPlace, text)
	}
	return p, nil
}

func (p Place) String() string { return fmt.Sprintf("%d.%d", p.Game, p.Number) }

// Find returns the decision at p as reports tell it.
func Find(m *record.Match, p Place) (*report.Judgement, error) {
	if p.Game > len(m.Games) || p.Game < 1 {
		return nil, fmt.Errorf("%w: game %d of %d", ErrPlace, p.Game, len(m.Games))
	}
	list := report.Judgements(m, analyse.Summarise(m, nil, analyse.DefaultLimits), p.Game-1, nil)
	last := 0
	for i := range list {
		if list[i].Number == p.Number && list[i].Turn() != nil {
			return &list[i], nil
		}
		last = list[i].Number
	}
	return nil, fmt.Errorf("%w: %s; game %d has decisions up to %d.%d (those not to double only where they are analysed)", ErrPlace, p, p.Game, p.Game, last)
}

// Comment puts a comment at the decision in the place of an earlier one; "" takes that
// away.
func Comment(m *record.Match, p Place, text string) error {
	d, err := Find(m, p)
	if err != nil {
		return err
	}
	d.Turn().Action.Comment = strings.TrimSpace(text)
	return nil
}

// Hint judges the decision by an analyst, whatever the match has of it.
func Hint(ctx context.Context, m *record.Match, p Place, judge *analyse.Analyst) error {
	d, err := Find(m, p)
	if err != nil {
		return err
	}
	return judge.One(ctx, m, p.Game-1, d.Turn().Index)
}

// Rollout rolls the decision out: of a play the best that the match knows, at most that
// many, and the one made; of a cube decision both actions. Where the match has no
// candidates, judge finds them.
func Rollout(ctx context.Context, m *record.Match, p Place, judge *analyse.Analyst, s rollout.Settings, plays int, report func(done, total int)) error {
	d, err := Find(m, p)
	if err != nil {
		return err
	}
	if an := d.Turn().Action.Analysis; d.Kind == "checker" && (an == nil || len(an.Candidates) == 0) {
		if err := judge.One(ctx, m, p.Game-1, d.Turn().Index); err != nil {
			return err
		}
	}
	t := *d.Turn()
	pos, st := t.Position, t.State
	if t.Action.Kind == record.Take || t.Action.Kind == record.Drop {
		pos, st = pos.Swap(), st.Swap()
	}
	job, err := rollout.New(judge.Rollouts, pos, st, s)
	if err != nil {
		return err
	}
	if d.Kind != "checker" {
		if err := job.AddCube(); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrPlace, p, err)
		}
		if err := job.Run(ctx, report); err != nil {
			return err
		}
		res := job.Results()
		if t.Action.Analysis == nil {
			t.Action.Analysis = &record.Analysis{Played: -1}
		}
		t.Action.Analysis.Cube = rolled.Cube(&res[0], &res[1], s, st, judge.Engine.Table())
		analyse.Annotate(m, judge.Engine.Table(), judge.Limits)
		return nil
	}
	return rollPlays(ctx, m, &t, job, s, plays, judge, report)
}

// rollPlays rolls out plays of t and puts them before the others.
func rollPlays(ctx context.Context, m *record.Match, t *record.Turn, job *rollout.Job, s rollout.Settings, most int, judge *analyse.Analyst, report func(done, total int)) error {
	an := t.Action.Analysis
	legal := board.AppendPlays(nil, t.Position, t.Action.Dice)
	var of []int
	var plays []board.Play
	for i := range an.Candidates {
		if i >= most && i != an.Played {
			continue
		}
		after := record.Apply(t.Position, an.Candidates[i].Steps)
		k := slices.IndexFunc(legal, func(p board.Play) bool { return p.Result == after })
		if k < 0 {
			continue
		}
		if err := job.AddPlay("", legal[k]); err != nil {
			return err
		}
		of, plays = append(of, i), append(plays, legal[k])
	}
	if len(of) < 2 {
		return fmt.Errorf("%w: a forced play leaves nothing to roll out", ErrPlace)
	}
	if err := job.Run(ctx, report); err != nil {
		return err
	}
	res := job.Results()
	type entry struct {
		record.Candidate
		made bool
	}
	var list []entry
	for k, i := range of {
		c := rolled.Plays(res[k:k+1], plays[k:k+1], s, t.State)[0]
		c.Steps = an.Candidates[i].Steps // the way the play was made
		list = append(list, entry{c, i == an.Played})
	}
	slices.SortStableFunc(list, func(x, y entry) int {
		switch {
		case x.Outcome.Cubeful > y.Outcome.Cubeful:
			return -1
		case x.Outcome.Cubeful < y.Outcome.Cubeful:
			return 1
		}
		return 0
	})
	for i, c := range an.Candidates {
		if !slices.Contains(of, i) {
			list = append(list, entry{c, i == an.Played})
		}
	}
	an.Candidates, an.Played, an.RolloutMarks = nil, -1, nil
	for i, c := range list {
		if c.made {
			an.Played = i
		}
		an.Candidates = append(an.Candidates, c.Candidate)
	}
	analyse.Annotate(m, judge.Engine.Table(), judge.Limits)
	return nil
}
