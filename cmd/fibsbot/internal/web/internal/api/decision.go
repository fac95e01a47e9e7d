package api

import (
	"context"
	"fmt"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/annotate"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// decision is a decision of an archived match to roll out.
type decision struct {
	row   *index.Match
	place annotate.Place
	s     match.Situation
	plays []board.Play // rolled out if the request names none; empty for the cube
}

// fewest is the least number of trials that a match stores.
const fewest = 36

// decisionOf finds the decision of a rollout request and puts its position into q. It
// returns nil if the request names no match.
func (a *API) decisionOf(ctx context.Context, q *RolloutRequest) (*decision, error) {
	switch {
	case q.Match == "" && q.Decision == "":
		return nil, nil
	case q.Match == "":
		return nil, bad("match", "a decision needs its match")
	case a.opt.Archive == nil:
		return nil, errNoArchive
	case q.Board != nil || q.Position.Position.Position != "" || len(q.Dice) > 0:
		return nil, bad("position", "give a position or a decision of a match, not both")
	case q.Length != nil || q.Score != nil || q.Cube != nil || q.Owner != nil || q.Crawford != nil || q.Jacoby != nil || q.Beavers != nil || q.Drops != nil || q.OnRoll != "" || q.Kind != "" || q.Variation != "" || q.Egyptian:
		return nil, bad("match", "a decision has the state of its match (leave out length, score, cube, owner, rules, variation and kind)")
	}
	row, err := a.opt.Archive.Show(ctx, q.Match)
	if err != nil {
		return nil, err
	}
	of := &decision{row: row}
	if of.place, err = annotate.ParsePlace(q.Decision); err != nil {
		return nil, bad("decision", "%v", err)
	}
	e, err := a.opt.Archive.Edit(row)
	if err != nil {
		return nil, err
	}
	d, err := annotate.Find(e.Match, of.place)
	if err != nil {
		return nil, bad("decision", "%v", err)
	}
	t := d.Turn()
	of.s = match.Situation{Position: t.Position, State: t.State}
	switch {
	case d.Kind == "checker":
		of.s.Dice, of.plays, q.Kind = t.Action.Dice, annotate.Plays(t, 3), "plays"
		if len(of.plays) == 0 {
			return nil, bad("decision", "%s: no play was legal", of.place)
		}
	case d.Kind == "resign":
		return nil, bad("decision", "%s: a resignation cannot be rolled out", of.place)
	default:
		q.Kind = "cube"
		if t.Action.Kind == record.Take || t.Action.Kind == record.Drop {
			of.s.Position, of.s.State = t.Position.Swap(), t.State.Swap()
		}
	}
	q.Position.Position.Position = of.s.XGID()
	q.Variation, q.Egyptian = string(e.Match.Rules.Variation), e.Match.Rules.Egyptian
	return of, nil
}

// enough is the least number of trials that replaces an analysis at 2 plies or more unasked.
const enough = 324

// store writes the rollout into its match, unless it has too few trials or the match holds
// more. Unless asked, it does not write one that was stopped, that is weaker than the analysis, or
// that overturns it by less than two standard errors: unsaved says which.
func (x *roller) store(ctx context.Context, asked, whole bool) (stored bool, unsaved string, err error) {
	r := annotate.Rolled{Results: x.job.Results(), Plays: x.plays, Settings: x.settings}
	trials := 0
	for _, arm := range r.Results {
		if arm.Trials < fewest {
			return false, "", nil
		}
		trials = max(trials, arm.Trials)
	}
	if !asked && !whole {
		return false, "stopped", nil
	}
	err = func() error {
		e, err := x.api.opt.Archive.Edit(x.of.row)
		if err != nil {
			return err
		}
		d, err := annotate.Find(e.Match, x.of.place)
		if err != nil {
			return err
		}
		if rolledOut(d.Turn().Action.Analysis, len(x.plays) == 0) > trials {
			return nil
		}
		an, was := d.Turn().Action.Analysis, d.Best
		if an != nil && !asked && trials < enough && rolledOut(an, len(x.plays) == 0) == 0 && annotate.Plies(d) >= 2 {
			unsaved = "weaker"
			return nil
		}
		var best board.Position
		if an != nil && len(an.Candidates) > 0 {
			best = record.Apply(d.Turn().Position, an.Candidates[0].Steps)
		}
		if err := annotate.Attach(e.Match, x.of.place, r, x.api.opt.Engine.Table(), analyse.DefaultLimits); err != nil {
			return err
		}
		now, err := annotate.Find(e.Match, x.of.place)
		if err != nil {
			return err
		}
		if !asked && was != "" && was != now.Best && !r.Clear(best) {
			unsaved = "unclear"
			return nil
		}
		_, err = e.Store(context.WithoutCancel(ctx))
		stored = err == nil
		return err
	}()
	if err != nil {
		return false, "", fmt.Errorf("write the rollout into the match: %w", err)
	}
	return stored, unsaved, nil
}

// rolledOut is the number of trials stored at a decision.
func rolledOut(an *record.Analysis, cube bool) (most int) {
	if an == nil {
		return 0
	}
	if cube {
		if an.Cube != nil && an.Cube.Rollout != nil {
			most = an.Cube.Rollout.Trials
		}
		return most
	}
	for _, c := range an.Candidates {
		if c.Rollout != nil {
			most = max(most, c.Rollout.Trials)
		}
	}
	return most
}
