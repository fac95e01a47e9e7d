package demo

import (
	"context"
	"sync"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/internal/accountview"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// seat is what pages show of one of the two bots.
type seat struct {
	view accountview.View

	mu    sync.Mutex
	shown ops.Account
}

func newSeat(a *bot.Account, v *venue, f Options) *seat {
	return &seat{shown: ops.Account{Name: a.Name, Server: "embedded " + v.protocol, State: "ready", Connected: true, Preset: f.Preset}}
}

// moment takes one step of the account.
func (s *seat) moment(m bot.Observation) {
	s.view.SetMatch(m.Table, protocol.User{})
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &s.shown
	if m.Event != nil {
		a.LastLine = m.At
	}
	if m.Over != nil {
		a.Finished++
		if m.Over.Winner == sheet.Us {
			a.Won++
		}
	}
	a.State, a.Opponent, a.Match, a.Board = "ready", "", "", ""
	if sh := m.Table; sh != nil {
		a.State, a.Opponent, a.Match = "playing", sh.Opponent, accountview.Score(sh)
		if p, ok := sh.Position(); ok {
			a.Board = p.ID()
		}
	}
}

// status returns what both bots are doing.
func status(seats []*seat, judge accountview.Estimator) func(context.Context) (ops.Status, error) {
	started := time.Now()
	return func(ctx context.Context) (ops.Status, error) {
		st := ops.Status{Started: started, Config: "demo"}
		for _, s := range seats {
			s.mu.Lock()
			a := s.shown
			s.mu.Unlock()
			a.Live = s.view.Live(ctx, judge)
			st.Accounts = append(st.Accounts, a)
		}
		return st, nil
	}
}
