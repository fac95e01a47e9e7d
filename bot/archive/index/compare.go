package index

import (
	"context"
	"slices"
	"strings"

	"fibsbot/internal/figure"
)

// Compare sums up the matches of each player that fit f, on whichever side the player
// is, in the player's view. For two players it adds a row "A against B" with the matches
// between them in A's view. Names ignore case; * matches anything.
// Account and Opponent of f are ignored.
func (d *DB) Compare(ctx context.Context, f Filter, players ...string) ([]Stats, error) {
	for _, p := range players {
		if strings.TrimSpace(p) == "" {
			return nil, badField(ErrFilter, "player", "no name given")
		}
	}
	var out []Stats
	for _, p := range players {
		s, err := d.player(ctx, f, p, "*")
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(players) == 2 {
		s, err := d.player(ctx, f, players[0], players[1])
		if err != nil {
			return nil, err
		}
		s.Key = players[0] + " against " + players[1]
		out = append(out, s)
	}
	return out, nil
}

// player sums up the matches of name against other.
func (d *DB) player(ctx context.Context, f Filter, name, other string) (Stats, error) {
	f.Accounts, f.Account, f.Opponent = nil, name, other
	list, err := d.sum(ctx, &pair{name, other}, f, total)
	if err != nil {
		return Stats{}, err
	}
	if len(list) == 0 {
		return summed(name, func(s Sum) Figure { // of no match at all
			return figure.If(s.of == nil || !slices.ContainsFunc(s.columns, func(c string) bool { return columnOf(c).kind == maybe }), 0)
		}), nil
	}
	list[0].Key = name
	return list[0], nil
}
