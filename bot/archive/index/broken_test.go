package index

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"

	"fibsbot/engine/record"
)

var errBroken = errors.New("connection broken")

// broken is a database whose connection breaks after a query, before the first row.
type broken struct{ driver.Conn }

func (b broken) Connect(context.Context) (driver.Conn, error) { return b, nil }
func (broken) Driver() driver.Driver                          { return nil }
func (broken) Close() error                                   { return nil }

func (broken) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return brokenRows{}, nil
}

type brokenRows struct{}

func (brokenRows) Columns() []string         { return []string{"id", "file", "started"} }
func (brokenRows) Close() error              { return nil }
func (brokenRows) Next([]driver.Value) error { return errBroken }

// A failed look-up is not "no such match", which would import the match twice.
func TestFind_brokenConnection(t *testing.T) {
	d := newDB(&sqlRows{db: sql.OpenDB(broken{})}, t.TempDir())
	defer d.Close()
	rec := &record.Match{Length: 5}
	if _, err := d.Find(t.Context(), rec); !errors.Is(err, errBroken) {
		t.Errorf("Find: %v", err)
	}
	if became, err := d.Import(t.Context(), rec, Meta{}); !errors.Is(err, errBroken) {
		t.Errorf("Import: %v, %v", became, err)
	}
}
