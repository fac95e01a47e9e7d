package host

import (
	"slices"
	"sync/atomic"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

// lastWordsLimit is how long the logout waits for the send queue.
const lastWordsLimit = 10 * time.Second

// stay is whether an account begins new matches, and whether it is leaving. Orders may come from
// any goroutine; the rest belongs to the account's.
type stay struct {
	paused   atomic.Bool // by order: no new matches
	leaving  atomic.Bool // by order, or because enough matches are played
	finished int         // matches of this run
	till     time.Time   // when it logs out at the latest; zero if it is not logging out
}

// ending reports whether the account only waits for its last words before the logout.
func (s *stay) ending() bool { return !s.till.IsZero() }

// resume continues with new matches.
func (s *stay) resume() {
	s.paused.Store(false)
	s.leaving.Store(false)
}

// played counts a match. After limit matches (0 for no limit) the account leaves.
func (s *stay) played(limit int) {
	s.finished++
	if limit > 0 && s.finished >= limit {
		s.leaving.Store(true)
	}
}

// goodbye reports whether the account may log out now: at once if the send queue is empty,
// otherwise at wake.
func (s *stay) goodbye(waiting int, now time.Time) (wake time.Time, yes bool) {
	if !s.ending() {
		s.till = now.Add(lastWordsLimit)
	}
	if waiting > 0 && now.Before(s.till) {
		return s.till, false
	}
	return time.Time{}, true
}

// order sends an order to the account's goroutine. It is dropped if the account is too busy
// or offline.
func (s *seat) order(o bot.Order) {
	select {
	case s.orders <- o:
	default:
	}
}

// poke causes a step.
func (s *seat) poke() { s.order(func(*table.Table, time.Time) table.Due { return table.Due{} }) }

// going reports whether the account is to leave, alone or with the host.
func (s *seat) going() bool { return s.stay.leaving.Load() || s.h.draining.Load() }

// drain wakes the seat to leave as operations.drain says. An offline account ends at once.
func (s *seat) drain() {
	if !s.presence.status().Connected {
		s.presence.end()
		return
	}
	s.poke()
}

// finishDrain ends the account once it has finished what it must.
func (s *seat) finishDrain(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) {
	if !s.going() {
		s.stay.till = time.Time{}
		return
	}
	// A player whose invitation we have joined believes to be playing already.
	done := s.stay.ending() || !t.Playing() && !t.SittingDown()
	switch s.h.opt.Config().Operations.Drain {
	case "now":
		done = true
	case "match":
		// An unlimited match ends with its game.
		sh := t.Sheet()
		done = done || sh != nil && sh.Length == 0 && ev != nil && ev.Kind == protocol.JoinNext
	case "game":
		done = done || ev != nil && ev.Kind == protocol.JoinNext
	}
	if !done {
		return
	}
	// The account logs out: until then it plays no more and begins nothing.
	due.Ask = nil
	due.Send = slices.DeleteFunc(due.Send, func(c protocol.Command) bool {
		switch c.(type) {
		case protocol.Invite, protocol.Resume, protocol.Open:
			return true
		case protocol.Leave:
			return false
		}
		return protocol.OfGame(c)
	})
	waiting := 0
	if l := s.link.Load(); l != nil {
		waiting = len(due.Send) + l.Waiting()
	}
	wake, yes := s.stay.goodbye(waiting, now)
	if !yes {
		s.alarm.set(wake) // the farewell is still being sent
		return
	}
	s.presence.end()
}
