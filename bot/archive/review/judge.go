package review

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
)

// Reviewer analyses the matches of an archive, see Run.
type Reviewer struct {
	DB      *index.DB
	Analyst *analyse.Analyst
	// Deeper also analyses matches whose decisions or luck were judged at fewer plies than the
	// analyst's. Outdated analyses only matches whose analysis is outdated
	// (analyse.Analyst.Outdated); Analyst.Again all that are chosen.
	Deeper, Outdated bool
	// Done, if set, is called after match i of n, with the error of a match that could not be
	// analysed.
	Done func(m *index.Match, i, n int, err error)
}

// Sum counts the matches of a run.
type Sum struct {
	Judged int `json:"judged"`
	Failed int `json:"failed"`
	Left   int `json:"left"` // beyond the limit or not reached
}

// AutoPreset names the preset that analyses the matches a person imported or played.
const AutoPreset = "worldclass"

// Automatic returns the Reviewer of matches that are analysed without being asked: those a
// person imported or played. It uses half the processors. It returns nil if setting, which is
// archive.analyse of the configuration or empty without one, is "off".
func Automatic(db *index.DB, o rollout.Options, setting string) (*Reviewer, error) {
	if setting == "off" {
		return nil, nil
	}
	p, err := preset.ByName(AutoPreset)
	if err != nil {
		return nil, err
	}
	judge := analyse.New(o, p)
	judge.Workers = max(1, runtime.GOMAXPROCS(0)/2)
	return &Reviewer{DB: db, Analyst: judge}, nil
}

// Matches analyses those of the matches with these IDs that Run would, in the given order.
// It skips IDs that the archive does not have.
func (j *Reviewer) Matches(ctx context.Context, ids ...string) (Sum, error) {
	var due []*index.Match
	for _, id := range ids {
		switch m, err := j.DB.Show(ctx, id); {
		case errors.Is(err, index.ErrNotFound):
		case err != nil:
			return Sum{}, err
		case j.due(m):
			due = append(due, m)
		}
	}
	return j.run(ctx, due, 0)
}

// due reports whether a match still has to be analysed.
func (j *Reviewer) due(m *index.Match) bool {
	switch {
	case m.Pruned:
		return false
	case j.Outdated:
		return m.Plies.Known() && j.Analyst.Outdated(m.Judge, m.Length)
	}
	return j.Analyst.Again || !m.Plies.Known() || m.Kept || m.LacksLuck() && !j.Analyst.Skip.Luck ||
		j.Deeper && (m.Plies < index.Figure(j.Analyst.Checker.Plies) || !j.Analyst.Skip.Luck && m.LuckPlies < index.Figure(j.Analyst.LuckPlies))
}

// Run analyses the matches that fit, newest first, at most limit of them (0: all). It
// reports a match that fails to Told and leaves it unchanged. When ctx ends, the file of the
// match in progress keeps the decisions analysed so far, and the error wraps ctx.Err().
func (j *Reviewer) Run(ctx context.Context, f index.Filter, limit int) (Sum, error) {
	var due []*index.Match
	f.Limit = 0
	err := j.DB.List(ctx, f, func(m *index.Match) error {
		if j.due(m) {
			due = append(due, m)
		}
		return nil
	})
	if err != nil {
		return Sum{}, err
	}
	return j.run(ctx, due, limit)
}

func (j *Reviewer) run(ctx context.Context, due []*index.Match, limit int) (Sum, error) {
	n := len(due)
	if limit > 0 {
		n = min(n, limit)
	}
	sum := Sum{Left: len(due)}
	queue := line{j: j, rows: due[:n]}
	for i, m := range due[:n] {
		err := j.one(ctx, m, &queue)
		if ctx.Err() != nil {
			return sum, fmt.Errorf("analysis stopped: %w", ctx.Err())
		}
		if j.ends(err) {
			return sum, err
		}
		if sum.Left--; err != nil {
			sum.Failed++
		} else {
			sum.Judged++
		}
		if j.Done != nil {
			j.Done(m, i+1, n, err)
		}
	}
	return sum, nil
}

// ends reports whether an error ends the run: one of a remote crew, which would fail for
// other matches too, and not of a single match.
func (j *Reviewer) ends(err error) bool {
	var m *matchError
	return err != nil && j.Analyst.Crew != nil && !errors.As(err, &m)
}

// matchError is an error of a single match.
type matchError struct{ error }

// Unwrap returns the cause.
func (e *matchError) Unwrap() error { return e.error }

// line reads matches ahead, as many as the crew can use.
type line struct {
	j     *Reviewer
	rows  []*index.Match // not read yet
	ready []*ready
}

// ready is a match that was read.
type ready struct {
	*index.Edition
	work *analyse.Work
	err  error
}

// next returns the next match and the work of those after it.
func (l *line) next(ctx context.Context) (*ready, []*analyse.Work) {
	want := 0
	if l.j.Analyst.Crew != nil {
		want = l.j.Analyst.Crew.Ahead()
	}
	have := 0
	for _, r := range l.ready[min(1, len(l.ready)):] {
		have += r.pieces()
	}
	for len(l.rows) > 0 && (len(l.ready) == 0 || have < want) {
		r := &ready{}
		if r.Edition, r.err = l.j.DB.Edit(l.rows[0]); r.err == nil {
			r.Judged()
			if r.work, r.err = l.j.Analyst.Prepare(ctx, r.Match); r.err != nil {
				r.err = fmt.Errorf("%s: %w", l.rows[0].File, r.err)
			}
		}
		if l.rows = l.rows[1:]; len(l.ready) > 0 {
			have += r.pieces()
		}
		l.ready = append(l.ready, r)
	}
	first := l.ready[0]
	l.ready = l.ready[1:]
	var ahead []*analyse.Work
	for _, r := range l.ready {
		if r.work != nil {
			ahead = append(ahead, r.work)
		}
	}
	return first, ahead
}

func (r *ready) pieces() int {
	if r.work == nil {
		return 0
	}
	return r.work.Pieces()
}

func (j *Reviewer) one(ctx context.Context, row *index.Match, l *line) error {
	r, ahead := l.next(ctx)
	if r.err != nil {
		return &matchError{r.err}
	}
	_, err := j.Analyst.Do(ctx, r.work, ahead)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", row.File, err)
	}
	if err != nil { // stopped
		if werr := r.StorePartly(context.WithoutCancel(ctx)); werr != nil {
			return &matchError{werr}
		}
		return err
	}
	*row = index.Match{File: row.File}
	found, err := r.Store(ctx)
	if found != nil {
		*row = *found
	}
	if err != nil {
		return &matchError{err}
	}
	return nil
}
