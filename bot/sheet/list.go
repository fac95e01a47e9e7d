package sheet

import "fibsbot/engine/board"

// list is a server's list of the moves of a game while it is being read.
type list struct {
	acts       []Act
	firstIsUs  bool
	open       bool // between the beginning and the end
	named      bool // the players are told
	winner     Side
	incomplete bool
}

// maxActs bounds what a hostile server can make of one game.
const maxActs = 20000

// ListBegins notes that the server's list of the moves of a game begins.
func (s *Sheet) ListBegins() { s.list = list{open: true, winner: Nobody} }

// ReadingList tells whether a list of moves has begun and not ended.
func (s *Sheet) ReadingList() bool { return s.list.open }

// ListPlayers notes whose moves the list holds: ours tells whether it is a game
// of this match, firstIsUs whether the player listed first is Us.
func (s *Sheet) ListPlayers(ours, firstIsUs bool) {
	if l := &s.list; l.open {
		l.firstIsUs, l.named, l.incomplete = firstIsUs, true, !ours
	}
}

// ListKind says what a line of a list of moves tells.
type ListKind uint8

// What can stand in a list of moves. A ListReject answers a double or an offer
// to resign, whichever came last.
const (
	ListMove   ListKind = iota + 1 // a roll and its play; no steps for a dance or a roll not yet played
	ListDouble                     // a double
	ListAccept                     // and taken
	ListReject                     // dropped, or a resignation refused
	ListResign                     // an offer to resign, of a size not told
)

// Listed notes one line of the list. first tells that it is the player's who is
// listed first; steps are in the mover's numbering.
func (s *Sheet) Listed(kind ListKind, first bool, dice board.Dice, steps []board.Step) {
	l := &s.list
	if !l.open || !l.named || l.incomplete {
		return
	}
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
		}
	case ListReject:
		if lastIs(ActDoubled) {
			l.acts = append(l.acts, Act{Kind: ActDropped, Side: side})
		} else if lastIs(ActOffered) {
			l.acts = append(l.acts, Act{Kind: ActRefused, Side: side})
		}
	case ListResign:
		l.acts = append(l.acts, Act{Kind: ActOffered, Side: side, Games: 1})
	}
	if len(l.acts) > maxActs {
		l.incomplete = true
	}
}

// ListWon notes the last line of the list of a finished game: who won it.
func (s *Sheet) ListWon(first bool) {
	if l := &s.list; l.open && l.named && !l.incomplete {
		l.winner = Them
		if first == l.firstIsUs {
			l.winner = Us
		}
	}
	s.ListEnds()
}
