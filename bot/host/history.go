package host

import (
	"context"
	"fmt"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/policy"
)

// history is the matches of one account, from the archive and since the start.
type history struct {
	opponents map[string]*past
	ends      []time.Time // of matches in the last two days
}

// past is what is known about one opponent.
type past struct {
	policy.History
	length int // of the last match
}

// pastMatch is one match of a history.
type pastMatch struct {
	opponent string
	length   int // 0 unlimited
	theyWon  bool
	finished bool
	end      time.Time
}

// load replaces the history by the index's matches of an account on a server. Without an
// index nothing changes.
func (h *history) load(ctx context.Context, db *index.Keeper, account, server string) error {
	var fresh history
	read := false
	err := db.Use(ctx, func(d *index.DB) error {
		fresh, read = history{}, true
		return d.List(ctx, index.Filter{Account: account, Server: server}, func(m *index.Match) error {
			if m.Length == policy.Unlimited {
				return nil // a game, not a match
			}
			end := m.Finished
			if end.IsZero() {
				end = m.Started
			}
			fresh.add(pastMatch{opponent: m.Opponent, length: m.Length, theyWon: m.Result < 0, finished: m.Result != 0, end: end}, time.Now())
			return nil
		})
	})
	switch {
	case err == nil && read:
		*h = fresh
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("read index: %w", err)
	}
	return nil
}

// add counts a match.
func (h *history) add(m pastMatch, now time.Time) {
	p := h.opponents[m.opponent]
	if p == nil {
		if h.opponents == nil {
			h.opponents = map[string]*past{}
		}
		p = &past{}
		h.opponents[m.opponent] = p
	}
	if m.finished {
		p.Finished++
	}
	if m.theyWon {
		p.Won++
	}
	if p.length == 0 || len(p.Recent) == 0 || m.end.After(p.Recent[len(p.Recent)-1]) {
		p.length = m.length
	}
	if p.Recent = append(p.Recent, m.end); len(p.Recent) > maxRecent {
		p.Recent = p.Recent[1:]
	}
	if now.Sub(m.end) < 48*time.Hour {
		h.ends = append(h.ends, m.end)
	}
}

// with returns what is known about an opponent.
func (h *history) with(opponent string) policy.History {
	if p := h.opponents[opponent]; p != nil {
		return p.History
	}
	return policy.History{}
}

// today counts the matches of this day and forgets all others, including those in the future,
// which a clock that was set back leaves.
func (h *history) today(now time.Time) int {
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	tomorrow := midnight.AddDate(0, 0, 1)
	kept := h.ends[:0]
	for _, at := range h.ends {
		if !at.Before(midnight) && at.Before(tomorrow) {
			kept = append(kept, at)
		}
	}
	h.ends = kept
	return len(kept)
}

// lastLength returns the length of the last match with an opponent, 0 for an unlimited one or
// an unknown opponent.
func (h *history) lastLength(opponent string) int {
	if p := h.opponents[opponent]; p != nil {
		return p.length
	}
	return 0
}
