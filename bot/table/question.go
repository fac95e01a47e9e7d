package table

import (
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// consider finds what is due in the present state of the match. All actions within a game
// are decided here.
func (t *Table) consider(due *Due, now time.Time) {
	s := t.sheet
	if s == nil || t.stage != playing || !t.haveView {
		return
	}
	g := s.Current()
	if g == nil {
		return
	}
	if key := s.Key(); key != t.key {
		t.gen++
		t.key, t.asked, t.answer, t.sent = key, false, nil, false
		t.rollAt, t.idle, t.wait.tries = time.Time{}, 0, 0
	}
	if t.away {
		t.sent = false
		t.passive(now)
		return
	}
	if t.sent {
		// The command's effect is still to come. The present board may be older than the
		// command, so the timer has to run.
		if t.wait.until.IsZero() {
			t.expect(seeEffect, now)
		}
		return
	}
	sit, ok := t.question(s, g)
	if !ok {
		t.passive(now)
		return
	}
	if sit.Ask == AskRoll && !sit.MayDouble {
		t.rollOrWait(due, now)
		return
	}
	if t.answer != nil {
		t.send(due, *t.answer, now) // decided before, but the command was lost
		return
	}
	if !t.asked {
		t.asked = true
		sit.Generation = t.gen
		due.Ask = &sit
		t.progress() // thinking is not waiting
	}
}

// question returns what the bot has to decide in the present state, if anything.
func (t *Table) question(s *sheet.Sheet, g *sheet.Game) (Situation, bool) {
	sit := Situation{
		Position: position(s), State: s.State(), Dice: s.Dice(), OnTurn: s.Turn() == sheet.Us,
		Opponent: s.Opponent, Game: len(s.Games),
		MayResign: t.resignAt != len(g.Acts) && s.Resigner() == sheet.Nobody && !t.rules.ResignsAtOnce,
	}
	sit.State.Drops = t.rules.Drops
	switch {
	case s.Resigner() == sheet.Them:
		sit.Ask = AskResign
		sit.Offered = min(3, max(1, s.Offer()/max(1, s.Cube())))
		sit.Doubled = s.Doubler() != sheet.Nobody && s.Doubler() == s.Turn()
		return sit, true
	case s.Resigner() == sheet.Us:
		return sit, false
	case s.Doubler() == sheet.Them:
		sit.Ask = AskTake
		sit.OnTurn = false
		sit.Dice = board.Dice{}
		return sit, true
	case s.Doubler() == sheet.Us, s.Turn() != sheet.Us:
		return sit, false
	case s.Dice().Valid():
		sit.Ask = AskPlay
		return sit, s.CanPlay()
	}
	sit.Ask = AskRoll
	sit.MayDouble = t.mayDouble(s)
	return sit, true
}

// mayDouble reports whether a double is legal and can matter: never in the Crawford game
// (whatever the board's flags say), never with a dead cube.
func (t *Table) mayDouble(s *sheet.Sheet) bool {
	st := s.State()
	if st.Crawford || st.Owner == match.Theirs || st.Length == 1 {
		return false
	}
	if g := s.Current(); g != nil && len(g.Acts) == 0 && position(s) == board.Start {
		return false // no double before the opening roll
	}
	return st.Length == 0 || st.Score[0]+st.Cube < st.Length
}

// rollOrWait handles a turn on which the bot may not double. Some servers then roll
// automatically, unless they prompt for a roll or forget it.
func (t *Table) rollOrWait(due *Due, now time.Time) {
	if t.prompted || !t.rules.RollsItself {
		t.sent, t.rollAt = true, time.Time{}
		t.do(due, protocol.Roll{})
		t.expect(seeRoll, now)
		return
	}
	if t.rollAt.IsZero() {
		t.rollAt = now.Add(t.opt.AutoRoll)
		t.progress()
	}
}

// passive sets the timer for asking for the board while the opponent has to act.
func (t *Table) passive(now time.Time) {
	if t.wait.what == seeOpponent && now.Before(t.wait.until) {
		return
	}
	t.wait = await{what: seeOpponent, until: now.Add(t.opt.Idle)}
}

// Decided enters the engine's answer. An answer to an older generation is dropped.
func (t *Table) Decided(gen uint64, d Answer, now time.Time) Due {
	var due Due
	if gen != t.gen || t.sheet == nil || !t.asked || t.answer != nil {
		return due
	}
	t.answer = &d
	if g := t.sheet.Current(); d.Thought != nil && g != nil {
		if sit, ok := t.question(t.sheet, g); ok {
			sit.Game -= t.sheet.Filed
			due.Notes = append(due.Notes, Note{Kind: NoteThought, Opponent: t.sheet.Opponent, Minor: true, Thought: sit.thought(d.Thought)})
		}
	}
	t.send(&due, d, now)
	return due
}

// send sends the command for an answer and waits for its effect.
func (t *Table) send(due *Due, d Answer, now time.Time) {
	t.sent = true
	does := map[Action]struct {
		protocol.Command
		shows effect
	}{
		Roll:         {protocol.Roll{}, seeRoll},
		Double:       {protocol.Double{}, seeDouble},
		Play:         {protocol.Move{Steps: orderSteps(d.Play), Down: t.view.Down}, seePlay},
		Take:         {protocol.Take{}, seeTake},
		Drop:         {protocol.Drop{}, seeDrop},
		AcceptResign: {protocol.AcceptResign{}, seeAcceptance},
		RejectResign: {protocol.RefuseResign{}, seeRefusal},
		Resign:       {protocol.Resign{Games: d.Games}, seeResignation},
	}
	if c, ok := does[d.Action]; ok {
		t.do(due, c.Command)
		t.expect(c.shows, now)
	}
}

// position returns the position on the sheet with the bot as Me.
func position(s *sheet.Sheet) board.Position {
	p, _ := s.Position()
	return p
}
