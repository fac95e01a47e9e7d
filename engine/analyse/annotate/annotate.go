// Package annotate writes on one decision of a match: a comment, the engine's opinion, a
// rollout. What it writes goes into the record and with it into the .sgf.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package annotate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
	"fibsbot/engine/rollout/recorded"
)

// ErrPlace is wrapped by errors of a decision that the match does not have, or that a
// rollout can say nothing about.
var ErrPlace = errors.New("no such decision")

// Place names a decision: the game and the number in it, both from 1, as in reports.
type Place struct{ Game, Number int }

// ParsePlace reads "2.14", the 14th decision of the second game.
func ParsePlace(text string) (p Place, err error) {
	game, number, ok := strings.Cut(text, ".")
	if p.Game, err = strconv.Atoi(game); err == nil && ok {
		p.Number, err = strconv.Atoi(number)
	}
	if err != nil || !ok || p.Game < 1 || p.Number < 1 {
		return Place{}, fmt.Errorf("%w: %.20q (use GAME.NUMBER, as 2.14)", ErrPlace, text)
	}
	return p, nil
}

func (p Place) String() string { return fmt.Sprintf("%d.%d", p.Game, p.Number) }

// Find returns the decision at p as a row of the report.
func Find(m *record.Match, p Place) (*report.Row, error) {
	if p.Game > len(m.Games) || p.Game < 1 {
		return nil, fmt.Errorf("%w: game %d (the match has %d)", ErrPlace, p.Game, len(m.Games))
	}
	list := report.Rows(m, analyse.Summarise(m, nil, analyse.DefaultLimits), p.Game-1, nil)
	last := 0
	for i := range list {
		if list[i].Number == p.Number && list[i].Turn() != nil {
			return &list[i], nil
		}
		last = list[i].Number
	}
	return nil, fmt.Errorf("%w: %s (game %d ends with %d.%d; a decision not to double has a number only after an analysis)", ErrPlace, p, p.Game, p.Game, last)
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

// Rolling is how a decision is rolled out.
type Rolling struct {
	Settings rollout.Settings
	// Plays is how many of the best plays are rolled out besides the one made.
	Plays int
	// Run has the trials played; nil plays them here.
	Run func(context.Context, *rollout.Job) error
}

func (r *Rolling) run(ctx context.Context, job *rollout.Job) error {
	if r.Run != nil {
		return r.Run(ctx, job)
	}
	return job.Run(ctx, nil)
}

// Rollout rolls the decision out. For a play these are the best candidates that the match
// has and the play made, for a cube decision both actions. Where the match has no
// candidates, judge finds them.
func Rollout(ctx context.Context, m *record.Match, p Place, judge *analyse.Analyst, r Rolling) error {
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
	job, err := rollout.New(ctx, judge.Rollouts, pos, st, r.Settings)
	if err != nil {
		return err
	}
	if d.Kind != "checker" {
		if err := job.AddCube(); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrPlace, p, err)
		}
		if err := r.run(ctx, job); err != nil {
			return err
		}
		return Attach(m, p, Rolled{Results: job.Results(), Settings: r.Settings}, judge.Engine.Table(), judge.Limits)
	}
	return rollPlays(ctx, m, p, &t, job, judge, &r)
}

// rollPlays rolls out plays of t and puts them before the others.
func rollPlays(ctx context.Context, m *record.Match, p Place, t *record.Turn, job *rollout.Job, judge *analyse.Analyst, r *Rolling) error {
	plays := Plays(t, r.Plays)
	if len(plays) < 2 {
		return fmt.Errorf("%w: a forced play leaves nothing to roll out", ErrPlace)
	}
	for _, pl := range plays {
		if err := job.AddPlay("", pl); err != nil {
			return err
		}
	}
	if err := r.run(ctx, job); err != nil {
		return err
	}
	return Attach(m, p, Rolled{job.Results(), plays, r.Settings}, judge.Engine.Table(), judge.Limits)
}

// Plays are what a rollout of the play t compares: the best that the match knows, at most
// that many, and the one made.
func Plays(t *record.Turn, most int) (out []board.Play) {
	legal := board.AppendPlays(nil, t.Position, t.Action.Dice)
	add := func(steps []board.Step) {
		after := record.Apply(t.Position, steps)
		same := func(p board.Play) bool { return p.Result == after }
		if k := slices.IndexFunc(legal, same); k >= 0 && !slices.ContainsFunc(out, same) {
			out = append(out, legal[k])
		}
	}
	if an := t.Action.Analysis; an != nil {
		for i := range an.Candidates[:min(most, len(an.Candidates))] {
			add(an.Candidates[i].Steps)
		}
	}
	add(t.Action.Steps)
	return out
}

