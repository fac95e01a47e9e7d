package table

import (
	"slices"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// heard is what the table remembers of the lines of a match, so that what is told
// again and again is written down once. An opponent decides how often he goes away
// and comes back.
type heard struct {
	board string     // the last board, while nothing has come after it
	minor [8]string  // the last lines that are not of the game
	next  int        // place in minor
	rated [2]float64 // by Side
}

// wants tells whether a line belongs in the journal of the match: whatever the
// sheet reads, and the players' own who lines for their ratings. Chat does not,
// for it is unbounded and says nothing about the match; nor does what the journal
// has already.
func (t *Table) wants(s *sheet.Sheet, ev *protocol.Event) bool {
	if !ev.Keep || t.stage == mending && ev.Kind == protocol.MatchOver {
		// While the moves of a match are asked for nobody plays it: an end that is told now
		// is another's, that of a match whose last lines a broken line kept back.
		return false
	}
	h := t.heardOf(s)
	again := !s.ReadingList() // lines that come again may be left out; they end a list of moves, though
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

// heardOf is what was heard of the match on a sheet.
func (t *Table) heardOf(s *sheet.Sheet) *heard {
	h := t.heard[s.Opponent]
	if h == nil {
		if len(t.heard) > maxSheets {
			clear(t.heard)
		}
		h = &heard{}
		t.heard[s.Opponent] = h
	}
	return h
}

// newRating tells whether a who line is about one of the players and shows another
// rating than the last one, where that counts.
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

// ofTheGame tells whether the match cannot be read again without events of that
// kind.
func ofTheGame(k protocol.Kind) bool {
	switch k {
	case protocol.MatchLength, protocol.PointsHeld, protocol.GameBegins, protocol.OpeningRoll, protocol.FirstMove, protocol.Rolls,
		protocol.Moves, protocol.OnlyMove, protocol.BearsOff, protocol.CannotMove, protocol.Doubles, protocol.Redoubles, protocol.Takes,
		protocol.OffersResign, protocol.AlreadyDone, protocol.OfferStands, protocol.NothingToAnswer, protocol.RefusesResign,
		protocol.GameOver, protocol.Score, protocol.MatchOver, protocol.BoardLine, protocol.NoDoubleCrawford, protocol.PlayRefused,
		protocol.MoveRefused, protocol.ListBegins, protocol.ListPlayers, protocol.ListMove, protocol.ListDouble, protocol.ListAccept,
		protocol.ListReject, protocol.ListResign, protocol.ListWon, protocol.ListOther:
		return true
	}
	return false
}

// minorCommand tells whether a command of ours says nothing about the match when it
// is read again: it asks, or is told again by the server.
func minorCommand(c protocol.Command) bool {
	switch c.(type) {
	case protocol.Move, protocol.Double, protocol.Take, protocol.Drop, protocol.AcceptResign, protocol.RefuseResign,
		protocol.Resign, protocol.Leave:
		return false
	}
	return true
}
