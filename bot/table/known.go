package table

import (
	"maps"
	"slices"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// maxSheets bounds the remembered sheets of saved matches. FIBS does not let a player have
// nearly as many.
const maxSheets = 500

// knownMatch is what the table knows about the match with one opponent.
type knownMatch struct {
	sheet   *sheet.Sheet // of the interrupted match, or nil
	listed  bool         // saved according to the server
	endless bool         // it is unlimited
	void    bool         // it cannot be played on
	moved   bool         // saved at another score than on our sheet: a game ended unseen
	broke   *bool        // whether the opponent was away when our line broke, nil if unknown
	heard   heard        // the lines that its journal has
}

// saved reports whether the match is saved: an unlimited one only with a game that has begun.
func (m *knownMatch) saved() bool { return m.sheet != nil || m.listed && !m.endless }

// knownMatches are the matches that the table knows.
type knownMatches struct {
	with map[string]*knownMatch // by opponent
	told bool                   // the server's list of saved matches has come
	// unchecked means that the sheets were not yet compared with that list on this connection.
	unchecked bool
	closing   []string // sheets whose match the server no longer has
}

// of returns what is known about the match with name: nothing is a zero match, whose changes
// are not kept.
func (k *knownMatches) of(name string) *knownMatch {
	if m := k.with[name]; m != nil {
		return m
	}
	return &knownMatch{}
}

// at is of for changes that are kept.
func (k *knownMatches) at(name string) *knownMatch {
	m := k.of(name)
	if k.with[name] == nil {
		if len(k.with) > 2*maxSheets {
			maps.DeleteFunc(k.with, func(_ string, m *knownMatch) bool { return m.sheet == nil })
		}
		k.with[name] = m
	}
	return m
}

// sheets returns the sheets of interrupted matches by opponent.
func (k *knownMatches) sheets() map[string]*sheet.Sheet {
	list := map[string]*sheet.Sheet{}
	for name, m := range k.with {
		if m.sheet != nil {
			list[name] = m.sheet
		}
	}
	return list
}

// save remembers the sheet of an interrupted match.
func (k *knownMatches) save(s *sheet.Sheet) {
	if k.of(s.Opponent).sheet != nil || len(k.sheets()) < maxSheets {
		k.at(s.Opponent).sheet = s
	}
}

// heard remembers lines of a match, so that repeated lines are written to the journal only
// once: an opponent can leave and return as often as he likes.
type heard struct {
	board string     // the last board, if no line of the game came after it
	minor [8]string  // the last lines that are not of the game
	next  int        // next index in minor
	rated [2]float64 // by Side
	state sheet.Key  // in which the list of moves was last asked for after a resume
	lists int        // how often, in that state
}

// mostLists bounds the requests for the list of moves in one state of a game: an opponent can
// leave and return as often as he likes, and the journal has every line of the answers.
const mostLists = 3

// mayList reports whether the list of a game with a hole may be asked for in its present state,
// and counts the request.
func (t *Table) mayList(s *sheet.Sheet) bool {
	if !t.opt.Mend || !s.NeedsMending() {
		return false
	}
	h := &t.matches.at(s.Opponent).heard
	if key := s.Key(); h.state != key {
		h.state, h.lists = key, 0
	}
	h.lists++
	return h.lists <= mostLists
}

// mendResumed asks for the list of moves of a resumed game with a hole.
func (t *Table) mendResumed() {
	if t.mayList(t.sheet) {
		t.do(protocol.AskMoves{Name: t.sheet.Opponent})
	}
}

// wants reports whether a line belongs in the journal of the match: all that the sheet
// reads, and the players' own who lines for their ratings. Chat does not, as it is unbounded
// and says nothing about the match; nor do lines that the journal already has.
func (t *Table) wants(s *sheet.Sheet, ev *protocol.Event) bool {
	if !ev.Keep || t.stage == mending && ev.Kind == protocol.MatchOver {
		// No game runs while the list of moves is awaited: such an end belongs to another
		// match, whose last lines were delayed by a broken connection.
		return false
	}
	h := &t.matches.at(s.Opponent).heard
	again := !s.ReadingList() // repeated lines may be left out, except in a list of moves, which they end
	switch {
	case ev.Kind == protocol.UserInfo:
		return ev.User != nil && h.newRating(ev.User, s, t.opt.Name, again)
	case ev.Kind == protocol.BoardLine:
		if again && ev.Raw == h.board {
			return false
		}
		h.board = ev.Raw
		return true
	case ofTheGame(ev.Kind):
		h.board = ""
		return true
	case again && slices.Contains(h.minor[:], ev.Raw):
		return false
	}
	h.minor[h.next] = ev.Raw
	h.next = (h.next + 1) % len(h.minor)
	return true
}

// newRating reports whether a who line is about one of the players and, if again is set,
// shows another rating than the last one.
func (h *heard) newRating(p *protocol.User, s *sheet.Sheet, me string, again bool) bool {
	side := sheet.Them
	switch p.Name {
	case me:
		side = sheet.Us
	case s.Opponent:
	default:
		return false
	}
	if again && h.rated[side] == p.Rating {
		return false
	}
	h.rated[side] = p.Rating
	return true
}

// ofTheGame reports whether the match cannot be rebuilt without events of that kind.
func ofTheGame(k protocol.Kind) bool {
	return slices.Contains([]protocol.Kind{protocol.MatchLength, protocol.PointsHeld, protocol.GameBegins, protocol.OpeningRoll, protocol.FirstMove, protocol.Rolls,
		protocol.Moves, protocol.OnlyMove, protocol.BearsOff, protocol.CannotMove, protocol.Doubles, protocol.Redoubles, protocol.Takes,
		protocol.OffersResign, protocol.AlreadyDone, protocol.OfferStands, protocol.NothingToAnswer, protocol.RefusesResign,
		protocol.GameOver, protocol.Score, protocol.MatchOver, protocol.BoardLine, protocol.NoDoubleCrawford, protocol.PlayRefused,
		protocol.MoveRefused, protocol.ListBegins, protocol.ListPlayers, protocol.ListMove, protocol.ListDouble, protocol.ListAccept,
		protocol.ListReject, protocol.ListResign, protocol.ListWon, protocol.ListOther}, k)
}

// minorCommand reports whether the match can be rebuilt without our command c: it is a
// question, or the server repeats it.
func minorCommand(c protocol.Command) bool {
	switch c.(type) {
	case protocol.Move, protocol.Double, protocol.Take, protocol.Drop, protocol.AcceptResign, protocol.RefuseResign,
		protocol.Resign, protocol.Leave:
		return false
	}
	return true
}
