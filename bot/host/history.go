package host

import (
	"context"
	"fmt"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/policy"
)

// past is what the archive tells about one opponent.
type past struct {
	policy.History
	length int // of the last match
}

// loadPast reads what the index knows of this account's opponents, in place of what
// is known. Without an index nothing changes.
func (s *seat) loadPast(ctx context.Context, db *index.Keeper) error {
	pasts, ends := s.pasts, s.ends
	err := db.Use(ctx, func(d *index.DB) error {
		s.pasts, s.ends = map[string]*past{}, nil
		return d.List(ctx, index.Filter{Account: s.name, Server: s.server}, func(m *index.Match) error {
			end := m.Finished
			if end.IsZero() {
				end = m.Started
			}
			s.remember(m.Opponent, m.Length, m.Result < 0, m.Result != 0, end)
			return nil
		})
	})
	if err != nil {
		s.pasts, s.ends = pasts, ends
		if ctx.Err() == nil {
			return fmt.Errorf("read index: %w", err)
		}
	}
	return nil
}

// remember counts a match.
func (s *seat) remember(opponent string, length int, theyWon, finished bool, end time.Time) {
	p := s.pasts[opponent]
	if p == nil {
		p = &past{}
		s.pasts[opponent] = p
	}
	if finished {
		p.Finished++
	}
	if theyWon {
		p.Won++
	}
	if p.length == 0 || len(p.Recent) == 0 || end.After(p.Recent[len(p.Recent)-1]) {
		p.length = length
	}
	if p.Recent = append(p.Recent, end); len(p.Recent) > maxRecent {
		p.Recent = p.Recent[1:]
	}
	if time.Since(end) < 48*time.Hour {
		s.ends = append(s.ends, end)
	}
}

// past is what the archive and the memory know of an opponent.
func (s *seat) past(opponent string) policy.History {
	var h policy.History
	if p := s.pasts[opponent]; p != nil {
		h = p.History
	}
	h.Dropped = s.memory.get(opponent).Dropped
	return h
}

// today counts our matches since midnight, and forgets older ones.
func (s *seat) today(now time.Time) int {
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	kept := s.ends[:0]
	for _, at := range s.ends {
		if !at.Before(midnight) {
			kept = append(kept, at)
		}
	}
	s.ends = kept
	return len(kept)
}

func (s *seat) lastLength(name string) int {
	if p := s.pasts[name]; p != nil {
		return p.length
	}
	return 0
}
