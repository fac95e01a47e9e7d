package host

import (
	"context"
	"maps"
	"slices"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/accountview"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
)

// maxEnded is how many of its last matches an account shows on pages.
const maxEnded = 200

// View returns Status with all that pages show: boards, invitations, talk, matches. It reads
// no file: from the first view on the background keeps what the archive knows.
func (h *Host) View(ctx context.Context) ops.Status {
	if h.viewed.CompareAndSwap(false, true) {
		close(h.firstView)
	}
	st := h.Status()
	for i, s := range h.seats {
		v := s.shown.Live(ctx, accountview.Glance{Engine: h.opt.Engine})
		if l := s.filed.ended.Load(); l != nil {
			st.Ended = append(st.Ended, *l...)
			for _, e := range slices.Backward(*l) {
				if e.Rating > 0 {
					v.Ratings = append(v.Ratings, e.Rating)
				}
			}
		}
		if r := s.filed.record.Load(); r != nil {
			r := *r
			s.memory.addTo(&r, time.Now())
			v.Record = &r
		}
		st.Accounts[i].Live = v
		st.Saved = append(st.Saved, s.saved()...)
	}
	slices.SortStableFunc(st.Saved, func(a, b ops.Saved) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(st.Ended, func(a, b ops.Ended) int { return b.At.Compare(a.At) })
	return st
}

// showMatch updates the match that pages show.
func (s *seat) showMatch(sh *sheet.Sheet) {
	var them protocol.User
	if sh != nil {
		them, _ = s.lobby.User(sh.Opponent)
	}
	s.shown.SetMatch(sh, them)
}

// showDue updates what pages show of sent lines, warnings and waiting inviters.
func (s *seat) showDue(due *table.Due, now time.Time) {
	s.shown.Sent(due.Send, s.name, now)
	s.shown.Trouble(due.Warn, now)
	names := slices.Collect(maps.Keys(s.received.asking))
	for _, inv := range s.received.postponed {
		names = append(names, inv.From)
	}
	slices.Sort(names)
	s.shown.SetWaiting(names)
}

// saved returns the account's interrupted matches, without the one being played.
func (s *seat) saved() []ops.Saved {
	now := s.presence.status().Opponent
	var list []ops.Saved
	for name, at := range s.memory.saved() {
		if name != now {
			list = append(list, ops.Saved{Account: s.name, Opponent: name, At: at})
		}
	}
	return list
}

// keepViews reads what the archive knows about all accounts at the first view. A match filed later
// renews it.
func (f *filing) keepViews(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-f.h.firstView:
		for _, s := range f.h.seats {
			f.readView(ctx, s)
		}
	}
}

// readView reads what the archive knows about an account, if pages show it.
func (f *filing) readView(ctx context.Context, s *seat) {
	if !f.h.viewed.Load() {
		return
	}
	list := make([]ops.Ended, 0, maxEnded)
	row := func(m *index.Match) error {
		e := ops.Ended{At: m.Finished, Account: s.name, Opponent: m.Opponent, Length: m.Length, Score: m.Score,
			Result: "unfinished", Rating: m.RatingAfter[0].Or(m.Rating[0].Or(0))}
		if e.At.IsZero() {
			e.At = m.Started
		}
		if pr := m.PR[0]; pr.Known() {
			e.PR, e.Shallow = new(float64(pr)), m.Shallow[0]
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
	var record *ops.Record
	err := f.db.Use(ctx, func(d *index.DB) (err error) {
		if record, err = recordOf(ctx, d, s.name, s.server, time.Now()); err != nil {
			return err
		}
		list = list[:0]
		return d.List(ctx, index.Filter{Account: s.name, Server: s.server, Limit: maxEnded}, row)
	})
	if err != nil {
		if ctx.Err() == nil {
			f.h.opt.Log.WithError(err).Warn("matches not read for the Bots page")
		}
		return
	}
	s.filed.ended.Store(&list)
	if record != nil {
		s.filed.record.Store(record)
	}
}
