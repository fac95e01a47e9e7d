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

// ListKind is the kind of a line in a list of moves.
type ListKind uint8

// The kinds of lines. A ListReject answers the last double or offer to resign.
const (
	ListMove   ListKind = iota + 1 // a roll and its play, without steps for a dance or a roll not yet played
	ListDouble                     // a double
	ListAccept                     // a take
	ListReject                     // a pass, or a refused resignation
	ListResign                     // an offer to resign, without its size
	ListOther                      // a line of another form: the list says less than it should
)

// Listed records one line of the list. first reports whether it is about the player listed
// first; steps are in the mover's numbering.
func (s *Sheet) Listed(kind ListKind, first bool, dice board.Dice, steps []board.Step) {
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
	switch kind {
	case ListMove:
		a := Act{Kind: ActPlayed, Side: side, Dice: dice}
		if len(steps) > len(a.Play.Steps) {
			l.incomplete = true
			return
		}
		a.Play.N = uint8(copy(a.Play.Steps[:], steps))
		l.acts = append(l.acts, a)
	case ListDouble:
		l.acts = append(l.acts, Act{Kind: ActDoubled, Side: side})
	case ListAccept:
		if lastIs(ActDoubled) {
			l.acts = append(l.acts, Act{Kind: ActTook, Side: side})
		} else {
			l.incomplete = !lastIs(ActOffered)
		}
	case ListReject:
		if lastIs(ActDoubled) {
			l.acts = append(l.acts, Act{Kind: ActDropped, Side: side})
		} else if lastIs(ActOffered) {
			l.acts = append(l.acts, Act{Kind: ActRefused, Side: side})
		} else {
			l.incomplete = true
		}
	case ListResign:
		l.acts = append(l.acts, Act{Kind: ActOffered, Side: side, Games: 1})
	case ListOther:
		l.incomplete = true
	}
	if len(l.acts) > maxActs {
		l.incomplete = true
	}
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
