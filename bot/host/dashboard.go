package host

import (
	"context"
	"slices"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/ops"
)

// history is how many of its last matches an account shows on the dashboard.
const history = 200

// Matches is what the dashboard shows beside Status. It reads no file: the list
// of ended matches is kept by the background.
func (h *Host) Matches() ops.Matches {
	var m ops.Matches
	for _, s := range h.seats {
		m.Saved = append(m.Saved, s.saved()...)
		if l := s.shown.Load(); l != nil {
			m.Ended = append(m.Ended, *l...)
		}
	}
	slices.SortStableFunc(m.Saved, func(a, b ops.Saved) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(m.Ended, func(a, b ops.Ended) int { return b.At.Compare(a.At) })
	return m
}

// saved are the account's interrupted matches but for one that goes on just now.
func (s *seat) saved() []ops.Saved {
	now := s.status().Opponent
	var list []ops.Saved
	for name, at := range s.memory.saved() {
		if name != now {
			list = append(list, ops.Saved{Account: s.name, Opponent: name, At: at})
		}
	}
	return list
}

// listEnded reads the last matches of an account for the dashboard.
func (f *filing) listEnded(ctx context.Context, s *seat) {
	list := make([]ops.Ended, 0, history)
	row := func(m *index.Match) error {
		e := ops.Ended{At: m.Finished, Account: s.name, Opponent: m.Opponent, Length: m.Length, Score: m.Score,
			Result: "unfinished", Rating: m.RatingAfter[0]}
		if e.At.IsZero() {
			e.At = m.Started
		}
		if e.Rating == 0 {
			e.Rating = m.Rating[0]
		}
		switch {
		case m.Result > 0:
			e.Result = "won"
		case m.Result < 0:
			e.Result = "lost"
		}
		list = append(list, e)
		return nil
	}
	err := f.db.Use(ctx, func(d *index.DB) error {
		return d.List(ctx, index.Filter{Account: s.name, Server: s.server, Limit: history}, row)
	})
	if err != nil {
		if ctx.Err() == nil {
			f.h.opt.Log.WithError(err).Warn("last matches not read for the dashboard")
		}
		return
	}
	s.shown.Store(&list)
}
