package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"fibsbot/bot/archive/revise"
	"fibsbot/bot/internal/changes"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// Edition is a match read from its file to be changed. Store saves Match.
type Edition struct {
	Match *record.Match
	// Again makes the change to the file's current content if another process has changed
	// it since. By default it adds what Match has more, see analyse.Merge.
	Again func(now *record.Match) error

	db   *DB
	name string // of the file, as in the row
	path string
	file *revise.File
	bare bool // had no analysis
	// judged and partly are of Judged and StorePartly.
	judged, partly bool
}

// Edit reads the match of a row to change it.
func (d *DB) Edit(row *Match) (*Edition, error) {
	path, err := d.pathOf(row)
	if err != nil {
		return nil, err
	}
	e := &Edition{db: d, name: row.File, path: path, bare: !row.Plies.Known()}
	if e.file, e.Match, _, err = revise.Open(e.path); err != nil {
		return nil, fmt.Errorf("%s: %w", row.File, err)
	}
	return e, nil
}

// pathOf returns the path of the match file of a row.
func (d *DB) pathOf(row *Match) (string, error) {
	if row.Pruned {
		return "", fmt.Errorf("%s: %w", row.File, ErrPruned)
	}
	if !filepath.IsLocal(filepath.FromSlash(row.File)) {
		return "", fmt.Errorf("match %s: the file %s is outside the archive", row.ID, row.File)
	}
	return d.path(row.File), nil
}

// path is the path of a file of the archive by its name as in a row.
func (d *DB) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// Store writes the match to its file, updates its row and returns it. It keeps what another
// process has changed in the file since; Match then has both.
func (e *Edition) Store(ctx context.Context) (*Match, error) {
	return e.db.one(ctx, func(c *changes.Change) error {
		if e.judged {
			meta, err := ReadMeta(e.path)
			if err != nil {
				return err
			}
			if e.partly != meta.Partly && (meta.Partly || e.bare) {
				meta.Partly = e.partly
				if err := e.meta(c, meta); err != nil {
					return err
				}
			}
		}
		return e.stage(c)
	})
}

// stage adds the steps of Store to a change.
func (e *Edition) stage(c *changes.Change) error {
	again := e.Again
	if again == nil {
		again = func(now *record.Match) error {
			analyse.Merge(now, e.Match, nil, analyse.DefaultLimits)
			return nil
		}
	}
	now, err := e.file.StoreBy(e.Match, again, func(perm os.FileMode, data []byte) error { return c.WriteBytes(e.name, perm, data) })
	if err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	e.Match = now
	c.Rows(e.name)
	return nil
}

// meta makes a change write the Meta of the match.
func (e *Edition) meta(c *changes.Change, m Meta) error { return StageMeta(c, e.name, m) }

// Judged makes Store add only the analysis to a file that another process has changed.
func (e *Edition) Judged() {
	e.judged = true
	e.Again = func(now *record.Match) error { return revise.Judge(e.Match)(now) }
}

// StorePartly is Store for an analysis that was stopped: a match that had none before counts
// as not analysed, so that it is analysed to the end later.
func (e *Edition) StorePartly(ctx context.Context) error {
	e.partly = true
	_, err := e.Store(ctx)
	return err
}
