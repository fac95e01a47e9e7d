package table

import (
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// negotiation is a match about to begin: the opponent, the length, and the present step.
type negotiation struct {
	with   string
	length int // 0 unlimited; -1 for the saved match
	step   negoStep
	until  time.Time
	ours   bool // we invited; an invitation of his must not be joined
	// crossed means that our own invitation to offered points crossed his: both lengths
	// are agreed on.
	crossed bool
	offered int
}

// invites are invitations of others.
type invites struct {
	last     string      // who sent the last one; a warning about saved matches has no name
	accepted *Invitation // before the lobby was reached
	atBoard  *Invitation // of the opponent at the board, not judged yet
	resuming string      // the player last asked to resume a match, or joined for it
}

type negoStep uint8

const (
	negoInvited negoStep = iota + 1 // our invitation to a new match is out
	negoProbing                     // asked for the saved match before joining a new one
	negoResume                      // our invitation to resume is out
	negoJoining                     // join is out
	negoOpen                        // our open match waits for any player
	negoParting                     // the match is over, but we have not left it
	negoCrossed                     // two invitations to a new match have crossed
)

// enterLobby starts the state after a match or a login. All that waits for a free bot
// happens here.
func (t *Table) enterLobby() {
	t.stage, t.nego = lobby, negotiation{}
	t.progress()
	t.moveOn()
	if t.matches.unchecked && t.matches.told {
		t.checkSaved() // put off by a match that continued right after the login
	}
	if inv := t.invites.atBoard; inv != nil {
		t.invites.atBoard = nil
		inv.Saved = inv.Resume || t.Unfinished(inv.From)
		t.due.Invitations = append(t.due.Invitations, *inv)
	}
	if t.closeNext() {
		return
	}
	if inv := t.invites.accepted; inv != nil {
		t.invites.accepted = nil
		t.accept(*inv)
	}
}

// Invite invites opponent to a match of length points, 0 for unlimited, or to resume a
// match saved with him. It does nothing while the bot is not free.
func (t *Table) Invite(opponent string, length int, now time.Time) Due {
	t.begin(now)
	if !t.Free() || opponent == "" || opponent == t.opt.Name {
		return t.due
	}
	if t.SavedWith(opponent) {
		t.inviteResume(opponent, true)
		return t.due
	}
	t.nego = negotiation{with: opponent, length: length, step: negoInvited, ours: true, until: now.Add(t.opt.Answer)}
	t.do(protocol.Invite{Name: opponent, Length: length})
	return t.due
}

// Open opens a match of length points, 0 for unlimited, for any player, or with a password
// for those who know it. It does nothing while the bot is not free. The match waits until a
// player joins it or the connection ends.
func (t *Table) Open(length int, password string) Due {
	t.due = Due{}
	if t.Free() {
		t.nego = negotiation{length: length, step: negoOpen}
		t.do(protocol.Open{Length: length, Password: password})
	}
	return t.due
}

// Opened reports whether a match that we opened waits for a player.
func (t *Table) Opened() bool { return t.nego.step == negoOpen }

// Close closes that match. If a player joins before the server hears of it, the match is played.
func (t *Table) Close(now time.Time) Due {
	t.begin(now)
	if t.Opened() {
		t.standUp(negotiation{length: -1, step: negoParting})
	}
	return t.due
}

// inviteResume invites opponent to resume the saved match. ours reports that he did not ask
// for it himself.
func (t *Table) inviteResume(opponent string, ours bool) {
	t.nego = negotiation{with: opponent, length: -1, step: negoResume, ours: ours, until: t.now.Add(t.opt.Patience)}
	t.invites.resuming = opponent
	t.do(protocol.Resume{Name: opponent})
}

// invited handles an invitation to us.
func (t *Table) invited(from string, length int, resume bool) {
	t.invites.last = from
	if from == t.opt.Name {
		return
	}
	if n := &t.nego; !resume && n.with == from && n.step == negoResume {
		n.ours = true // it has replaced his request to resume, and a join would accept it
	} else if !resume && n.with == from && n.step == negoJoining && t.stage == lobby {
		t.moveOn() // a join that still waits to be sent would accept it
	}
	inv := Invitation{From: from, Length: length, Unlimited: length == 0 && !resume, Resume: resume, Saved: t.Unfinished(from) || resume}
	if !t.wantsBack(inv) {
		t.due.Invitations = append(t.due.Invitations, inv)
	}
}

// warned handles "Don't accept if you want to continue the saved match". The line has no
// name, so it is about the last inviter. A join already sent cannot be taken back.
func (t *Table) warned(length int) {
	if t.invites.last != "" {
		m := t.matches.at(t.invites.last)
		m.listed, m.endless = true, length == 0
	}
}

// Accept accepts an invitation. It asks for a saved match first, because joining a new
// match destroys the one saved with the same player.
func (t *Table) Accept(inv Invitation, now time.Time) Due {
	t.initialize()
	t.begin(now)
	t.accept(inv)
	return t.due
}

func (t *Table) accept(inv Invitation) {
	if t.stage == visiting || t.stage == mending {
		t.invites.accepted = &inv // first find out how the earlier matches ended
		return
	}
	if t.stage != lobby || !t.Takes(inv.From) {
		return
	}
	if t.nego.with == inv.From && (t.nego.step == negoResume || t.nego.step == negoInvited) && inv.Resume {
		// Two invitations to resume have crossed. One of us must join, but only after he
		// had time to replace his by an invitation to a new match.
		t.nego = negotiation{with: inv.From, length: -1, step: negoResume, until: t.now.Add(t.opt.Patience / crossWait)}
		return
	}
	if n := &t.nego; n.with == inv.From && !inv.Resume && t.matches.told && !t.SavedWith(inv.From) {
		switch n.step {
		case negoCrossed:
			n.length = inv.Length
			return
		case negoInvited:
			t.cross(inv)
			return
		}
	}
	if (t.matches.of(inv.From).endless || t.Void(inv.From) || inv.Replace) && !inv.Resume {
		t.join(inv.From, inv.Length)
		return
	}
	if inv.Resume || t.SavedWith(inv.From) {
		// A player who asked for a new match must join us: accepting his invitation would
		// erase the saved one.
		t.inviteResume(inv.From, !inv.Resume)
		if !inv.Resume {
			t.nego.until = t.now.Add(t.opt.Answer)
		}
		return
	}
	if t.nego.with == inv.From && t.nego.step == negoProbing {
		t.nego.length = inv.Length // the answer to our probe counts for this one as well
		return
	}
	t.nego = negotiation{with: inv.From, length: inv.Length, step: negoProbing, until: t.now.Add(t.opt.Patience)}
	t.invites.resuming = inv.From
	t.do(protocol.Resume{Name: inv.From})
}

// cross starts the wait after two invitations to a new match have crossed. The table sends
// nothing, which on some servers would replace our invitation. The bot that is first in the
// alphabet joins soon; the other joins later, in case its opponent is a person who waits.
func (t *Table) cross(inv Invitation) {
	wait := t.opt.Patience / crossWait
	if t.opt.Name > inv.From {
		wait = t.opt.Patience / 2
	}
	t.nego = negotiation{with: inv.From, length: inv.Length, step: negoCrossed, crossed: true, offered: t.nego.length, until: t.now.Add(wait)}
}

// crossWait: an invitation that crossed ours is joined only after Patience / crossWait,
// because the other player may replace it, and a warning may follow it.
const crossWait = 32

// Refuse declines an invitation and tells the inviter why, unless why is empty.
func (t *Table) Refuse(inv Invitation, why string) Due {
	t.due = Due{}
	if why != "" {
		t.do(protocol.Tell{Name: inv.From, Text: why})
	}
	return t.due
}

func (t *Table) join(opponent string, length int) {
	t.nego = negotiation{with: opponent, length: length, step: negoJoining, until: t.now.Add(t.opt.Patience)}
	t.do(protocol.Join{Name: opponent})
}

// noSaved handles "There's no saved match with X".
func (t *Table) noSaved(name string) {
	m := t.matches.of(name)
	m.listed, m.endless = false, false
	if t.nego.with != name && name != "" {
		return
	}
	switch t.nego.step {
	case negoProbing:
		t.join(t.nego.with, t.nego.length)
	case negoResume:
		t.nego = negotiation{}
		t.unknownMatch(name)
	}
}

// inviteOut handles "You invited X to resume a saved match".
func (t *Table) inviteOut(name string) {
	if t.nego.with != name {
		return
	}
	m := t.matches.at(name)
	m.listed = true
	if t.nego.step == negoProbing && m.endless {
		t.join(name, t.nego.length)
		return
	}
	if t.nego.step == negoProbing {
		// He asked for a new match, but the saved one comes first.
		t.nego = negotiation{with: name, length: -1, step: negoResume, ours: true, until: t.now.Add(t.opt.Answer)}
		t.do(protocol.Tell{Name: name, Text: "We have a saved match. Please type 'join " + t.opt.Name + "' to resume it."})
		return
	}
	if n := &t.nego; n.step == negoResume && !n.ours {
		// The server knows the match he wants to resume. A bot joins us now; a person may
		// wait for us to join, but should not wait long.
		if soon := t.now.Add(t.opt.Patience / joinWait); soon.Before(n.until) {
			n.until = soon
		}
	}
}

// joinWait: a player who asked to resume, and was invited back, may join first for
// Patience / joinWait.
const joinWait = 8

// cannotResume handles a saved match with name that cannot be played on.
func (t *Table) cannotResume(name string) {
	if name == "" {
		return
	}
	m := t.matches.at(name)
	m.void, m.listed = true, true
	if t.nego.with == name {
		t.nego = negotiation{}
	}
	t.due.Failed = &Failed{With: name}
}

// negoFailed handles any refusal of invite or join. Some servers do not find a player whose
// invitation we hold; then the table tries the join, unless it could erase a saved match.
func (t *Table) negoFailed(ev *protocol.Event) {
	notFound := ev.Kind == protocol.NoSuchPlayer
	n := t.nego
	if n.step == 0 || t.stage != lobby {
		return
	}
	t.nego = negotiation{}
	if notFound && (n.step == negoResume && !n.ours || n.step == negoProbing && t.matches.told && !t.Unfinished(n.with)) {
		t.join(n.with, n.length)
	} else if !notFound && !n.ours && (n.step == negoJoining || n.step == negoResume || n.step == negoProbing) {
		t.due.Failed = &Failed{With: n.with, Why: strings.TrimPrefix(strings.TrimPrefix(ev.Raw, "** "), "Error: ")}
	}
}

// negoLate handles a negotiation that took too long.
func (t *Table) negoLate() {
	n := t.nego
	t.nego.until = time.Time{}
	switch n.step {
	case negoProbing:
		// The answer was lost. Ask once more; never join on a guess.
		if !n.ours {
			t.nego = n
			t.nego.ours, t.nego.until = true, t.now.Add(t.opt.Patience)
			t.do(protocol.Resume{Name: n.with})
			return
		}
	case negoResume:
		if !n.ours {
			// He invited us to resume and waits, so join. The first board shows whether
			// it is the match we mean.
			t.join(n.with, -1)
			return
		}
	case negoCrossed:
		if t.SavedWith(n.with) {
			t.inviteResume(n.with, true) // the server warned of a saved match
			return
		}
		t.join(n.with, n.length)
		t.nego.crossed, t.nego.offered = true, n.offered
		return
	case negoJoining:
		t.do(protocol.AskBoard{}) // the match may have begun already
	case negoParting:
		if !n.ours {
			t.standUp(n)
			return
		}
	}
	t.nego = negotiation{}
}

// opened handles the beginning of a match, new or resumed. length is -1 if the line does
// not say it.
func (t *Table) opened(opponent string, length int, resumed bool) {
	if t.sheet != nil {
		if t.sheet.Opponent == opponent && resumed && t.stage != mending {
			t.seat.away = false
			return // announced twice
		}
		t.setAside()
	}
	wanted := t.nego
	t.nego = negotiation{}
	t.moveOn()
	t.invites.accepted, t.invites.atBoard = nil, nil
	t.decision.refusedAt = -1
	t.view, t.moves.game, t.seat = nil, -1, opponentSeat{}
	known := t.matches.at(opponent)
	old := known.sheet
	*known = knownMatch{heard: known.heard, moved: known.moved}
	other := old != nil && old.Number > 0 && t.line.match > 0 && old.Number != t.line.match
	if resumed && old != nil && !other && !old.Over && (length < 0 || old.Length == length || old.Length < 0) {
		t.sheet = old
	} else {
		if old != nil {
			t.note(Note{Kind: NoteDiscard, Opponent: opponent})
		}
		t.sheet = sheet.New(opponent, length, !resumed)
		known.heard = heard{}
	}
	if !resumed {
		t.idle.joins = 0
	}
	t.sheet.Rules = t.rules.Sheet()
	if t.line.match > 0 {
		t.sheet.Number = t.line.match
	}
	t.due.Notes = append(t.due.Notes, Note{Kind: NoteOpen, Opponent: opponent, Length: t.sheet.Length, Resumed: resumed, Number: t.sheet.Number,
		Score: t.sheet.Score, Ratings: t.ratings(opponent)})
	t.stage, t.idle.resumed = playing, resumed
	t.progress()
	if !resumed && wanted.with == opponent && wanted.length >= 0 && wanted.length != length && !(wanted.crossed && wanted.offered == length) {
		// The invitation was replaced between our probe and our join. Leaving before the
		// first move has no result, only a saved match.
		t.do(protocol.Tell{Name: opponent, Text: "That is not the match length we agreed on."})
		t.do(protocol.Leave{})
		return
	}
	if resumed {
		// A board does not always follow, and the server may forget the roll.
		t.decision.rollAt = time.Time{}
		t.mendResumed()
		t.recheck()
	}
	t.expect(seeBoard)
}

// ratings returns those of opponent and bot in the last who lines.
func (t *Table) ratings(opponent string) [2]string {
	return [2]string{t.rating(opponent), t.rating(t.opt.Name)}
}

func (t *Table) rating(name string) string {
	if w, ok := t.lobby.User(name); ok {
		return formatRating(w.Rating)
	}
	return ""
}

// unknownMatch handles our sheet of a match that the server no longer has: the match ended
// while we were away. The server's list of moves shows how.
func (t *Table) unknownMatch(name string) {
	m := t.matches.of(name)
	if m.sheet == nil {
		return
	}
	if !t.opt.Mend {
		t.note(Note{Kind: NoteDiscard, Opponent: name})
		m.sheet = nil
		return
	}
	t.matches.closing = append(t.matches.closing, name)
	t.closeNext()
}

// closeNext asks for the list of moves of the next match that changed in our absence, and
// reports whether there was one.
func (t *Table) closeNext() bool {
	if t.sheet != nil || t.stage != lobby {
		return false
	}
	for len(t.matches.closing) > 0 {
		name := t.matches.closing[0]
		t.matches.closing = t.matches.closing[1:]
		m := t.matches.of(name)
		s := m.sheet
		if s == nil {
			continue
		}
		m.sheet = nil
		t.sheet, t.moves.game = s, -1
		t.stage, t.closed = mending, true
		t.note(Note{Kind: NoteOpen, Opponent: name, Length: s.Length, Resumed: true})
		t.command(protocol.AskMoves{Name: name}, seeMoves)
		return true
	}
	return false
}
