package index

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fibsbot/bot/internal/changes"
)

// Rename gives the opponent from the name to, in all matches against from; case is ignored.
// So matches against one person under several names count together. It returns how many
// matches it changed, all at once. Matches that it could not change keep their names; the error
// names them.
func (d *DB) Rename(ctx context.Context, from, to string) (changed int, err error) {
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if from == "" {
		return 0, badField(ErrChange, "from", "a name is missing")
	}
	if from == to {
		return 0, badField(ErrChange, "to", "both names are %.40q", to)
	}
	if err := (&Change{Players: &[2]string{from + to, to}}).check(); err != nil { // the account differs in any case
		return 0, badField(ErrChange, "to", "%.40q is not a name", to)
	}
	var rows []*Match
	if err := d.List(ctx, Filter{}, func(m *Match) error {
		if strings.EqualFold(m.Opponent, from) {
			rows = append(rows, m)
		}
		return nil
	}); err != nil {
		return 0, err
	}
	if len(rows) == 0 {
		return 0, badField(ErrChange, "from", "no match against %.40q", from)
	}
	var bad []error
	_, err = d.Do(ctx, func(log *changes.Change) error {
		for _, row := range rows {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e, meta, err := d.changed(row, &Change{Players: &[2]string{row.Account, to}})
			if err != nil {
				bad = append(bad, fmt.Errorf("%s: %w", row.File, err))
				continue
			}
			if err := errors.Join(e.meta(log, meta), e.stage(log)); err != nil {
				return err
			}
			changed++
		}
		return nil
	})
	if err != nil {
		return 0, errors.Join(append(bad, err)...)
	}
	return changed, errors.Join(bad...)
}