// Rolled is a finished or stopped rollout of a decision: of the plays, in the order of
// the results, or without any of no double and double/take.
type Rolled struct {
	Results  []rollout.Result
	Plays    []board.Play
	Settings rollout.Settings
}

// Plies is how deep the best of the decision's analysis was searched, -1 without one.
func Plies(d *report.Row) int {
	an := d.Turn().Action.Analysis
	switch {
	case an == nil:
	case d.Kind == "checker" && len(an.Candidates) > 0:
		return an.Candidates[0].Settings.Plies
	case d.Kind != "checker" && an.Cube != nil:
		return an.Cube.Settings.Plies
	}
	return -1
}

// sure is how many standard errors overturn a verdict.
const sure = 2

// Clear reports whether the rollout tells its best play from the one that leads to best, or, of a
// cube decision, its verdict from the others, by two standard errors.
func (r *Rolled) Clear(best board.Position) bool {
	if len(r.Plays) > 0 {
		k := slices.IndexFunc(r.Plays, func(p board.Play) bool { return p.Result == best })
		return k >= 0 && r.Results[k].JSD >= sure
	}
	nd, dt := &r.Results[0], &r.Results[1]
	return math.Abs(dt.Equity-1) >= sure*float64(dt.EquityErr) &&
		math.Abs(min(dt.Equity, 1)-nd.Equity) >= sure*math.Hypot(float64(nd.EquityErr), float64(dt.EquityErr))
}

// Attach puts a rollout made elsewhere at the decision and replaces the one of the same
// plays that stands there; an evaluation stays beside it. The error wraps ErrPlace when it is of another kind of decision, or
// when a play is not legal there.
func Attach(m *record.Match, p Place, r Rolled, table *match.Table, lim analyse.Limits) error {
	d, err := Find(m, p)
	if err != nil {
		return err
	}
	t := d.Turn()
	if (d.Kind == "checker") != (len(r.Plays) > 0) || d.Kind == "resign" {
		return fmt.Errorf("%w: %s: the rollout is of another kind of decision", ErrPlace, p)
	}
	if t.Action.Analysis == nil {
		t.Action.Analysis = &record.Analysis{Played: -1}
	}
	an := t.Action.Analysis
	if d.Kind != "checker" {
		st := t.State
		if t.Action.Kind == record.Take || t.Action.Kind == record.Drop {
			st = st.Swap()
		}
		an.Replace(&record.Analysis{Cube: recorded.Cube(&r.Results[0], &r.Results[1], r.Settings, st, table)}, true, m.Judge.Program)
		analyse.Annotate(m, table, lim)
		return nil
	}
	if err := attachPlays(t, r, m.Judge.Program); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrPlace, p, err)
	}
	analyse.Annotate(m, table, lim)
	return nil
}

// attachPlays puts the rolled out plays, best first, before the other candidates, which by judged.
func attachPlays(t *record.Turn, r Rolled, by string) error {
	an := t.Action.Analysis
	legal := board.AppendPlays(nil, t.Position, t.Action.Dice)
	var list []record.Candidate
	taken := map[board.Position]bool{}
	for k := range r.Plays {
		after := r.Plays[k].Result
		if !slices.ContainsFunc(legal, func(p board.Play) bool { return p.Result == after }) {
			return errors.New("a play of the rollout is not legal there")
		}
		c := recorded.Plays(r.Results[k:k+1], r.Plays[k:k+1], r.Settings, t.State)[0]
		taken[after] = true
		for i := range an.Candidates {
			if record.Apply(t.Position, an.Candidates[i].Steps) == after {
				c.Steps = an.Candidates[i].Steps // the way the play was made
			}
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(x, y record.Candidate) int { return cmp.Compare(y.Outcome.Cubeful, x.Outcome.Cubeful) })
	for _, c := range an.Candidates {
		if !taken[record.Apply(t.Position, c.Steps)] {
			list = append(list, c)
		}
	}
	made := record.Apply(t.Position, t.Action.Steps)
	played := slices.IndexFunc(list, func(c record.Candidate) bool { return record.Apply(t.Position, c.Steps) == made })
	an.Replace(&record.Analysis{Candidates: list, Played: played}, false, by)
	return nil
}
