package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// errEnough ends a list at the limit of the filter.
var errEnough = errors.New("enough matches")

// player sums up the matches of name against other. A match between namesakes counts once.
func (d *DB) player(ctx context.Context, f Filter, name, other string) (Stats, error) {
	f.Accounts, f.Account, f.Opponent = nil, name, other
	if err := f.check(); err != nil {
		return Stats{}, err
	}
	names, view := (&Filter{Account: name, Opponent: other}).conditions(), (&Filter{Account: name, Opponent: other, Result: f.Result}).conditions()
	either := f
	either.Account, either.Opponent, either.between, either.Result, either.Limit = "", "", pair{name, other}, "", 0
	sum := newSummer(total)
	sum.group("") // also without a match
	n := 0
	err := d.rows.list(ctx, &either, append(summedColumns(), "account", "opponent"), func(m *Match) error {
		if !fits(m, names) {
			m = m.mirrored()
		}
		if !fits(m, view) {
			return nil
		}
		sum.add(m)
		if n++; n == f.Limit {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return Stats{}, fmt.Errorf("statistics: %w", err)
	}
	s := sum.stats()[0]
	s.Key = name
	return s, nil
}

// mirrored returns the row in the view of the opponent.
func (m *Match) mirrored() *Match {
	out := *m
	out.Account, out.Opponent, out.Me, out.Result, out.Adjusted = m.Opponent, m.Account, 1-m.Me, -m.Result, -m.Adjusted
	out.Shallow[0], out.Shallow[1] = m.Shallow[1], m.Shallow[0]
	out.Score[0], out.Score[1] = m.Score[1], m.Score[0]
	for _, p := range []*[2]Figure{&out.Rating, &out.RatingAfter, &out.Error, &out.Checker, &out.Cube, &out.Unforced, &out.Close, &out.Counted, &out.PR, &out.Luck} {
		p[0], p[1] = p[1], p[0]
	}
	return &out
}
