package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"fibsbot/bot/internal/changes"
)

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
		m, err := d.AddFile(ctx, filepath.Join(d.dir, filepath.FromSlash(file)))
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
