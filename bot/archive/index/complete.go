package index

import "context"

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
