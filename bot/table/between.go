package table

import (
	"sort"
	"strings"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// between handles lines outside a game: the login, invitations, matches that begin.
func (t *Table) between(ev protocol.Event) {
	switch ev.Kind {
	case protocol.SavedBegins:
		t.matches.told = true
	case protocol.SavedMatch:
		t.matches.told = true
		m := t.matches.at(ev.Name)
		m.listed, m.endless = true, ev.Length == 0
		if s := m.sheet; s != nil && t.stage == visiting {
			m.moved = ev.Score != [2]int{s.Score[sheet.Us], s.Score[sheet.Them]}
		}
	case protocol.Invites, protocol.InvitesResume:
		t.invited(ev.Name, ev.Length, ev.Kind == protocol.InvitesResume)
	case protocol.UserInfo, protocol.LogsOut:
		t.noteGone(ev)
	case protocol.WarnsSaved:
		t.warned(ev.Length)
	case protocol.InvitedResume:
		t.inviteOut(ev.Name)
	case protocol.NoSavedMatch:
		if !ev.First { // a server may have a match, but no list of its moves
			t.noSaved(ev.Name)
		}
	case protocol.NoSuchPlayer, protocol.InviteFailed:
		// A tell to a player who has gone gets the same answer.
		if t.sheet == nil && ev.Corrupt {
			t.cannotResume(t.invites.resuming)
		} else if t.sheet == nil && (ev.Name == "" || strings.EqualFold(ev.Name, t.nego.with)) {
			t.negoFailed(&ev)
		}
	case protocol.MatchBegins, protocol.MatchResumes:
		if t.goesOn() {
			t.recheck()
			return
		}
		t.opened(ev.Name, ev.Length, ev.Kind == protocol.MatchResumes)
	case protocol.MatchLength, protocol.MatchGoesOn:
		if t.stage == lobby {
			t.do(protocol.AskBoard{}) // a match is running that no line announced
		}
	case protocol.MatchOver:
		t.endedAway(ev)
	case protocol.NoMatch:
		t.notPlaying()
	case protocol.OpponentGone:
		t.opponentGone(ev.Name)
	case protocol.MayLeave:
		t.seat.released = t.sheet != nil && t.sheet.Opponent == ev.Name
	case protocol.OpponentBack:
		t.opponentBack(ev.Name)
	case protocol.BoardLine:
		v := ev.Board
		if v == nil || !v.Mine {
			return
		}
		t.invites.atBoard = nil
		if t.sheet == nil || t.stage == mending && t.sheet.Opponent != v.Opponent {
			if t.stage == lobby && t.answers.wild && t.rules.SeatKept == 0 {
				t.recheck() // a late answer does not prove a running match
				return
			}
			// The server has resumed the match after our login without announcing it.
			t.opened(v.Opponent, v.Length, true)
		}
	}
}

// notPlaying handles "You're not playing.", the answer to a request for the board after a
// login, after a match, or when the match is gone.
func (t *Table) notPlaying() {
	switch t.stage {
	case visiting:
		if !t.matches.told && len(t.matches.sheets()) > 0 && t.wait.tries <= maxTries {
			// Without the list every saved match would look finished.
			t.do(protocol.AskSaved{})
			t.wait.tries++
			t.command(protocol.AskBoard{}, seeSaved)
			return
		}
		t.checkSaved()
		t.enterLobby()
	case lobby:
		if !t.answers.wild {
			t.doubts.board = odd{}
		}
		if t.nego.step == negoParting {
			t.nego = negotiation{}
		}
	case mending:
		t.closed = true
		if t.sheet.Over && t.wait.what != seeMoves {
			t.endMending()
		} // otherwise the list is still to come
	case playing, joining:
		if t.rules.SeatKept > 0 {
			t.leftMatch()
			return
		}
		// The match ended or was saved without a line about it.
		t.matches.at(t.sheet.Opponent).listed = true // until the list says otherwise
		t.setAside()
		t.enterLobby()
		t.do(protocol.AskSaved{})
		if t.answers.wild {
			t.recheck() // if the line was false, the match continues
		}
	}
}

// checkSaved compares our sheets with the server's list of saved matches. A match that is
// not on the list ended in our absence. For a match with another score, or with a hole, the
// list of moves is needed before the match is resumed: the server may start the next game
// at once, which erases that list.
func (t *Table) checkSaved() {
	t.matches.unchecked = false
	for name, s := range t.matches.sheets() {
		m := t.matches.at(name)
		switch {
		case !m.listed && t.due.Over == nil && (s.Over && !(t.opt.Mend && s.NeedsMending()) || t.endedUnseen(s)):
			// The journal must hold the opening of the match before its end.
			t.note(Note{Kind: NoteOpen, Opponent: name, Length: s.Length, Resumed: true}, t.noteOver(s))
			t.due.Over = s
			m.sheet, m.heard = nil, heard{}
		case !m.listed && !t.opt.Mend:
			m.sheet = nil
			t.note(Note{Kind: NoteDiscard, Opponent: name})
		case !m.listed, t.opt.Mend && m.moved, t.mayList(s):
			t.matches.closing = append(t.matches.closing, name)
		}
	}
	sort.Strings(t.matches.closing)
}

// onPrompt handles "It's your turn. Please roll or double", which may come with or without
// a board before it.
func (t *Table) onPrompt() {
	s := t.sheet
	_, known := s.Position()
	if t.view != nil && known && s.Turn() == sheet.Us && !s.Dice().Valid() && s.Current() != nil {
		t.consider()
		return
	}
	t.askBoard()
}

// joinNext joins the next game. If something of this one was missed, it first asks for the
// list of moves, which the next game erases.
func (t *Table) joinNext() {
	if t.stage == mending {
		return
	}
	t.stage = joining
	if t.opt.Mend && t.sheet.NeedsMending() && t.moves.game != t.sheet.Begun() {
		// A join could overtake the request in the client's queue: wait for the list.
		t.moves.game = t.sheet.Begun()
		t.command(protocol.AskMoves{Name: t.sheet.Opponent}, seeMoves)
		return
	}
	if t.moves.game == t.sheet.Begun() && t.wait.what == seeMoves && t.now.Before(t.wait.until) {
		return // a second prompt while the list is on its way
	}
	if t.sheet.Length == 0 && t.nextGame() {
		return
	}
	if t.idle.joins++; t.idle.joins > maxTries {
		t.joinedInVain()
		return
	}
	t.command(protocol.Next{}, seeJoin)
}

// joinedInVain stops joining a next game that does not begin, as on a server that brings a
// finished match back. It leaves the match, and gives the connection up if that has no
// effect either.
func (t *Table) joinedInVain() {
	if t.idle.joins > 2*maxTries {
		t.due.Reconnect = "the next game does not begin"
		return
	}
	if t.idle.joins == maxTries+1 {
		t.due.Warn = "the next game with " + t.sheet.Opponent + " does not begin; leaving the match"
	}
	t.command(protocol.Leave{}, seeLeave)
}

// Unlimited matches never end by themselves. Each finished game is filed as a match of its
// own, and the bot leaves the match after the game that LastGame announces.

// lastGame is whether the running game of an unlimited match is the last one, and what the
// opponent is told after it.
type lastGame struct {
	on  bool
	say string
}

// LastGame sets whether the running game of an unlimited match is the last one. If it is,
// the bot leaves after it and tells the opponent say, unless say is empty.
func (t *Table) LastGame(last bool, say string) { t.lastGame = lastGame{last, say} }

// putAway files the finished games of an unlimited match and reports whether there were
// any to file.
func (t *Table) putAway() bool {
	s := t.sheet
	if s.Filed == len(s.Games) {
		return false
	}
	s.Filed = len(s.Games)
	t.note(Note{Kind: NoteOver, Opponent: s.Opponent})
	t.matches.at(s.Opponent).heard = heard{}
	return true
}

// allFiled reports whether an unlimited match was interrupted between two games, with no
// game that waits for its list of moves. The journal then holds nothing to resume. If our
// own line broke, a next game that we joined may be running, so this is not reported.
func (t *Table) allFiled() bool {
	s := t.sheet
	if s.Length != 0 || len(s.Games) == 0 || s.Current() != nil || t.opt.Mend && s.NeedsMending() {
		return false
	}
	if !t.putAway() {
		if t.stage == offline {
			return false
		}
		t.due.Notes = append(t.due.Notes, Note{Kind: NoteDiscard, Opponent: s.Opponent}) // that of the next game
	}
	return true
}

// nextGame files the game of an unlimited match that has ended and starts the journal of
// the next one. After the last game it leaves the match and returns true.
func (t *Table) nextGame() (left bool) {
	s := t.sheet
	if s.Current() != nil {
		return false
	}
	filed := t.putAway()
	if t.lastGame.on {
		if t.wait.what == seeLeave && t.now.Before(t.wait.until) {
			return true
		}
		if t.lastGame.say != "" {
			t.do(protocol.Tell{Name: s.Opponent, Text: t.lastGame.say})
		}
		t.command(protocol.Leave{}, seeLeave)
		return true
	}
	if filed {
		t.note(Note{Kind: NoteOpen, Opponent: s.Opponent, Resumed: true, Next: true, Score: s.Score, Ratings: t.ratings(s.Opponent)})
	}
	return false
}
