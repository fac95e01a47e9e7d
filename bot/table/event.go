package table

import (
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Event enters one line of the server and returns what is due.
func (t *Table) Event(ev protocol.Event, now time.Time) Due {
	t.initialize()
	var due Due
	t.lobby.Event(&ev)
	if t.stage == offline {
		return due
	}
	t.heardAt = now
	t.old, t.number = t.answers.heard(&ev), ev.Match
	if t.doubtful(&due, &ev, now) {
		return due
	}
	if ev.Kind == protocol.BoardLine && ev.Board != nil && ev.Board.Mine && t.before != nil && t.before.LateAfter(*ev.Board, t.sheet) {
		return due // a board of the match before
	}
	t.between(&due, ev, now) // may open a match, whose first line is this one
	if s := t.sheet; s != nil {
		over := s.Over
		t.lastAt = now
		// The sheet sees the lines that the journal has, so that filing gives the same
		// match: any other line would end a list of moves here only.
		if t.wants(s, &ev) {
			due.Notes = append(due.Notes, Note{Kind: NoteLine, Opponent: s.Opponent, Raw: ev.Raw, Minor: !ofTheGame(ev.Kind)})
			protocol.Enter(s, &ev, t.opt.Name)
		}
		if over && !s.Over && t.stage == mending {
			t.stage = joining
			t.expect(seeJoinPrompt, now)
		}
		t.game(&due, ev, now)
		if t.sheet == s && s.Over && !over {
			t.matchEnded(&due, now)
		}
		t.keepWatch(now)
	}
	return due
}

// game reacts to a line about the match at the board, after the sheet has entered it.
func (t *Table) game(due *Due, ev protocol.Event, now time.Time) {
	t.listLine(due, ev, now)
	switch {
	case t.stage == mending && !endsMending(ev.Kind):
		return // the match is over, whatever a line says about a game
	case t.stage == joining && ofAGame(ev.Kind):
		t.look(due, now) // the game that was announced as over continues
	}
	t.noteAction(ev.Kind)
	switch ev.Kind {
	case protocol.BoardLine:
		t.sawBoard(due, ev, now)
	case protocol.BadBoard:
		t.badBoard(due, ev.Text, now)
	case protocol.GameBegins, protocol.OpeningRoll, protocol.FirstMove:
		t.opening(now)
	case protocol.MayRoll, protocol.Rolls, protocol.Moves, protocol.OnlyMove, protocol.CannotMove, protocol.BearsOff:
		t.turn(due, ev.Kind, now)
	case protocol.Doubles, protocol.Redoubles, protocol.Takes:
		t.cube(due, ev, now)
	case protocol.OffersResign, protocol.RefusesResign, protocol.AnswerResign:
		t.resignation(due, ev, now)
	case protocol.GameOver, protocol.Score, protocol.JoinNext, protocol.WaitJoin:
		t.gameEnded(due, ev.Kind, now)
	case protocol.ListWon, protocol.ListRefused, protocol.NoSavedMatch:
		t.list(due, ev, now)
	case protocol.MatchSaved:
		t.interrupted(due, ev, now)
	case protocol.AlreadyDone:
		t.alreadyDone(due, now)
	case protocol.NoDoubleCrawford, protocol.NoDouble:
		t.progress()
		t.rollInstead(due, now) // whatever the flags said, a double is not possible
	case protocol.PlayRefused, protocol.MoveRefused, protocol.Refused, protocol.OfferStands, protocol.NothingToAnswer:
		t.refusedCommand(due, ev, now)
	}
}

// noteAction resets the state that is valid only until the first act after a resume or in the
// next game.
func (t *Table) noteAction(k protocol.Kind) {
	switch k {
	case protocol.GameBegins, protocol.Rolls, protocol.Moves, protocol.OnlyMove, protocol.CannotMove, protocol.Doubles, protocol.Takes:
		t.resumed = false
	}
	switch k {
	case protocol.OpeningRoll, protocol.FirstMove, protocol.Rolls, protocol.Moves, protocol.Doubles:
		t.joins = 0
	}
}

// opening handles the lines with which a game begins.
func (t *Table) opening(now time.Time) {
	t.stage, t.resignAt = playing, -1
	t.expect(seeOpening, now)
}

// turn handles rolls and plays, and the prompt for ours.
func (t *Table) turn(due *Due, k protocol.Kind, now time.Time) {
	switch k {
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
		t.progress()
		t.askBoard(due, now) // the server sends no board by itself
	}
}

// cube handles doubles and takes.
func (t *Table) cube(due *Due, ev protocol.Event, now time.Time) {
	t.progress()
	switch {
	case ev.Kind != protocol.Takes && ev.IsYou():
		t.expect(seeOpponent, now)
		t.wait.until = now.Add(t.opt.Idle)
	case ev.Kind == protocol.Takes && !ev.IsYou():
		t.expect(seeBoard, now) // our roll follows by itself
		return
	}
	t.consider(due, now)
}

// resignation handles offers to resign and what follows from them.
func (t *Table) resignation(due *Due, ev protocol.Event, now time.Time) {
	switch ev.Kind {
	case protocol.OffersResign:
		t.progress()
		t.consider(due, now)
	case protocol.RefusesResign:
		if g := t.sheet.Current(); g != nil && !ev.IsYou() {
			t.moveOn() // an offer decided on before the refusal must not be sent
			t.resignAt = len(g.Acts)
		}
		t.progress()
		t.look(due, now) // no board follows, and the server may forget a roll that was due
	case protocol.AnswerResign:
		t.again(due, now)
	}
}

// gameEnded handles the lines between two games.
func (t *Table) gameEnded(due *Due, k protocol.Kind, now time.Time) {
	switch k {
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
		t.wait = await{what: seePartner, until: now.Add(t.opt.Idle)}
	}
}

// listLine waits for the next line of the list of a game that is saved, or ends the list at
// an empty line. Lines that come later still count.
func (t *Table) listLine(due *Due, ev protocol.Event, now time.Time) {
	switch ev.Kind {
	case protocol.ListBegins:
		t.foreign = false
	case protocol.ListPlayers:
		t.foreign = ev.Name != t.sheet.Opponent && ev.Other != t.sheet.Opponent
	}
	switch {
	case t.stage != mending || t.wait.what != seeMoves || t.sheet.Over || !t.savedList[t.sheet.Opponent]:
	case ev.Kind.Listed() && !t.foreign:
		t.listing, t.wait.until = true, now.Add(t.opt.Patience/listPause)
	case ev.Kind == protocol.Noise && ev.Raw == "" && t.listing:
		t.listEnds(due, now)
	}
}

// listEnds takes the list of moves as far as it has come.
func (t *Table) listEnds(due *Due, now time.Time) {
	t.listing = false
	t.sheet.ListEnds()
	t.listDone(due, now)
}

// list handles the last line of a list of moves.
func (t *Table) list(due *Due, ev protocol.Event, now time.Time) {
	switch ev.Kind {
	case protocol.ListWon:
		if !t.foreign {
			t.listDone(due, now)
		}
	case protocol.NoSavedMatch:
		// The answer to a request for a list, which may be late as a list may.
		if ev.First && (ev.Name == "" || strings.EqualFold(ev.Name, t.sheet.Opponent)) {
			t.listDone(due, now)
		}
	case protocol.ListRefused:
		t.listDone(due, now)
	}
}

// alreadyDone handles "You already did that".
func (t *Table) alreadyDone(due *Due, now time.Time) {
	t.progress()
	if t.stage == joining {
		// We have joined; a person may take a while to do so.
		t.wait = await{what: seePartner, until: now.Add(t.opt.Idle)}
		return
	}
	t.consider(due, now)
}

// endsMending reports whether an event of that kind matters while the table checks the end
// of a match.
func endsMending(k protocol.Kind) bool {
	switch k {
	case protocol.ListWon, protocol.NoSavedMatch, protocol.ListRefused, protocol.BoardLine, protocol.MatchSaved:
		return true
	}
	return false
}

// ofAGame reports whether an event of that kind happens only within a game, and may come
// without a board.
func ofAGame(k protocol.Kind) bool {
	switch k {
	case protocol.MayRoll, protocol.Moves, protocol.OnlyMove, protocol.CannotMove, protocol.Doubles, protocol.Redoubles, protocol.Takes,
		protocol.OffersResign, protocol.AnswerResign:
		return true
	}
	return false
}

// rollInstead rolls after the server refused a double.
func (t *Table) rollInstead(due *Due, now time.Time) {
	t.moveOn()
	t.sent = true
	t.do(due, protocol.Roll{})
	t.expect(seeRoll, now)
	// The key of the present state, so that its next board does not ask the same question
	// again.
	if s := t.sheet; s != nil {
		if g := s.Current(); g != nil {
			t.key = s.Key()
		}
	}
}

// refusedCommand handles the refusal of our command: the server's state differs from ours, so
// the table requests the board first.
func (t *Table) refusedCommand(due *Due, ev protocol.Event, now time.Time) {
	tries := t.wait.tries + 1
	if now.Sub(t.refusedAt) > t.opt.Patience {
		t.refused = 0
	}
	t.refused, t.refusedAt = t.refused+1, now
	if tries > maxTries || t.refused > 3*maxTries {
		due.Reconnect = "the server refuses: " + ev.Text
		return
	}
	if ev.Kind == protocol.PlayRefused {
		// The same play would be refused again: ask the engine again.
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
		// The offer itself was lost, and the server does not repeat its size. Only a
		// refusal cannot give a gammon away.
		t.do(due, protocol.RefuseResign{})
		t.expect(seeRefusal, now)
	}
}

// sawBoard handles a board of our own match.
func (t *Table) sawBoard(due *Due, ev protocol.Event, now time.Time) {
	if ev.Board == nil && ev.Keep && ev.Other == t.sheet.Opponent {
		t.badBoard(due, "not a legal position", now)
		return
	}
	if !t.sheet.Concerns(ev.Board) {
		if ev.Keep && ev.Other == t.sheet.Opponent && !t.haveView {
			t.otherMatch(due, ev, now)
		}
		return
	}
	if t.sheet.Late(*ev.Board) {
		return // a board of the game before
	}
	v := *ev.Board
	t.bad, t.badLost = 0, ""
	first := !t.haveView
	t.view, t.haveView = v, true
	if t.stage == mending {
		return
	}
	if t.old && !first && t.stage == playing && t.key == t.sheet.Key() {
		return // older than our last command, so it proves nothing about it
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
		t.joins = 0 // a game has begun, though no line announced it
	}
	if first && t.sheet.Current() != nil {
		t.mendResumed(due)
	}
	t.consider(due, now)
}

// otherMatch handles a board of another length than the resumed match should have: the
// board decides.
func (t *Table) otherMatch(due *Due, ev protocol.Event, now time.Time) {
	v := ev.Board
	due.Notes = append(due.Notes, Note{Kind: NoteDiscard, Opponent: v.Opponent})
	t.sheet = nil
	t.opened(due, v.Opponent, v.Length, true, now)
	protocol.Enter(t.sheet, &ev, t.opt.Name)
	t.sawBoard(due, ev, now)
}

// progressKeepTries stops the timer but keeps the number of repairs, so that boards without
// any change do not cause endless repairs.
func (t *Table) progressKeepTries() {
	tries := t.wait.tries
	t.wait = await{}
	if tries > 0 {
		t.wait.tries = tries
	}
}

// matchEnded handles the last line of a match.
func (t *Table) matchEnded(due *Due, now time.Time) {
	t.moveOn()
	t.off = t.rules.Seat > 0
	switch {
	case t.opt.Mend && t.sheet.NeedsMending():
		t.stage = mending
		t.do(due, protocol.AskMoves{Name: t.sheet.Opponent})
		t.expect(seeMoves, now)
	case !t.off:
		t.stage = mending
		t.expect(seeEnd, now)
	}
	if t.stage == mending {
		if !t.off {
			t.do(due, protocol.AskBoard{}) // the answer must be that no match is played
		}
		return
	}
	with, away := t.sheet.Opponent, t.away
	if len(t.sheet.Games) == 0 {
		t.discard(due) // only its end was seen
	} else {
		t.finish(due)
	}
	t.enterLobby(due, now)
	if t.rules.Seat > 0 {
		t.part(with, away, now)
	}
}

// listDone handles the last line of a move list.
func (t *Table) listDone(due *Due, now time.Time) {
	switch t.stage {
	case mending:
		if t.sheet.Over && !t.off {
			t.expect(seeEnd, now)
			return
		}
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
		t.discard(due)
	}
	t.enterLobby(due, now)
}

// interrupted handles every line that ends in "The game was saved."
func (t *Table) interrupted(due *Due, ev protocol.Event, now time.Time) {
	name := t.sheet.Opponent
	if !ev.IsYou() && ev.Name != "" && ev.Name != name && !strings.EqualFold(ev.Name, t.opt.Name) {
		return // another player's match
	}
	ours := (ev.IsYou() || ev.Name == "") && t.sheet.Left()
	t.setAside(due)
	t.savedList[name] = true
	t.enterLobby(due, now)
	if !ours {
		t.look(due, now) // if the line was false, the match continues
	}
}

// Leave leaves the running match, which the server saves.
func (t *Table) Leave(now time.Time) Due {
	var due Due
	if t.sheet != nil {
		t.do(&due, protocol.Leave{})
		t.expect(seeLeave, now)
	}
	return due
}
