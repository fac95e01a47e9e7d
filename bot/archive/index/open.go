package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"fibsbot/bot/internal/changes"
	"fibsbot/engine/record/sgf"
)

// FileName is the SQLite index in an archive's folder.
const FileName = "index.sqlite"

// formatVersion is that of the tables; every change of them raises it. An index of an
// earlier format is rebuilt from the match files.
const formatVersion = 9

// ErrNewer means that a newer version of the program made the index.
var ErrNewer = errors.New("the index was made by a newer fibsbot")

// DB is an open index. It is safe for concurrent use.
type DB struct {
	rows rows
	dir  string
	log  *changes.Log
}

// Open opens the index of the archive in dir and creates a missing one. dsn is a PostgreSQL
// connection string, or empty for SQLite in dir; in a browser the index is kept in memory. It
// finishes changes that other programs left.
func Open(ctx context.Context, dir, dsn string) (*DB, error) {
	r, err := openRows(ctx, dir, dsn)
	if err != nil {
		return nil, err
	}
	d := newDB(r, dir)
	if d.log.Open() {
		// The change that holds the lock finishes them too, and a folder may be read-only. What
		// stays is finished by the next change, and verify reports it.
		now, stop := context.WithCancel(ctx)
		stop()
		_ = d.Finish(now)
	}
	return d, nil
}

// OpenMemory opens an index in memory of the archive in dir, which no other process sees. It
// is empty until Complete or Rebuild.
func OpenMemory(dir string) *DB { return newDB(newMemory(), dir) }

func newDB(r rows, dir string) *DB { return &DB{rows: r, dir: dir, log: &changes.Log{Dir: dir}} }

// Close closes the index.
func (d *DB) Close() error { return d.rows.Close() }

// Dir returns the archive's folder.
func (d *DB) Dir() string { return d.dir }

// Complete reads the match files into a new or emptied index. It returns nil if the index
// was complete already.
func (d *DB) Complete(ctx context.Context) (*Rebuilt, error) {
	incomplete, err := d.rows.incomplete(ctx)
	if err != nil || !incomplete {
		return nil, err
	}
	return d.Rebuild(ctx, nil)
}

// OpenComplete is Open and Complete. It ignores unreadable match files, which verify lists.
func OpenComplete(ctx context.Context, dir, dsn string) (*DB, error) {
	d, err := Open(ctx, dir, dsn)
	if err != nil {
		return nil, err
	}
	if _, err = d.Complete(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Log returns the log of changes of the archive.
func (d *DB) Log() *changes.Log { return d.log }

// Do makes a change of the archive, whose steps plan adds, and returns the rows of its match
// files. After an error nothing has changed, or the next change or Open finishes it.
func (d *DB) Do(ctx context.Context, plan func(*changes.Change) error) (rows []*Match, err error) {
	c, err := d.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := plan(c); err != nil {
		return nil, err
	}
	s, err := c.Commit()
	if err != nil {
		return nil, err
	}
	if rows, err = d.follow(context.WithoutCancel(ctx), &s); err != nil {
		return nil, fmt.Errorf("%w (the next command finishes this)", err)
	}
	return rows, c.Done()
}

// Enter adds a match file of the archive that an account has written, with its Meta, and returns
// its row.
func (d *DB) Enter(ctx context.Context, path string, meta Meta) (*Match, error) {
	rec, _, err := sgf.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	meta.Beside = ".journal .fibs"
	row, err := Known(d.dir, path, rec, meta)
	if err != nil {
		return nil, err
	}
	meta.Account, meta.Server, meta.Started, meta.Finished = row.Account, row.Server, row.Started, row.Finished
	return d.one(ctx, func(c *changes.Change) error {
		c.Rows(row.File)
		return StageMeta(c, row.File, meta)
	})
}

// one is Do for a change of one match. It returns its row, or nil if its file is unreadable.
func (d *DB) one(ctx context.Context, plan func(*changes.Change) error) (*Match, error) {
	rows, err := d.Do(ctx, plan)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// begin begins a change once the index has the rows of earlier ones.
func (d *DB) begin(ctx context.Context) (*changes.Change, error) {
	c, err := d.log.Begin(ctx)
	if err != nil {
		return nil, err
	}
	left, err := c.Left()
	for i := range left {
		if err == nil {
			_, err = d.follow(context.WithoutCancel(ctx), &left[i])
		}
	}
	if err == nil && len(left) > 0 {
		err = c.Followed()
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Still runs do while no program changes the archive, after finishing what others left.
func (d *DB) Still(ctx context.Context, do func() error) error {
	c, err := d.begin(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(), c.Close())
}

// Finish finishes changes that other programs left.
func (d *DB) Finish(ctx context.Context) error {
	return d.Still(ctx, func() error { return nil })
}

// follow updates the rows of a change from the files.
func (d *DB) follow(ctx context.Context, s *changes.Steps) (rows []*Match, err error) {
	if before := d.log.Before; before != nil && len(s.Rows)+len(s.Gone) > 0 {
		if err := before("index"); err != nil {
			return nil, err
		}
	}
	if len(s.Gone) > 0 {
		if err := d.rows.update(ctx, func(tx edits) error {
			for _, id := range s.Gone {
				if err := tx.remove(id); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return nil, fmt.Errorf("index: %w", err)
		}
	}
	missing := map[string]bool{}
	for _, file := range s.Rows {
		m, err := d.AddFile(ctx, d.path(file))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing[file] = true // pruned
		case errors.Is(err, ErrUnreadable): // verify reports it
		case err != nil:
			return nil, err
		default:
			rows = append(rows, m)
		}
	}
	if len(missing) == 0 {
		return rows, nil
	}
	_, err = ReadPruned(d.dir, func(m *Match) error {
		if !missing[m.File] {
			return nil
		}
		rows = append(rows, m)
		return d.Add(ctx, m)
	})
	return rows, err
}
