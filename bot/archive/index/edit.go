package index

import (
	"context"
	"fmt"
	"path/filepath"

	"fibsbot/bot/archive/revise"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// Edition is a match read from its file to be changed. Write and Store save Match.
type Edition struct {
	Match *record.Match
	// Again makes the change to the file's current content if another process has changed
	// it since. By default it adds what Match has more, see analyse.Merge.
	Again func(now *record.Match) error

	db   *DB
	name string // of the file, as in the row
	path string
	file *revise.File
}

// Edit reads the match of a row to change it.
func (d *DB) Edit(row *Match) (*Edition, error) {
	if row.Pruned {
		return nil, fmt.Errorf("%s: %w", row.File, ErrPruned)
	}
	local := filepath.FromSlash(row.File)
	if !filepath.IsLocal(local) {
		return nil, fmt.Errorf("match %s: the file %s is outside the archive", row.ID, row.File)
	}
	e := &Edition{db: d, name: row.File, path: filepath.Join(d.dir, local)}
	var err error
	if e.file, e.Match, _, err = revise.Open(e.path); err != nil {
		return nil, fmt.Errorf("%s: %w", row.File, err)
	}
	return e, nil
}

// Store writes the match to its file and updates its row.
func (e *Edition) Store(ctx context.Context) (*Match, error) {
	if err := e.Write(ctx); err != nil {
		return nil, err
	}
	return e.db.AddFile(ctx, e.path)
}

// Write writes the match to its file. It keeps what another process has changed in the file
// since; Match then has both.
func (e *Edition) Write(ctx context.Context) error {
	again := e.Again
	if again == nil {
		again = func(now *record.Match) error {
			analyse.Merge(now, e.Match, nil, analyse.DefaultLimits)
			return nil
		}
	}
	now, err := e.file.Store(ctx, e.Match, again)
	if err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	e.Match = now
	return nil
}

// Judged makes Write add only the analysis to a file that another process has changed.
func (e *Edition) Judged() {
	e.Again = func(now *record.Match) error {
		analyse.MergeAnalysis(now, e.Match, nil, analyse.DefaultLimits)
		return nil
	}
}
