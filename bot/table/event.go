package table

import (
	"sort"
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Event enters one line of the server and returns what is now due.
func (t *Table) Event(ev protocol.Event, now time.Time) Due {
	var due Due
	t.lobby.Event(&ev)
	if t.stage == offline {
		return due
	}
	t.between(&due, ev, now) // may open a match; its first line is this one
	if s := t.sheet; s != nil {
		over := s.Over
		t.lastAt = now
		// The sheet sees what the journal sees, so that the match reads the same
		// when it is filed: any other line would end a list of moves here only.
		if t.wants(s, &ev) {
			due.Notes = append(due.Notes, Note{Kind: NoteLine, Opponent: s.Opponent, Raw: ev.Raw, Minor: !ofTheGame(ev.Kind)})
			protocol.Enter(s, &ev, t.opt.Name)
		}
		t.game(&due, ev, now)
		if t.sheet == s && s.Over && !over {
			t.matchEnded(&due, now)
		}
	}
	return due
}

// between handles what happens outside a game: login, invitations, matches that
// begin.
func (t *Table) between(due *Due, ev protocol.Event, now time.Time) {
	switch ev.Kind {
	case protocol.SavedBegins:
		t.savedTold = true
	case protocol.SavedMatch:
		t.savedTold = true
		if len(t.savedList) < maxSheets {
			t.savedList[ev.Name] = true
		}
		if s := t.saved[ev.Name]; s != nil && t.stage == visiting {
			t.moved[ev.Name] = ev.Score != [2]int{s.Score[sheet.Us], s.Score[sheet.Them]}
		}
	case protocol.Invites:
		t.invited(due, ev.Name, ev.Length, false)
	case protocol.InvitesResume:
		t.invited(due, ev.Name, -1, true)
	case protocol.WarnsSaved:
		t.warned()
	case protocol.InvitedResume:
		t.inviteOut(due, ev.Name, now)
	case protocol.NoSavedMatch:
		t.noSaved(due, ev.Name, now)
	case protocol.NoSuchPlayer, protocol.InviteFailed:
		// A tell to somebody who has gone is answered so as well.
		if t.sheet == nil && (ev.Name == "" || strings.EqualFold(ev.Name, t.nego.with)) {
			t.negoFailed()
		}
	case protocol.MatchBegins:
		t.opened(due, ev.Name, ev.Length, false, now)
	case protocol.MatchResumes:
		t.opened(due, ev.Name, -1, true, now)
	case protocol.MatchLength, protocol.MatchGoesOn:
		if t.stage == lobby {
			t.do(due, protocol.AskBoard{}) // a match goes on of which nothing else was told
		}
	case protocol.NoMatch:
		t.notPlaying(due, now)
	case protocol.OpponentGone:
		t.opponentGone(due, ev.Name, now)
	case protocol.OpponentBack:
		t.opponentBack(due, ev.Name, now)
	case protocol.BoardLine:
		v := ev.Board
		if v == nil || !v.Mine {
			return
		}
		if t.sheet == nil || t.stage == mending && t.sheet.Opponent != v.Opponent {
			// A match goes on that nobody announced: the server resumed it
			// after our login.
			t.opened(due, v.Opponent, v.Length, true, now)
		}
	}
}

// notPlaying handles "You're not playing.": the answer to our look at the board
// after a login, after a match, or when the match is gone.
func (t *Table) notPlaying(due *Due, now time.Time) {
	switch t.stage {
	case visiting:
		if !t.savedTold && len(t.saved) > 0 && t.wait.tries <= maxTries {
			// Without the list every saved match would seem to be over.
			t.do(due, protocol.AskSaved{})
			t.do(due, protocol.AskBoard{})
			t.wait = await{what: seeSaved, until: now.Add(t.opt.Patience), tries: t.wait.tries + 1}
			return
		}
		t.checkSaved(due, now)
		t.enterLobby(due, now)
	case lobby:
		if t.nego.step == negoParting {
			t.nego = negotiation{}
		}
	case mending:
		// An older question: the list is still to come.
	case playing, joining:
		if t.rules.Seat > 0 {
			t.gone(due, now)
			return
		}
		// The match ended or was saved without a line about it.
		t.savedList[t.sheet.Opponent] = true // until the list says otherwise
		t.setAside(due)
		t.enterLobby(due, now)
		t.do(due, protocol.AskSaved{})
	}
}

// checkSaved compares our sheets with the server's list of saved matches. What it
// does not know any more has ended in our absence. What stands at another score,
// or has a hole, must be looked at before the match is resumed: the server may
// begin the next game at once, and with it the list of the last one is gone.
func (t *Table) checkSaved(due *Due, now time.Time) {
	t.unchecked = false
	for name, s := range t.saved {
		switch {
		case !t.savedList[name] && due.Over == nil && t.endedUnseen(s, now):
			// The journal must hold that the match is open before it holds its end.
			due.Notes = append(due.Notes, Note{Kind: NoteOpen, Opponent: name, Length: s.Length, Resumed: true}, Note{Kind: NoteOver, Opponent: name})
			due.Over = s
			delete(t.saved, name)
			delete(t.heard, name)
		case !t.savedList[name] && !t.opt.Mend:
			delete(t.saved, name)
			due.Notes = append(due.Notes, Note{Kind: NoteDiscard, Opponent: name})
		case !t.savedList[name], t.opt.Mend && (t.moved[name] || s.NeedsMending()):
			t.closing = append(t.closing, name)
		}
	}
	sort.Strings(t.closing)
}

// game reacts to a line about the match at the board, after the sheet has it.
func (t *Table) game(due *Due, ev protocol.Event, now time.Time) {
	switch ev.Kind {
	case protocol.GameBegins, protocol.Rolls, protocol.Moves, protocol.OnlyMove, protocol.CannotMove, protocol.Doubles, protocol.Takes:
		t.resumed = false
	}
	switch ev.Kind {
	case protocol.OpeningRoll, protocol.FirstMove, protocol.Rolls, protocol.Moves, protocol.Doubles:
		t.joins = 0
	}
	switch ev.Kind {
	case protocol.BoardLine:
		t.sawBoard(due, ev, now)
	case protocol.BadBoard:
		t.wait = await{tries: t.wait.tries}
		t.askBoard(due, now)
	case protocol.GameBegins, protocol.OpeningRoll, protocol.FirstMove:
		t.stage = playing
		t.resignAt = -1
		t.expect(seeOpening, now)
	case protocol.RollForOpening:
		t.stage = playing
		t.do(due, protocol.Roll{})
		t.expect(seeOpening, now)
	case protocol.MayRoll:
		t.prompted = true
		t.stage = playing
		t.onPrompt(due, now)
	case protocol.Rolls:
		t.stage = playing
		t.rollAt, t.prompted = time.Time{}, false
		t.progress()
		t.expect(seeBoard, now) // moreboards sends one after every roll
	case protocol.Moves, protocol.OnlyMove:
		t.progress()
		t.expect(seeBoard, now)
	case protocol.CannotMove, protocol.BearsOff:
		// No board follows.
		t.progress()
		t.askBoard(due, now)
	case protocol.Doubles, protocol.Redoubles, protocol.Takes:
		t.progress()
		if ev.Kind != protocol.Takes && ev.IsYou() {
			t.expect(seeOpponent, now)
			t.wait.until = now.Add(t.opt.Idle)
			t.consider(due, now)
			return
		}
		if ev.Kind == protocol.Takes && !ev.IsYou() {
			t.expect(seeBoard, now) // our roll follows by itself
			return
		}
		t.consider(due, now)
	case protocol.OffersResign:
		t.progress()
		t.consider(due, now)
	case protocol.RefusesResign:
		// No board follows, and the roll that was due may be forgotten.
		if g := t.sheet.Current(); g != nil && !ev.IsYou() {
			t.moveOn() // with that, an offer decided on before is no answer any more
			t.resignAt = len(g.Acts)
		}
		t.progress()
		t.askBoard(due, now)
	case protocol.AlreadyDone:
		t.progress()
		if t.stage == joining {
			// We have joined; a person may take his time to do so.
			t.wait = await{what: seePartner, until: now.Add(t.opt.Idle)}
			return
		}
		t.consider(due, now)
	case protocol.AnswerResign:
		t.again(due, now)
	case protocol.GameOver:
		t.moveOn()
		t.stage = joining
		t.expect(seeResult, now)
	case protocol.Score:
		t.progress()
		t.expect(seeJoinPrompt, now)
	case protocol.JoinNext:
		t.joinNext(due, now)
	case protocol.WaitJoin:
		t.stage = joining
		t.expect(seePartner, now)
		t.wait.tries = 0
		t.wait.until = now.Add(t.opt.Idle)
	case protocol.ListWon:
		t.listDone(due, now)
	case protocol.NoSavedMatch:
		if ev.First { // it answers the request for the list
			t.listDone(due, now)
		}
	case protocol.ListRefused:
		t.listDone(due, now)
	case protocol.MatchSaved:
		t.interrupted(due, ev, now)
	case protocol.NoDoubleCrawford, protocol.NoDouble:
		// Whatever the flags said, a double is not possible: roll.
		t.progress()
		t.rollInstead(due, now)
	case protocol.PlayRefused, protocol.MoveRefused, protocol.Refused, protocol.OfferStands, protocol.NothingToAnswer:
		t.refusedCommand(due, ev, now)
	}
}

// rollInstead rolls after a refused double.
func (t *Table) rollInstead(due *Due, now time.Time) {
	t.moveOn()
	t.sent = true
	t.do(due, protocol.Roll{})
	t.expect(seeRoll, now)
	// The key of the state in which we rolled: its next board must not ask
	// the same question again.
	if s := t.sheet; s != nil {
		if g := s.Current(); g != nil {
			t.key = s.Key()
		}
	}
}

// refusedCommand handles a command of ours that did nothing: the server sees
// another state than we do, so look at the board before anything else.
func (t *Table) refusedCommand(due *Due, ev protocol.Event, now time.Time) {
	tries := t.wait.tries + 1
	if tries > maxTries {
		due.Reconnect = "the server refuses: " + ev.Text
		return
	}
	if ev.Kind == protocol.PlayRefused {
		// The same play again would be refused again: let the engine look anew.
		t.gen++
		t.asked, t.answer = false, nil
	}
	t.sent = false
	t.do(due, protocol.AskBoard{})
	t.wait = await{what: seeBoard, until: now.Add(t.opt.Patience), tries: tries}
}

// again repeats an answer that was lost.
func (t *Table) again(due *Due, now time.Time) {
	if t.answer != nil && t.sheet.Resigner() == sheet.Them {
		t.send(due, *t.answer, now)
		return
	}
	if t.sheet.Resigner() != sheet.Them {
		// The offer itself was lost; its size is not told again. Refusing is
		// the only answer that cannot give a gammon away.
		t.do(due, protocol.RefuseResign{})
		t.expect(seeRefusal, now)
	}
}

func (t *Table) sawBoard(due *Due, ev protocol.Event, now time.Time) {
	if !t.sheet.Concerns(ev.Board) {
		if ev.Keep && ev.Other == t.sheet.Opponent && !t.haveView {
			t.otherMatch(due, ev, now)
		}
		return
	}
	v := *ev.Board
	first := !t.haveView
	t.view, t.haveView = v, true
	if t.stage == mending {
		return
	}
	if t.wait.what != seePartner {
		t.progressKeepTries()
	}
	if v.Turn == sheet.Nobody && v.Doubler == sheet.Nobody {
		if t.stage != joining || first {
			t.joinNext(due, now)
		}
		return
	}
	t.stage = playing
	if v.Dice.Valid() {
		t.joins = 0 // a game has begun, though its opening was not told apart
	}
	if first && t.sheet.Current() != nil && t.opt.Mend && t.sheet.NeedsMending() {
		t.do(due, protocol.AskMoves{Name: t.sheet.Opponent})
	}
	t.consider(due, now)
}

// otherMatch handles a board of another length than the match we believed in: a
// resumed match is what the board says it is.
func (t *Table) otherMatch(due *Due, ev protocol.Event, now time.Time) {
	v := ev.Board
	if v == nil {
		t.askBoard(due, now)
		return
	}
	due.Notes = append(due.Notes, Note{Kind: NoteDiscard, Opponent: v.Opponent})
	t.sheet = nil
	t.opened(due, v.Opponent, v.Length, true, now)
	protocol.Enter(t.sheet, &ev, t.opt.Name)
	t.sawBoard(due, ev, now)
}

// progressKeepTries stops the timer but remembers the rounds of repair, so that
// boards that come and change nothing do not repair for ever.
func (t *Table) progressKeepTries() {
	tries := t.wait.tries
	t.wait = await{}
	if tries > 0 {
		t.wait.tries = tries
	}
}

// onPrompt handles "It's your turn. Please roll or double": a board may have
// come before it, or not.
func (t *Table) onPrompt(due *Due, now time.Time) {
	s := t.sheet
	_, known := s.Position()
	if t.haveView && known && s.Turn() == sheet.Us && !s.Dice().Valid() && s.Current() != nil {
		t.consider(due, now)
		return
	}
	t.askBoard(due, now)
}

// joinNext goes on to the next game, after asking for the list of moves of this
// one when something of it was missed: the next game erases the list.
func (t *Table) joinNext(due *Due, now time.Time) {
	if t.stage == mending {
		return
	}
	t.stage = joining
	if t.opt.Mend && t.sheet.NeedsMending() && t.listed != t.sheet.Begun() {
		// The client's queue may let a join overtake: wait for the list first.
		t.listed = t.sheet.Begun()
		t.do(due, protocol.AskMoves{Name: t.sheet.Opponent})
		t.expect(seeMoves, now)
		return
	}
	if t.listed == t.sheet.Begun() && t.wait.what == seeMoves && now.Before(t.wait.until) {
		return // asked again by the prompt while the list is on its way
	}
	if t.joins++; t.joins > maxTries {
		t.joinedInVain(due, now)
		return
	}
	t.do(due, protocol.Next{})
	t.expect(seeJoin, now)
}

// joinedInVain gives up to join a next game that does not begin, as on a server that
// brings a finished match back: the table is left, and where that has no effect
// either, the connection.
func (t *Table) joinedInVain(due *Due, now time.Time) {
	if t.joins > 2*maxTries {
		due.Reconnect = "no game begins, however often we join"
		return
	}
	if t.joins == maxTries+1 {
		due.Warn = "no game begins, however often we join " + t.sheet.Opponent + "; leaving the match"
	}
	t.do(due, protocol.Leave{})
	t.expect(seeLeave, now)
}

// matchEnded handles the last line of a match.
func (t *Table) matchEnded(due *Due, now time.Time) {
	t.moveOn()
	if t.opt.Mend && t.sheet.NeedsMending() {
		t.stage = mending
		t.do(due, protocol.AskMoves{Name: t.sheet.Opponent})
		t.expect(seeMoves, now)
		return
	}
	with, away := t.sheet.Opponent, t.away
	t.finish(due)
	t.enterLobby(due, now)
	if t.rules.Seat > 0 {
		t.part(with, away, now)
	}
}

// listDone handles the last line of a move list.
func (t *Table) listDone(due *Due, now time.Time) {
	switch t.stage {
	case mending:
		t.endMending(due, now)
	case joining:
		t.progress()
		t.joinNext(due, now)
	}
}

// endMending closes a match whose end had to be asked for.
func (t *Table) endMending(due *Due, now time.Time) {
	s := t.sheet
	t.stage = lobby
	if !t.savedList[s.Opponent] {
		s.Ended()
	}
	switch {
	case s.Over:
		t.finish(due)
	case t.savedList[s.Opponent]:
		t.setAside(due) // to be resumed
	default:
		due.Notes = append(due.Notes, Note{Kind: NoteDiscard, Opponent: s.Opponent})
		t.sheet, t.haveView = nil, false
	}
	t.enterLobby(due, now)
}

// interrupted handles every line that ends in "The game was saved."
func (t *Table) interrupted(due *Due, ev protocol.Event, now time.Time) {
	name := t.sheet.Opponent
	if !ev.IsYou() && ev.Name != "" && ev.Name != name && !strings.EqualFold(ev.Name, t.opt.Name) {
		return // somebody else's match
	}
	t.setAside(due)
	t.savedList[name] = true
	t.enterLobby(due, now)
}

// Leave ends the sitting; the server saves the match.
func (t *Table) Leave(now time.Time) Due {
	var due Due
	if t.sheet != nil {
		t.do(&due, protocol.Leave{})
		t.expect(seeLeave, now)
	}
	return due
}
