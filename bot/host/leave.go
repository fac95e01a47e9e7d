package host

import (
	"slices"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

// order hands something to the account's goroutine; it is dropped when the
// account is too busy or off line.
func (s *seat) order(o bot.Order) {
	select {
	case s.orders <- o:
	default:
	}
}

// poke makes a step.
func (s *seat) poke() { s.order(func(*table.Table, time.Time) table.Due { return table.Due{} }) }

// going tells whether the seat is to end as soon as it may: the host is leaving,
// or this account alone.
func (s *seat) going() bool { return s.stay.leaving || s.h.draining.Load() }

// drain tells the seat that the host is leaving.
func (s *seat) drain() {
	if !s.presence.online() {
		s.presence.end()
		return
	}
	s.poke()
}

// finishDrain ends the account when what it had to finish is finished.
func (s *seat) finishDrain(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) {
	if !s.going() {
		return
	}
	// Whoever invited us and was joined believes to be playing already.
	done := !t.Playing() && !t.SittingDown()
	switch s.h.opt.Config().Operations.Drain {
	case "now":
		done = true
	case "match":
		// A match without end has no other.
		sh := t.Sheet()
		done = done || sh != nil && sh.Length == 0 && ev != nil && ev.Kind == protocol.JoinNext
	case "game":
		done = done || ev != nil && ev.Kind == protocol.JoinNext
	}
	if !done {
		return
	}
	// The goodbye comes from the account; nothing new is begun before it.
	due.Send = slices.DeleteFunc(due.Send, func(c protocol.Command) bool {
		switch c.(type) {
		case protocol.Next, protocol.Join, protocol.Invite, protocol.Resume, protocol.Open:
			return true
		}
		return false
	})
	waiting := 0
	if l := s.link.Load(); l != nil {
		waiting = len(due.Send) + l.Waiting()
	}
	wake, yes := s.stay.goodbye(waiting, now)
	if !yes {
		s.alarm.set(wake) // the farewell is still on its way; its end makes a step
		return
	}
	s.presence.end()
}
