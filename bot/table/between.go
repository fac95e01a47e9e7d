package table

import (
	"sort"
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

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
		t.doubts(due, ev, now)
	case protocol.WarnsSaved:
		t.warned(ev.Length)
	case protocol.InvitedResume:
		t.inviteOut(due, ev.Name, now)
	case protocol.NoSavedMatch:
		t.noSaved(due, ev.Name, now)
	case protocol.NoSuchPlayer, protocol.InviteFailed:
		// A tell to somebody who has gone is answered so as well.
		if t.sheet == nil && (ev.Name == "" || strings.EqualFold(ev.Name, t.nego.with)) {
			t.negoFailed(due, ev.Kind == protocol.NoSuchPlayer, now)
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
		t.back = nil
		if t.sheet == nil || t.stage == mending && t.sheet.Opponent != v.Opponent {
			if t.stage == lobby && t.answers.wild && t.rules.Seat == 0 {
				t.look(due, now) // a late answer is not a match
				return
			}
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
		} // else the list is still to come
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
			t.look(due, now) // the match goes on if that is not so
		}
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
		case !t.savedList[name] && due.Over == nil && (s.Over && !(t.opt.Mend && s.NeedsMending()) || t.endedUnseen(s, now)):
			// The journal must hold that the match is open before it holds its end.
			due.Notes = append(due.Notes, Note{Kind: NoteOpen, Opponent: name, Length: s.Length, Resumed: true}, t.noteOver(s))
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
