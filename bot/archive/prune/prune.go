// Package prune deletes the files of old matches and keeps their results.
//
// The row of a match is written to index.PrunedName and synced before its files are
// deleted, in a change of package changes.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package prune

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/changes"
)

// Options of Run.
type Options struct {
	// Before prunes matches that ended earlier; the zero time prunes nothing.
	Before time.Time
	// Journals deletes only journals and keeps match files.
	Journals bool
	// DryRun deletes nothing.
	DryRun bool
	// Progress, if set, is called after match i of n.
	Progress func(i, n int)
}

// Sum is what Run deleted, or would delete.
type Sum struct {
	Matches int   `json:"matches"`
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
	// Kept are the errors of old matches that were not pruned because a file is unreadable.
	Kept []error `json:"-"`
}

// batch is how many rows are written and synced at a time.
const batch = 200

// Run prunes the archive of db. When ctx ends, it returns an error that wraps ctx.Err(), and
// every match is either pruned or unchanged.
func Run(ctx context.Context, db *index.DB, opt Options) (Sum, error) {
	var sum Sum
	if db == nil {
		return sum, errors.New("prune: no archive")
	}
	release, err := archive.Care(db.Dir())
	if err != nil {
		return sum, fmt.Errorf("prune: %w", err)
	}
	defer release()
	p := &pruner{db: db, opt: &opt, gone: map[string]bool{}}
	// Rows after a damaged one may be written twice, which does no harm.
	if _, err := index.ReadPruned(db.Dir(), func(m *index.Match) error { p.gone[m.ID] = true; return nil }); err != nil {
		return sum, fmt.Errorf("prune: %w", err)
	}
	var due []*index.Match
	if err := db.List(ctx, index.Filter{}, func(m *index.Match) error {
		end := m.Finished
		if end.IsZero() {
			end = m.Started
		}
		if !m.Pruned && !end.IsZero() && end.Before(opt.Before) {
			due = append(due, m)
		}
		return nil
	}); err != nil {
		return sum, err
	}
	for done := 0; done < len(due); {
		n := min(batch, len(due)-done)
		if err := p.some(ctx, due[done:done+n], &sum); err != nil {
			return sum, err
		}
		if done += n; opt.Progress != nil {
			opt.Progress(done, len(due))
		}
	}
	return sum, nil
}

// pruner prunes one archive.
type pruner struct {
	db   *index.DB
	opt  *Options
	gone map[string]bool // IDs of the rows in index.PrunedName
}

// one is a match to prune.
type one struct {
	row   *index.Match
	file  string   // the match file
	files []string // their names
	bytes int64
}

func (p *pruner) some(ctx context.Context, due []*index.Match, sum *Sum) error {
	db, opt := p.db, p.opt
	var list []one
	var rows []*index.Match
	for _, m := range due {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("prune: stopped: %w", err)
		}
		x, err := p.look(m)
		if err != nil {
			sum.Kept = append(sum.Kept, err)
			continue
		}
		if len(x.files) == 0 && opt.Journals {
			continue
		}
		if list = append(list, x); !p.gone[m.ID] {
			rows = append(rows, x.row)
		}
	}
	if !opt.DryRun {
		if _, err := db.Do(ctx, func(c *changes.Change) error {
			if !opt.Journals && len(rows) > 0 {
				if err := index.WritePruned(db.Dir(), rows); err != nil {
					return err
				}
			}
			for _, x := range list {
				c.Remove(x.files...)
				if !opt.Journals {
					c.Rows(x.row.File)
					continue
				}
				file := filepath.Join(db.Dir(), filepath.FromSlash(x.file))
				if meta, err := index.ReadMeta(file); err == nil && meta.Beside != "" {
					meta.Beside = strings.TrimSpace(strings.Replace(meta.Beside, ".journal", "", 1))
					if err := index.StageMeta(c, x.file, meta); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			return fmt.Errorf("prune: %w", err)
		}
	}
	for _, x := range list {
		sum.Matches++
		sum.Files += len(x.files)
		sum.Bytes += x.bytes
	}
	return nil
}

// look finds the files of a match and reads its row from them, as the index may be outdated.
func (p *pruner) look(m *index.Match) (x one, err error) {
	dir, local := p.db.Dir(), filepath.FromSlash(m.File)
	if !filepath.IsLocal(local) {
		return x, fmt.Errorf("match %s: the file %s is outside the archive", m.ID, m.File)
	}
	x.file = m.File
	names := index.FilesOf(m.File)
	if p.opt.Journals {
		names = names[:1]
	} else if x.row, err = index.Read(dir, filepath.Join(dir, local)); err != nil {
		return x, err
	} else if x.row.ID != m.ID {
		return x, fmt.Errorf("%s: the index has another match of this name (run fibsbot archive rebuild)", m.File)
	}
	for _, name := range names {
		st, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return x, err
		}
		x.files, x.bytes = append(x.files, name), x.bytes+st.Size()
	}
	return x, nil
}

// ErrAge means that an age cannot be parsed.
var ErrAge = errors.New("not an age (use 365d, 52w, 18m or 2y)")

var age = regexp.MustCompile(`^([0-9]{1,5})([dwmy])$`)

// Before returns the time an age before now: days, weeks, months or years, such as 365d.
func Before(now time.Time, text string) (time.Time, error) {
	part := age.FindStringSubmatch(text)
	if part == nil || strings.Trim(part[1], "0") == "" {
		return time.Time{}, fmt.Errorf("%q is %w", text, ErrAge)
	}
	n, _ := strconv.Atoi(part[1])
	unit := map[string]struct{ years, months, days int }{"d": {days: 1}, "w": {days: 7}, "m": {months: 1}, "y": {years: 1}}[part[2]]
	return now.AddDate(-n*unit.years, -n*unit.months, -n*unit.days), nil
}
