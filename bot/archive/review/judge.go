package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
)

// Judge judges the matches of an archive.
type Reviewer struct {
	DB      *index.DB
	Analyst *analyse.Analyst
	// Deeper judges also what is judged, at a lesser depth than the analyst's.
	Deeper bool
	// Told is called after each match, of n, with the error of one that could not be
	// judged. It may be nil.
	Told func(m *index.Match, i, n int, err error)
}

// Sum is what became of a run.
type Sum struct {
	Judged int `json:"judged"`
	Failed int `json:"failed"`
	Left   int `json:"left"` // beyond the limit, or not reached
}

// Run judges the matches that fit, newest first, at most limit of them (0: all). A match
// that cannot be judged is told of and left as it is. When ctx ends, what is found of the
// match in work is kept in its file, and the error wraps ctx.Err().
func (j *Reviewer) Run(ctx context.Context, f index.Filter, limit int) (Sum, error) {
	var due []*index.Match
	f.Limit = 0
	err := j.DB.List(ctx, f, func(m *index.Match) error {
		if !m.Pruned && (m.Plies < 0 || j.Deeper && m.Plies < j.Analyst.Checker.Plies) {
			due = append(due, m)
		}
		return nil
	})
	if err != nil {
		return Sum{}, err
	}
	n := len(due)
	if limit > 0 {
		n = min(n, limit)
	}
	sum := Sum{Left: len(due)}
	queue := line{j: j, rows: due[:n]}
	for i, m := range due[:n] {
		err := j.one(ctx, m, &queue)
		if ctx.Err() != nil {
			return sum, fmt.Errorf("analysis of the archive stopped: %w", ctx.Err())
		}
		if j.ends(err) {
			return sum, err
		}
		if sum.Left--; err != nil {
			sum.Failed++
		} else {
			sum.Judged++
		}
		if j.Told != nil {
			j.Told(m, i+1, n, err)
		}
	}
	return sum, nil
}

// ends tells whether an error is that of who judges, and not of a match: with a crew
// elsewhere the others would fail as well.
func (j *Reviewer) ends(err error) bool {
	var m *matchError
	return err != nil && j.Analyst.Crew != nil && !errors.As(err, &m)
}

// matchError is what is wrong with a match.
type matchError struct{ error }

// Unwrap gives the cause.
func (e *matchError) Unwrap() error { return e.error }

// line reads matches before it is their turn, so many as the crew can use.
type line struct {
	j     *Reviewer
	rows  []*index.Match // not read
	ready []*ready
}

// ready is a match that was read.
type ready struct {
	file string
	m    *record.Match
	work *analyse.Work
	err  error
}

// next returns the next match and those that come behind it.
func (l *line) next() (*ready, []*analyse.Work) {
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
		if r.file, r.m, r.err = load(l.j.DB, l.rows[0]); r.err == nil {
			if r.work, r.err = l.j.Analyst.Prepare(r.m); r.err != nil {
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
	r, ahead := l.next()
	if r.err != nil {
		return &matchError{r.err}
	}
	_, err := j.Analyst.Do(ctx, r.work, ahead)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", row.File, err)
	}
	if werr := write(r.file, r.m); werr != nil {
		return &matchError{fmt.Errorf("%s: %w", row.File, werr)}
	}
	if err != nil {
		return err // stopped: the index does not call it judged
	}
	*row = index.Match{File: row.File}
	found, err := j.DB.AddFile(ctx, r.file)
	if found != nil {
		*row = *found
	}
	if err != nil {
		return &matchError{err}
	}
	return nil
}

// Edit reads the match of a row. store writes it back as it is then, and its figures
// into the index.
func Edit(ctx context.Context, db *index.DB, row *index.Match) (m *record.Match, store func() error, err error) {
	file, m, err := load(db, row)
	return m, func() error {
		if err := write(file, m); err != nil {
			return fmt.Errorf("%s: %w", row.File, err)
		}
		_, err := db.AddFile(ctx, file)
		return err
	}, err
}

func write(file string, m *record.Match) error {
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		return err
	}
	return atomicfile.WriteBytes(file, 0o644, b.Bytes())
}

// load reads the file of a row.
func load(db *index.DB, row *index.Match) (file string, m *record.Match, err error) {
	if row.Pruned {
		return "", nil, fmt.Errorf("%s: %w", row.File, index.ErrPruned)
	}
	local := filepath.FromSlash(row.File)
	if !filepath.IsLocal(local) {
		return "", nil, fmt.Errorf("match %s lies outside the archive: %s", row.ID, row.File)
	}
	file = filepath.Join(db.Dir(), local)
	if m, _, err = sgf.ReadFile(file); err != nil {
		return file, nil, fmt.Errorf("%s: %w", row.File, err)
	}
	return file, m, nil
}
