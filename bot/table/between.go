package table

import (
	"sort"
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// between handles lines outside a game: the login, invitations, matches that begin.
func (t *Table) between(due *Due, ev protocol.Event, now time.Time) {
	switch ev.Kind {
	case protocol.SavedBegins:
		t.savedTold = true
	case protocol.SavedMatch:
		t.savedTold = true
		if len(t.savedList) < maxSheets {
			t.savedList[ev.Name] = true
			t.endless[ev.Name] = ev.Length == 0
		}
		if s := t.saved[ev.Name]; s != nil && t.stage == visiting {
			t.moved[ev.Name] = ev.Score != [2]int{s.Score[sheet.Us], s.Score[sheet.Them]}
		}
	case protocol.Invites:
		t.invited(due, ev.Name, ev.Length, false, now)
	case protocol.InvitesResume:
		t.invited(due, ev.Name, -1, true, now)
	case protocol.UserInfo, protocol.LogsOut:
		t.noteGone(due, ev, now)
	case protocol.WarnsSaved:
		t.warned(ev.Length)
	case protocol.InvitedResume:
		t.inviteOut(due, ev.Name, now)
	case protocol.NoSavedMatch:
		if !ev.First { // a server may have a match, but no list of its moves
			t.noSaved(due, ev.Name, now)
		}
	case protocol.NoSuchPlayer, protocol.InviteFailed:
		// A tell to a player who has gone gets the same answer.
		if t.sheet == nil && ev.Corrupt {
			t.cannotResume(due, t.resuming)
		} else if t.sheet == nil && (ev.Name == "" || strings.EqualFold(ev.Name, t.nego.with)) {
			t.negoFailed(due, &ev, now)
		}
	case protocol.MatchBegins:
		if t.goesOn() {
			t.look(due, now)
			return
		}
		t.opened(due, ev.Name, ev.Length, false, now)
	case protocol.MatchResumes:
		if t.goesOn() {
			t.look(due, now)
			return
		}
		t.opened(due, ev.Name, -1, true, now)
	case protocol.MatchLength, protocol.MatchGoesOn:
		if t.stage == lobby {
			t.do(due, protocol.AskBoard{}) // a match is running that no line announced
		}
	case protocol.MatchOver:
		t.endedAway(due, ev, now)
	case protocol.NoMatch:
		t.notPlaying(due, now)
	case protocol.OpponentGone:
		t.opponentGone(due, ev.Name, now)
	case protocol.MayLeave:
		t.released = t.sheet != nil && t.sheet.Opponent == ev.Name
	case protocol.OpponentBack:
		t.opponentBack(due, ev.Name, now)
	case protocol.BoardLine:
		v := ev.Board
		if v == nil || !v.Mine {
			return
		}
		t.back = nil
		if t.sheet == nil || t.stage == mending && t.sheet.Opponent != v.Opponent {
			if t.stage == lobby && t.answers.wild && t.rules.Seat == 0 {
				t.look(due, now) // a late answer does not prove a running match
				return
			}
			// The server has resumed the match after our login without announcing it.
			t.opened(due, v.Opponent, v.Length, true, now)
		}
	}
}

// notPlaying handles "You're not playing.", the answer to a request for the board after a
// login, after a match, or when the match is gone.
func (t *Table) notPlaying(due *Due, now time.Time) {
	switch t.stage {
	case visiting:
		if !t.savedTold && len(t.saved) > 0 && t.wait.tries <= maxTries {
			// Without the list every saved match would look finished.
			t.do(due, protocol.AskSaved{})
			t.do(due, protocol.AskBoard{})
			t.wait = await{what: seeSaved, until: now.Add(t.opt.Patience), tries: t.wait.tries + 1}
			return
		}
		t.checkSaved(due, now)
		t.enterLobby(due, now)
	case lobby:
		if !t.answers.wild {
			t.odd = odd{}
		}
		if t.nego.step == negoParting {
			t.nego = negotiation{}
		}
	case mending:
		t.off = true
		if t.sheet.Over && t.wait.what != seeMoves {
			t.endMending(due, now)
		} // otherwise the list is still to come
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
		if t.answers.wild {
			t.look(due, now) // if the line was false, the match continues
		}
	}
}

// checkSaved compares our sheets with the server's list of saved matches. A match that is
// not on the list ended in our absence. For a match with another score, or with a hole, the
// list of moves is needed before the match is resumed: the server may start the next game
// at once, which erases that list.
func (t *Table) checkSaved(due *Due, now time.Time) {
	t.unchecked = false
	for name, s := range t.saved {
		switch {
		case !t.savedList[name] && due.Over == nil && (s.Over && !(t.opt.Mend && s.NeedsMending()) || t.endedUnseen(s, now)):
			// The journal must hold the opening of the match before its end.
			due.Notes = append(due.Notes, Note{Kind: NoteOpen, Opponent: name, Length: s.Length, Resumed: true}, t.noteOver(s))
			due.Over = s
			delete(t.saved, name)
			delete(t.heard, name)
		case !t.savedList[name] && !t.opt.Mend:
			delete(t.saved, name)
			due.Notes = append(due.Notes, Note{Kind: NoteDiscard, Opponent: name})
		case !t.savedList[name], t.opt.Mend && t.moved[name], t.mayList(s):
			t.closing = append(t.closing, name)
		}
	}
	sort.Strings(t.closing)
}

// onPrompt handles "It's your turn. Please roll or double", which may come with or without
// a board before it.
func (t *Table) onPrompt(due *Due, now time.Time) {
	s := t.sheet
	_, known := s.Position()
	if t.haveView && known && s.Turn() == sheet.Us && !s.Dice().Valid() && s.Current() != nil {
		t.consider(due, now)
		return
	}
	t.askBoard(due, now)
}

// joinNext joins the next game. If something of this one was missed, it first asks for the
// list of moves, which the next game erases.
func (t *Table) joinNext(due *Due, now time.Time) {
	if t.stage == mending {
		return
	}
	t.stage = joining
	if t.opt.Mend && t.sheet.NeedsMending() && t.listed != t.sheet.Begun() {
		// A join could overtake the request in the client's queue: wait for the list.
		t.listed = t.sheet.Begun()
		t.do(due, protocol.AskMoves{Name: t.sheet.Opponent})
		t.expect(seeMoves, now)
		return
	}
	if t.listed == t.sheet.Begun() && t.wait.what == seeMoves && now.Before(t.wait.until) {
		return // a second prompt while the list is on its way
	}
	if t.sheet.Length == 0 && t.nextGame(due, now) {
		return
	}
	if t.joins++; t.joins > maxTries {
		t.joinedInVain(due, now)
		return
	}
	t.do(due, protocol.Next{})
	t.expect(seeJoin, now)
}

// joinedInVain stops joining a next game that does not begin, as on a server that brings a
// finished match back. It leaves the match, and gives the connection up if that has no
// effect either.
func (t *Table) joinedInVain(due *Due, now time.Time) {
	if t.joins > 2*maxTries {
		due.Reconnect = "the next game does not begin"
		return
	}
	if t.joins == maxTries+1 {
		due.Warn = "the next game with " + t.sheet.Opponent + " does not begin; leaving the match"
	}
	t.do(due, protocol.Leave{})
	t.expect(seeLeave, now)
}
