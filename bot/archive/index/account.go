package index

import (
	"context"
	"fmt"
)

// Accounts returns how many matches are filed under each account.
func (d *DB) Accounts(ctx context.Context) (map[string]int, error) {
	return d.count(ctx, func(m *Match) []string { return []string{m.Account} })
}

// Names returns in how many matches each player occurs.
func (d *DB) Names(ctx context.Context) (map[string]int, error) {
	return d.count(ctx, func(m *Match) []string { return []string{m.Account, m.Opponent} })
}

func (d *DB) count(ctx context.Context, names func(*Match) []string) (map[string]int, error) {
	out := map[string]int{}
	return out, d.rows.list(ctx, &Filter{}, []string{"account", "opponent"}, func(m *Match) error {
		for _, name := range names(m) {
			out[name]++
		}
		return nil
	})
}

// Played reports whether a bot filed the match itself.
func Played(m *Match) bool { return ownName(m.File) }

// ErrPlayer means that a name is not one of the players of a match.
var ErrPlayer = fmt.Errorf("%w: not a player of the match", ErrFilter)

// SetAccount files a match under one of its two players, ignoring case, and returns its row.
// The error wraps ErrPlayer for another name and ErrPruned without a file.
func (d *DB) SetAccount(ctx context.Context, row *Match, name string) (*Match, error) {
	return d.Change(ctx, row, Change{Account: &name})
}
