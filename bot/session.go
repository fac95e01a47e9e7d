package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
)

// session runs one connection from login to its end.
func (a *Account) session(ctx context.Context) reason {
	link, err := a.Dial(ctx)
	if err != nil {
		return reason{text: err.Error(), cause: protocol.CauseOf(err, protocol.CauseLocal), err: err, login: true}
	}
	a.dropOrders()
	a.leaving = false
	a.Log.Info("logged in")
	a.thinker = newThinker(ctx, a.Decider, a.Pace)
	defer a.thinker.stop()
	why := a.guarded(ctx, link)
	a.thinker.stop()
	if err := link.Close(); err != nil && why.text == "" {
		why.text = err.Error()
	}
	// After a lost connection the table only updates its records.
	a.leaving = true
	due := a.tbl.Lost()
	if err := a.carryOut(link, due, Observation{}); err != nil && !errors.Is(why.err, errJournal) {
		why.err = errors.Join(why.err, err) // a journal that failed before fails again
	}
	return why
}

// loop serves a connection until it ends, ctx does, or MaxMatches are played.
func (a *Account) loop(ctx context.Context, link Link) reason {
	if err := a.carryOut(link, a.tbl.Ready(time.Now()), Observation{}); err != nil {
		return ofError(err)
	}
	why := reason{text: "connection lost", cause: protocol.CauseLost}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for !a.stopped {
		timer.Reset(a.untilWake())
		var due table.Due
		var m Observation
		select {
		case <-ctx.Done():
			return a.sayGoodbye(link)
		case ev, ok := <-link.Events():
			if !ok {
				return why.with(link.Err())
			}
			m.Event = &ev
			a.reading = ev.Raw
			due = a.tbl.Event(ev, time.Now())
			if told, ok := foretold(&ev); ok {
				why = told
			}
		case ans := <-a.thinker.answers:
			if !a.usable(ans) {
				continue
			}
			due = a.tbl.Decided(ans.generation, ans.decision, time.Now())
		case order := <-a.Orders:
			due = order(a.tbl, time.Now())
		case <-link.Drained():
			a.late(link, time.Now())
		case <-timer.C:
			if now := time.Now(); !a.late(link, now) {
				due = a.tbl.Tick(now)
			}
		}
		if err := a.carryOut(link, due, m); err != nil {
			return ofError(err)
		}
		a.fileAgain(time.Now())
		if due.Reconnect != "" {
			why := reason{text: due.Reconnect, cause: protocol.CauseStuck}
			if due.Silent {
				why.cause = protocol.CauseSilent
			}
			return why
		}
	}
	return a.sayGoodbye(link)
}

// untilWake returns the time until the next timer.
func (a *Account) untilWake() time.Duration {
	wait := time.Hour
	if at := a.tbl.Wake(); !at.IsZero() && !a.held {
		wait = max(0, time.Until(at))
	}
	if a.journal != nil && a.journal.Unfiled() > 0 {
		wait = min(wait, max(0, time.Until(a.fileAt)))
	}
	if !a.wake.IsZero() {
		wait = min(wait, max(0, time.Until(a.wake)))
	}
	return wait
}

// usable reports whether an answer holds a decision, and logs its errors.
func (a *Account) usable(ans answer) bool {
	if ans.err != nil {
		if !errors.Is(ans.err, context.Canceled) {
			a.Log.WithError(ans.err).Error("the engine gave no decision")
		}
		return false
	}
	if ans.trouble != nil {
		a.Log.WithError(ans.trouble).Error("engine failed: playing by rules of thumb")
	}
	return true
}

// sayGoodbye logs out. The server saves a running match and informs the opponent.
func (a *Account) sayGoodbye(link Link) reason {
	if err := link.Send(protocol.Bye{}, nil); err != nil {
		return reason{text: err.Error()}
	}
	a.leaving = true
	last := time.Now().Add(settingsLimit)
	limit := time.NewTimer(goodbyeLimit)
	defer limit.Stop()
	for {
		select {
		case ev, ok := <-link.Events():
			if !ok {
				return reason{text: "stopped"}
			}
			// The journal records how the match was left.
			if err := a.carryOut(link, a.tbl.Event(ev, time.Now()), Observation{Event: &ev}); err != nil {
				return ofError(err)
			}
		case <-limit.C:
			if link.Waiting() == 0 || time.Now().After(last) {
				return reason{text: "stopped"}
			}
			limit.Reset(goodbyeLimit)
		}
	}
}

// goodbyeLimit is the longest wait for a logout before the socket is closed, settingsLimit
// while the settings of the account are being put back at the pace of the link.
const (
	goodbyeLimit  = 700 * time.Millisecond
	settingsLimit = 5 * time.Second
)

