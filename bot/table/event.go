package table

import (
	"slices"
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Event enters one line of the server and returns what is due.
func (t *Table) Event(ev protocol.Event, now time.Time) Due {
	t.initialize()
	t.begin(now)
	t.lobby.Event(&ev)
	if t.stage == offline {
		return t.due
	}
	t.heardAt = now
	t.line.old, t.line.match = t.answers.heard(&ev), ev.Match
	if t.doubtful(&ev) {
		return t.due
	}
	if ev.Kind == protocol.BoardLine && ev.Board != nil && ev.Board.Mine && t.previous != nil && t.previous.LateAfter(*ev.Board, t.sheet) {
		return t.due // a board of the match before
	}
	t.between(ev) // may open a match, whose first line is this one
	if s := t.sheet; s != nil {
		over := s.Over
		t.lineAt = now
		// The sheet sees the lines that the journal has, so that filing gives the same
		// match: any other line would end a list of moves here only.
		if t.wants(s, &ev) {
			t.note(Note{Kind: NoteLine, Opponent: s.Opponent, Raw: ev.Raw, Minor: !ofTheGame(ev.Kind)})
			protocol.Enter(s, &ev, t.opt.Name)
		}
		if over && !s.Over && t.stage == mending {
			t.stage = joining
			t.expect(seeJoinPrompt)
		}
		t.game(ev)
		if t.sheet == s && s.Over && !over {
			t.matchEnded()
		}
		t.keepWatch()
	}
	return t.due
}

// game reacts to a line about the match at the board, after the sheet has entered it.
func (t *Table) game(ev protocol.Event) {
	t.listLine(ev)
	switch {
	case t.stage == mending && !endsMending(ev.Kind):
		return // the match is over, whatever a line says about a game
	case t.stage == joining && ofAGame(ev.Kind):
		t.recheck() // the game that was announced as over continues
	}
	t.noteAction(ev.Kind)
	switch ev.Kind {
	case protocol.BoardLine:
		t.sawBoard(ev)
	case protocol.BadBoard:
		t.badBoard(ev.Text)
	case protocol.GameBegins, protocol.OpeningRoll, protocol.FirstMove:
		t.opening()
	case protocol.MayRoll, protocol.Rolls, protocol.Moves, protocol.OnlyMove, protocol.CannotMove, protocol.BearsOff:
		t.turn(ev.Kind)
	case protocol.Doubles, protocol.Redoubles, protocol.Takes:
		t.cube(ev)
	case protocol.OffersResign, protocol.RefusesResign, protocol.AnswerResign:
		t.resignation(ev)
	case protocol.GameOver, protocol.Score, protocol.JoinNext, protocol.WaitJoin:
		t.gameEnded(ev.Kind)
	case protocol.ListWon, protocol.ListRefused, protocol.NoSavedMatch:
		t.list(ev)
	case protocol.MatchSaved:
		t.interrupted(ev)
	case protocol.AlreadyDone:
		t.alreadyDone()
	case protocol.NoDoubleCrawford, protocol.NoDouble:
		t.progress()
		t.rollInstead() // whatever the flags said, a double is not possible
	case protocol.PlayRefused, protocol.MoveRefused, protocol.Refused, protocol.OfferStands, protocol.NothingToAnswer:
		t.refusedCommand(ev)
	}
}

// noteAction resets the state that is valid only until the first act after a resume or in the
// next game.
func (t *Table) noteAction(k protocol.Kind) {
	switch k {
	case protocol.GameBegins, protocol.Rolls, protocol.Moves, protocol.OnlyMove, protocol.CannotMove, protocol.Doubles, protocol.Takes:
		t.idle.resumed = false
	}
	switch k {
	case protocol.OpeningRoll, protocol.FirstMove, protocol.Rolls, protocol.Moves, protocol.Doubles:
		t.idle.joins = 0
	}
}

// opening handles the lines with which a game begins.
func (t *Table) opening() {
	t.stage, t.decision.refusedAt = playing, -1
	t.expect(seeOpening)
}

// turn handles rolls and plays, and the prompt for ours.
func (t *Table) turn(k protocol.Kind) {
	switch k {
	case protocol.MayRoll:
		t.decision.prompted = true
		t.stage = playing
		t.onPrompt()
	case protocol.Rolls:
		t.stage = playing
		t.decision.rollAt, t.decision.prompted = time.Time{}, false
		t.progress()
		t.expect(seeBoard) // moreboards sends one after every roll
	case protocol.Moves, protocol.OnlyMove:
		t.progress()
		t.expect(seeBoard)
	case protocol.CannotMove, protocol.BearsOff:
		t.progress()
		t.askBoard() // the server sends no board by itself
	}
}

// cube handles doubles and takes.
func (t *Table) cube(ev protocol.Event) {
	t.progress()
	switch {
	case ev.Kind != protocol.Takes && ev.IsYou():
		t.expect(seeOpponent)
		t.wait.until = t.now.Add(t.opt.Idle)
	case ev.Kind == protocol.Takes && !ev.IsYou():
		t.expect(seeBoard) // our roll follows by itself
		return
	}
	t.consider()
}

// resignation handles offers to resign and what follows from them.
func (t *Table) resignation(ev protocol.Event) {
	switch ev.Kind {
	case protocol.OffersResign:
		t.progress()
		t.consider()
	case protocol.RefusesResign:
		if g := t.sheet.Current(); g != nil && !ev.IsYou() {
			t.moveOn() // an offer decided on before the refusal must not be sent
			t.decision.refusedAt = len(g.Acts)
		}
		t.progress()
		t.recheck() // no board follows, and the server may forget a roll that was due
	case protocol.AnswerResign:
		t.repeatAnswer()
	}
}

// gameEnded handles the lines between two games.
func (t *Table) gameEnded(k protocol.Kind) {
	switch k {
	case protocol.GameOver:
		t.moveOn()
		t.stage = joining
		t.expect(seeResult)
	case protocol.Score:
		t.progress()
		t.expect(seeJoinPrompt)
	case protocol.JoinNext:
		t.joinNext()
	case protocol.WaitJoin:
		t.stage = joining
		t.wait = await{what: seePartner, until: t.now.Add(t.opt.Idle)}
	}
}

// moveList is the server's list of the moves of a game, as far as the table asked for it.
type moveList struct {
	game    int  // the game (Sheet.Begun) whose list was asked for, -1 if none
	coming  bool // a line of it has come
	foreign bool // the list being received is that of another match
}

// listLine waits for the next line of the list of a game that is saved, or ends the list at
// an empty line. Lines that come later still count.
func (t *Table) listLine(ev protocol.Event) {
	switch ev.Kind {
	case protocol.ListBegins:
		t.moves.foreign = false
	case protocol.ListPlayers:
		t.moves.foreign = ev.Name != t.sheet.Opponent && ev.Other != t.sheet.Opponent
	}
	switch {
	case t.stage != mending || t.wait.what != seeMoves || t.sheet.Over || !t.matches.of(t.sheet.Opponent).listed:
	case ev.Kind.Listed() && !t.moves.foreign:
		t.moves.coming, t.wait.until = true, t.now.Add(t.opt.Patience/listPause)
	case ev.Kind == protocol.Noise && ev.Raw == "" && t.moves.coming:
		t.listEnds()
	}
}

// listEnds takes the list of moves as far as it has come.
func (t *Table) listEnds() {
	t.moves.coming = false
	t.sheet.ListEnds()
	t.listDone()
}

// list handles the last line of a list of moves.
func (t *Table) list(ev protocol.Event) {
	switch ev.Kind {
	case protocol.ListWon:
		if !t.moves.foreign {
			t.listDone()
		}
	case protocol.NoSavedMatch:
		// The answer to a request for a list, which may be late as a list may.
		if ev.First && (ev.Name == "" || strings.EqualFold(ev.Name, t.sheet.Opponent)) {
			t.listDone()
		}
	case protocol.ListRefused:
		t.listDone()
	}
}

// alreadyDone handles "You already did that".
func (t *Table) alreadyDone() {
	t.progress()
	if t.stage == joining {
		// We have joined; a person may take a while to do so.
		t.wait = await{what: seePartner, until: t.now.Add(t.opt.Idle)}
		return
	}
	t.consider()
}

// endsMending reports whether an event of that kind matters while the table checks the end
// of a match.
func endsMending(k protocol.Kind) bool {
	return slices.Contains([]protocol.Kind{protocol.ListWon, protocol.NoSavedMatch, protocol.ListRefused, protocol.BoardLine, protocol.MatchSaved}, k)
}

// ofAGame reports whether an event of that kind happens only within a game, and may come
// without a board.
func ofAGame(k protocol.Kind) bool {
	return slices.Contains([]protocol.Kind{protocol.MayRoll, protocol.Moves, protocol.OnlyMove, protocol.CannotMove, protocol.Doubles, protocol.Redoubles, protocol.Takes,
		protocol.OffersResign, protocol.AnswerResign}, k)
}

// rollInstead rolls after the server refused a double.
func (t *Table) rollInstead() {
	t.moveOn()
	t.decision.sent = true
	t.command(protocol.Roll{}, seeRoll)
	// The key of the present state, so that its next board does not ask the same question
	// again.
	t.decision.key = t.sheet.Key()
}

// refusedCommand handles the refusal of our command: the server's state differs from ours, so
// the table requests the board first.
func (t *Table) refusedCommand(ev protocol.Event) {
	t.wait.tries++
	if t.now.Sub(t.doubts.refusedAt) > t.opt.Patience {
		t.doubts.refusals = 0
	}
	t.doubts.refusals, t.doubts.refusedAt = t.doubts.refusals+1, t.now
	if t.wait.tries > maxTries || t.doubts.refusals > 3*maxTries {
		t.due.Reconnect = "the server refuses: " + ev.Text
		return
	}
	if ev.Kind == protocol.PlayRefused {
		// The same play would be refused again: ask the engine again.
		t.decision.enter(t.decision.key)
	}
	t.decision.sent = false
	t.command(protocol.AskBoard{}, seeBoard)
}

// repeatAnswer repeats an answer that was lost.
func (t *Table) repeatAnswer() {
	if t.decision.answer != nil && t.sheet.Resigner() == sheet.Them {
		t.send(*t.decision.answer)
		return
	}
	if t.sheet.Resigner() != sheet.Them {
		// The offer itself was lost, and the server does not repeat its size. Only a
		// refusal cannot give a gammon away.
		t.command(protocol.RefuseResign{}, seeRefusal)
	}
}

// sawBoard handles a board of our own match.
func (t *Table) sawBoard(ev protocol.Event) {
	if ev.Board == nil && ev.Keep && ev.Other == t.sheet.Opponent {
		t.badBoard("not a legal position")
		return
	}
	if !t.sheet.Concerns(ev.Board) {
		if ev.Keep && ev.Other == t.sheet.Opponent && t.view == nil {
			t.otherMatch(ev)
		}
		return
	}
	if t.sheet.Late(*ev.Board) {
		return // a board of the game before
	}
	v := *ev.Board
	t.doubts.impossible, t.doubts.gaveUp = 0, ""
	first := t.view == nil
	t.view = &v
	if t.stage == mending {
		return
	}
	if t.line.old && !first && t.stage == playing && t.decision.key == t.sheet.Key() {
		return // older than our last command, so it proves nothing about it
	}
	if t.wait.what != seePartner {
		// The number of repairs stays, so that boards without any change do not cause
		// endless repairs.
		t.wait = await{tries: t.wait.tries}
	}
	if v.Turn == sheet.Nobody && v.Doubler == sheet.Nobody {
		if t.stage != joining || first {
			t.joinNext()
		}
		return
	}
	t.stage = playing
	if v.Dice.Valid() {
		t.idle.joins = 0 // a game has begun, though no line announced it
	}
	if first && t.sheet.Current() != nil {
		t.mendResumed()
	}
	t.consider()
}

// otherMatch handles a board of another length than the resumed match should have: the
// board decides.
func (t *Table) otherMatch(ev protocol.Event) {
	v := ev.Board
	t.note(Note{Kind: NoteDiscard, Opponent: v.Opponent})
	t.sheet = nil
	t.opened(v.Opponent, v.Length, true)
	protocol.Enter(t.sheet, &ev, t.opt.Name)
	t.sawBoard(ev)
}

// matchEnded handles the last line of a match.
func (t *Table) matchEnded() {
	t.moveOn()
	t.closed = t.rules.SeatKept > 0
	switch {
	case t.opt.Mend && t.sheet.NeedsMending():
		t.stage = mending
		t.command(protocol.AskMoves{Name: t.sheet.Opponent}, seeMoves)
	case !t.closed:
		t.stage = mending
		t.expect(seeEnd)
	}
	if t.stage == mending {
		if !t.closed {
			t.do(protocol.AskBoard{}) // the answer must be that no match is played
		}
		return
	}
	with, away := t.sheet.Opponent, t.seat.away
	if len(t.sheet.Games) == 0 {
		t.discard() // only its end was seen
	} else {
		t.finish()
	}
	t.enterLobby()
	if t.rules.SeatKept > 0 {
		t.waitToLeave(with, away)
	}
}

// listDone handles the last line of a move list.
func (t *Table) listDone() {
	switch t.stage {
	case mending:
		if t.sheet.Over && !t.closed {
			t.expect(seeEnd)
			return
		}
		t.endMending()
	case joining:
		t.progress()
		t.joinNext()
	}
}

// endMending closes a match whose end had to be asked for.
func (t *Table) endMending() {
	s := t.sheet
	t.stage = lobby
	listed := t.matches.of(s.Opponent).listed
	if !listed {
		s.Ended()
	}
	switch {
	case s.Over:
		t.finish()
	case listed:
		t.setAside() // to be resumed
	default:
		t.discard()
	}
	t.enterLobby()
}

// interrupted handles every line that ends in "The game was saved."
func (t *Table) interrupted(ev protocol.Event) {
	name := t.sheet.Opponent
	if !ev.IsYou() && ev.Name != "" && ev.Name != name && !strings.EqualFold(ev.Name, t.opt.Name) {
		return // another player's match
	}
	ours := (ev.IsYou() || ev.Name == "") && t.sheet.Left()
	t.setAside()
	t.matches.at(name).listed = true
	t.enterLobby()
	if !ours {
		t.recheck() // if the line was false, the match continues
	}
}

// Leave leaves the running match, which the server saves.
func (t *Table) Leave(now time.Time) Due {
	t.begin(now)
	if t.sheet != nil {
		t.command(protocol.Leave{}, seeLeave)
	}
	return t.due
}
