package sheet

import "fibsbot/engine/board"

// list is a server's list of the moves of a game that is being read.
type list struct {
	acts       []Act
	firstIsUs  bool
	open       bool // the last line was one of the list
	named      bool // the players are known
	winner     Side
	incomplete bool
}

// maxActs bounds the acts of a list, so that a hostile server cannot occupy the memory or the
// processor. The longest games have a few hundred.
const maxActs = 2000

// ListBegins records that the server's list of the moves of a game begins.
func (s *Sheet) ListBegins() { s.list = list{open: true, winner: Nobody} }

// ReadingList reports whether a list of moves has begun and not ended.
func (s *Sheet) ReadingList() bool { return s.list.open }

// ListPlayers records whose moves the list holds: ours reports whether it is a game
// of this match, firstIsUs whether the player listed first is Us.
func (s *Sheet) ListPlayers(ours, firstIsUs bool) {
	if l := &s.list; l.open {
		l.firstIsUs, l.named, l.incomplete = firstIsUs, true, !ours
	}
}

// Listed records one line of the list: ActPlayed, without steps for a dance or a roll not yet
// played; ActDoubled; ActTook, also for an accepted resignation; ActDropped, also for a refused
// one; ActOffered, without its size; or 0 for a line of another form, so that the list says less
// than it should. first reports whether it is about the player listed first; steps are in the
// mover's numbering.
func (s *Sheet) Listed(kind ActKind, first bool, dice board.Dice, steps []board.Step) {
	l := &s.list
	if !l.named || l.incomplete {
		return
	}
	l.open = true
	side := Them
	if first == l.firstIsUs {
		side = Us
	}
	n := len(l.acts)
	lastIs := func(k ActKind) bool { return n > 0 && l.acts[n-1].Kind == k }
	a := Act{Kind: kind, Side: side}
	switch {
	case kind == ActPlayed && len(steps) <= len(a.Play.Steps):
		a.Dice, a.Play.N = dice, uint8(copy(a.Play.Steps[:], steps))
	case kind == ActOffered:
		a.Games = 1
	case kind == ActTook && lastIs(ActOffered):
		return // the end of the list shows it
	case kind == ActDropped && lastIs(ActOffered):
		a.Kind = ActRefused
	case kind == ActDoubled, (kind == ActTook || kind == ActDropped) && lastIs(ActDoubled):
	default:
		l.incomplete = true
		return
	}
	l.acts = append(l.acts, a)
	l.incomplete = len(l.acts) > maxActs
}

// ListWon records the winner, the last line of the list of a finished game.
func (s *Sheet) ListWon(first bool) {
	if l := &s.list; l.named && !l.incomplete {
		l.winner = Them
		if first == l.firstIsUs {
			l.winner = Us
		}
	}
	s.ListEnds()
}
