package index

import (
	"context"
	"fmt"
	"strings"
)

// Compare sums up the matches of each player that fit f, on whichever side the player
// is, in the player's view. Of two players a third row, "A against B", has the matches
// between them in A's view. Names ignore case; * matches anything.
// Account and Opponent of f are ignored.
func (d *DB) Compare(ctx context.Context, f Filter, players ...string) ([]Stats, error) {
	for _, p := range players {
		if strings.TrimSpace(p) == "" {
			return nil, fmt.Errorf("%w: a player without a name", ErrFilter)
		}
	}
	var out []Stats
	for _, p := range players {
		s, err := d.player(ctx, f, p, "")
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

// player sums up the matches of name against other, "" for anyone.
func (d *DB) player(ctx context.Context, f Filter, name, other string) (Stats, error) {
	sum := summing{Stats: Stats{Key: name}, seen: map[string]bool{}, error: [2]Figure{unknown, unknown}, luck: [2]Figure{unknown, unknown}}
	f.Accounts = nil
	for side := range 2 {
		f.Account, f.Opponent = name, other
		if side == 1 {
			f.Account, f.Opponent = other, name
		}
		if err := d.List(ctx, f, func(m *Match) error { sum.add(m, side); return nil }); err != nil {
			return Stats{}, err
		}
	}
	return sum.stats(), nil
}

// summing adds up matches in the view of one side.
type summing struct {
	Stats
	seen      map[string]bool // a player against a namesake counts once
	error     [2]Figure
	luck      [2]Figure
	decisions [2]int
	counted   [2]int
}

func (s *summing) add(m *Match, side int) {
	if s.seen[m.ID] {
		return
	}
	s.seen[m.ID] = true
	s.Matches++
	switch result := m.Result * (1 - 2*side); {
	case result > 0:
		s.Won++
	case result < 0:
		s.Lost++
	default:
		s.Unfinished++
	}
	s.PointsFor += m.Score[side]
	s.PointsAgn += m.Score[1-side]
	if m.Started.After(s.Last) {
		s.Last = m.Started
	}
	if m.Plies < 0 {
		return
	}
	s.Analysed++
	for k, p := range [2]int{side, 1 - side} {
		s.error[k] = s.error[k].plus(m.Error[p])
		s.luck[k] = s.luck[k].plus(m.Luck[p])
		s.decisions[k] += m.decisions(p)
		s.counted[k] += m.Counted[p]
	}
}

func (s *summing) stats() Stats {
	out := s.Stats
	out.Error, out.OpponentError = per(s.error[0], int64(s.decisions[0])), per(s.error[1], int64(s.decisions[1]))
	out.PR, out.OpponentPR = per(s.error[0], int64(s.counted[0]))/2, per(s.error[1], int64(s.counted[1]))/2
	out.Luck, out.OpponentLuck = s.luck[0], s.luck[1]
	return out
}
