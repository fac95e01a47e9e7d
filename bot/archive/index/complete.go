package index

import "context"

// Complete reads the match files into an index that is new, rebuilt or emptied. It leaves any
// other index alone. The report is nil unless the folder was read.
func (d *DB) Complete(ctx context.Context) (*Rebuilt, error) {
	var incomplete bool
	err := d.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM incomplete)`).Scan(&incomplete)
	if err != nil || !incomplete {
		return nil, err
	}
	return d.Rebuild(ctx, nil)
}

// OpenComplete is Open and Complete. Verify names the match files that cannot be read.
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
