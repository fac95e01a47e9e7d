package index

import (
	"context"
	"fmt"
	"path/filepath"

	"fibsbot/bot/archive/revise"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// Edition is a match as its file in the archive had it when it was read. Match may be
// changed; Write and Store keep it.
type Edition struct {
	Match *record.Match
	// Again makes the change on what somebody else has put into the file since it was
	// read; nil takes over what the Match has more, see analyse.Merge.
	Again func(now *record.Match) error

	db   *DB
	name string // of the file, as the row has it
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
		return nil, fmt.Errorf("match %s lies outside the archive: %s", row.ID, row.File)
	}
	e := &Edition{db: d, name: row.File, path: filepath.Join(d.dir, local)}
	var err error
	if e.file, e.Match, _, err = revise.Open(e.path); err != nil {
		return nil, fmt.Errorf("%s: %w", row.File, err)
	}
	return e, nil
}

// Store writes the match as it is now into its file and its figures into the index.
func (e *Edition) Store(ctx context.Context) (*Match, error) {
	if err := e.Write(ctx); err != nil {
		return nil, err
	}
	return e.db.AddFile(ctx, e.path)
}

// Write puts the match into its file. What somebody else has put into that since it was
// read is kept; Match has both then.
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

// Judged has Write take over the analysis alone, which is all that was changed.
func (e *Edition) Judged() {
	e.Again = func(now *record.Match) error {
		analyse.MergeAnalysis(now, e.Match, nil, analyse.DefaultLimits)
		return nil
	}
}