// carryOut does what is due, in the order that makes a crash harmless: journal, sync,
// commands, question.
func (a *Account) carryOut(link Link, due table.Due, m Observation) error {
	now := time.Now()
	a.state.Store(a.tbl.Generation())
	a.wake = a.Conduct.Step(a.tbl, &due, m.Event, now)
	due.Invitations = nil
	if a.leaving {
		due.Send, due.Ask = nil, nil
	}
	a.listen(&due, m.Event)
	var broken error
	if a.journal != nil && len(due.Notes) > 0 {
		filed, err := a.journal.Write(due.Notes, now)
		if err == nil && len(due.Send) > 0 {
			err = a.journal.Sync()
		}
		m.Filed = a.gone(filed, due.Notes)
		if err != nil {
			a.reportJournal(err)
			// Nothing may follow from notes that are not written. The end of a match still
			// counts.
			due.Send, due.Ask = nil, nil
			broken = fmt.Errorf("%w: %w", errJournal, err)
		} else if a.journal.Unfiled() > 0 && a.journalTrouble == "" {
			a.fileAgain(now)
		}
	}
	a.state.Store(a.tbl.Generation()) // Step may have changed it
	if due.Warn != "" {
		a.Log.Warn(due.Warn)
	}
	for _, c := range due.Send {
		err := a.send(link, c)
		if errors.Is(err, protocol.ErrQueueFull) && !protocol.OfGame(c) {
			// Commands outside the game may be dropped; a flood by others caused them.
			a.dropped(c, now)
			continue
		}
		if err != nil {
			return fmt.Errorf("send: %w", err)
		}
	}
	if due.Ask != nil {
		a.thinker.think(*due.Ask)
	} else {
		a.thinker.forget(a.tbl.Generation())
	}
	if due.Over != nil {
		a.matchOver(due.Over, m.Filed)
	}
	m.Over, m.Table, m.At = due.Over, a.tbl.Sheet(), now
	a.Conduct.Told(m)
	return broken
}

// dropped logs, at most once a minute, that commands were dropped because the queue was
// full.
func (a *Account) dropped(c protocol.Command, now time.Time) {
	a.left++
	if now.Sub(a.leftAt) < time.Minute {
		return
	}
	a.leftAt = now
	a.Log.WithFields(logrus.Fields{"command": fmt.Sprintf("%T", c), "dropped": a.left}).Warn("send queue full: commands outside the game are dropped")
}

// late reports whether the table must wait before it concludes that a command had no effect:
// while the send limit holds commands back, and for its patience after the last one was
// sent. It is called when the table's timer fires and when the queue is empty.
func (a *Account) late(link Link, now time.Time) bool {
	held := link.Waiting() > 0
	if held || a.held {
		a.tbl.Underway(now)
	}
	a.held = held
	return held
}

// send queues a command. A command that depends on the present state of a match is dropped
// if that state changes before it is sent.
func (a *Account) send(link Link, c protocol.Command) error {
	if !protocol.Dated(c) {
		return link.Send(c, nil)
	}
	state := a.tbl.Generation()
	return link.Send(c, func() bool { return a.state.Load() == state })
}

func (a *Account) matchOver(s *sheet.Sheet, filed []archive.Filed) {
	a.matches++
	var files []string
	for _, f := range filed {
		files = append(files, f.Files...)
	}
	log := a.Log.WithFields(logrus.Fields{"opponent": s.Opponent, "length": s.Length, "won": s.Winner == sheet.Us,
		"us": s.Score[sheet.Us], "them": s.Score[sheet.Them], "files": files})
	if g := s.Last(); g != nil && g.Forfeit {
		log = log.WithField("forfeit", true)
	}
	log.Info("match over")
	if a.MaxMatches > 0 && a.matches >= a.MaxMatches {
		a.stopped = true
	}
}

// gone removes from filed the matches that the server no longer has, logs why, and informs
// the Conduct.
func (a *Account) gone(filed []archive.Filed, notes []table.Note) (rest []archive.Filed) {
	for _, f := range filed {
		if !f.Gone {
			rest = append(rest, f)
			continue
		}
		s := f.Sheet
		a.Log.WithFields(logrus.Fields{"opponent": s.Opponent, "length": s.Length, "us": s.Score[sheet.Us], "them": s.Score[sheet.Them],
			"files": f.Files, "reason": whyGone(notes, s.Opponent)}).Info("match filed without an end")
		a.Conduct.Told(LateFile{Filed: f})
	}
	return rest
}

// whyGone returns why the match with an opponent has no end, from the notes that ended it.
func whyGone(notes []table.Note, opponent string) string {
	for _, n := range notes {
		switch {
		case n.Opponent != opponent || n.Kind != table.NoteOpen:
		case n.Resumed:
			return "the server has another match with this opponent"
		default:
			return "a new match with this opponent has begun"
		}
	}
	return "the server no longer has the match"
}

// dropOrders drops orders for an earlier connection.
func (a *Account) dropOrders() {
	for len(a.Orders) > 0 {
		<-a.Orders
	}
}
