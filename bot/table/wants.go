package table

import (
	"slices"
	"strings"

	"fibsbot/bot/sheet"
	"fibsbot/fibs/clip"
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

// maxNote bounds a line of the journal; a board line has about 200 bytes.
const maxNote = 2000

// wants tells whether a line belongs in the journal of the match: whatever the
// sheet reads, and the players' own who lines for their ratings. Chat does not,
// for it is unbounded and says nothing about the match; nor does what the journal
// has already.
func (t *Table) wants(s *sheet.Sheet, ev clip.Event) bool {
	if len(ev.Raw) > maxNote {
		return false
	}
	h := t.heardOf(s)
	again := !s.ReadingList() // lines that come again may be left out; they end a list of moves, though
	switch ev.Kind {
	case clip.Blank, clip.Unknown, clip.ClipOther, clip.Says, clip.Shouts, clip.Whispers, clip.Kibitzes, clip.YouSay, clip.YouShout,
		clip.YouWhisper, clip.YouKibitz, clip.Alerts, clip.Heard, clip.LogsIn, clip.LogsOut, clip.PlayersEnd,
		clip.Mail, clip.MailDelivered, clip.MailSaved, clip.MotdBegin, clip.MotdLine, clip.MotdEnd, clip.WatchesYou, clip.Banner,
		clip.Invites, clip.InvitesResume, clip.InviteHint, clip.WarnsSaved, clip.IsAway:
		return false
	case clip.PlayerLine:
		return ev.Player != nil && h.newRating(*ev.Player, s, t.opt.Name, again)
	case clip.BoardLine:
		if ev.Board == nil || !ev.Board.Own() || again && ev.Raw == h.board {
			return false
		}
		h.board = ev.Raw
		return true
	}
	if ofTheGame(ev.Kind) {
		h.board = ""
		return true
	}
	if again && slices.Contains(h.minor[:], ev.Raw) {
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
func (h *heard) newRating(p clip.Player, s *sheet.Sheet, me string, again bool) bool {
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

// ofTheGame tells whether the match cannot be read again without lines of that
// kind.
func ofTheGame(k clip.Kind) bool {
	switch k {
	case clip.ResumeLength, clip.ResumePoints, clip.GameBegins, clip.OpeningRoll, clip.FirstMove, clip.Rolls, clip.Moves,
		clip.OnlyMove, clip.BearsOff, clip.CantMove, clip.Doubles, clip.Redoubles, clip.Takes, clip.OffersResign,
		clip.AlreadyDidThat, clip.ResignPending, clip.NothingToAnswer, clip.RejectsResign, clip.GameOver, clip.Score,
		clip.MatchOver, clip.BoardLine, clip.CrawfordNoDouble, clip.MoveRefused, clip.NotYourMove, clip.RollFirst,
		clip.OldScore, clip.OldPlayers, clip.OldMove, clip.OldDoubles, clip.OldAccepts, clip.OldRejects, clip.OldResigns,
		clip.OldWins, clip.OldOther:
		return true
	}
	return false
}

// minorCommand tells whether a command of ours says nothing about the match when it
// is read again: it asks, or is told again by the server.
func minorCommand(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case "move", "m", "accept", "reject", "double", "resign", "leave":
		return false
	}
	return true
}
