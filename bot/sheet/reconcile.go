package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Saw reconciles the sheet with one of the bot's own boards. The board is the truth: what it
// proves to be missing is filled in if exactly one play explains it; otherwise the game is
// torn.
func (s *Sheet) Saw(v Board) {
	if s.Over && !s.unsure || s.Late(v) {
		return // a late board of the finished match or game
	}
	s.ScoreTold(v.Score[Us], v.Score[Them])
	if s.Over {
		return
	}
	if v.PostCrawford && s.Length > 1 {
		s.crawfordIsOver()
	}
	if s.now.Position != board.Start && v.Position == board.Start && s.known {
		s.opensAnnounced()
	}
	s.announced = false
	if v.Turn == Nobody && v.Doubler == Nobody {
		return // between two games
	}
	g := s.Current()
	if g == nil {
		g = s.begin()
		g.Torn = v.Position != board.Start
		s.hole = g.Torn
		s.now.Position, s.now.Turn = v.Position, v.Turn
	}
	if s.beforeDouble(v) {
		return
	}
	s.reopenDance(g, v)
	if v.Doubler != Nobody && s.Length == 0 && s.now.Doubler == v.Doubler.Other() && v.Cube == 2*s.now.Cube {
		s.Redoubled(v.Doubler, 2*v.Cube) // the line about the beaver was lost
	}
	s.syncCube(g, v)
	if s.unsure {
		g.doubtful = g.doubtful || v.Position.Result() == 0 && bothMayDance(v.Position)
		s.pending = reply{} // if it had ended the game, this board would be of another one
		if s.now.Position == v.Position {
			s.sent = board.Play{} // our play did not arrive
		}
	}
	unsure := s.unsure
	away := unsure && s.Rules.PlaysOn
	s.unsure = false
	if v.Doubler == Nobody {
		if !away || !s.playedOn(v) {
			s.syncPosition(v)
		}
	} else if s.now.Position != v.Position || !s.known || s.now.Doubler == Nobody {
		s.syncPosition(Board{Position: v.Position, Turn: v.Doubler})
	}
	s.shown(g, v)
	s.gap = s.gap || unsure // dances may have followed what the board has explained
	s.now.Position, s.known = v.Position, true
	if v.Doubler != Nobody {
		s.DoubledBy(v.Doubler)
		return
	}
	if v.Dice.Valid() {
		s.rolled(v.Turn, v.Dice)
	}
	s.now.Turn = v.Turn
}

// Late reports whether v is a board of the game before that comes after its end: it has the
// score before the result and a position of that game. After an interruption it is not
// late: a server that has lost the result continues the game.
func (s *Sheet) Late(v Board) bool {
	n := len(s.Games) - 1
	if s.Current() != nil {
		if v.Position == s.now.Position {
			return false
		}
		n--
	}
	if n < 0 || s.unsure || s.Over || v.Score == s.Score {
		return false
	}
	g := &s.Games[n]
	return g.Finished() && (v.Score == g.Score || v.Score == g.began()) && g.showed(v)
}

// LateAfter reports whether v is a board of the last game of s, a match that has ended, seen in
// the next match, or before one has begun (nil). A score that the next match has too proves
// nothing.
func (s *Sheet) LateAfter(v Board, next *Sheet) bool {
	var score [2]int
	if next != nil {
		score = next.Score
	}
	g := s.Last()
	if g == nil || !g.Finished() || v.Opponent != s.Opponent || v.Length != s.Length || v.Score == score {
		return false
	}
	return (v.Score == s.Score || v.Score == g.Score || v.Score == g.began()) && g.showed(v)
}

// beforeDouble reports whether v is a late board from before the pending double. Without an
// interruption no server forgets a double.
func (s *Sheet) beforeDouble(v Board) bool {
	return s.now.Doubler != Nobody && s.now.Doubler == s.now.First && !s.unsure && s.known && v.Doubler == Nobody && v.Turn == s.now.Doubler &&
		!v.Dice.Valid() && v.Position == s.now.Position && v.Cube == s.now.Cube && v.Owner == s.now.Owner
}

// reopenDance takes back a dance that was concluded too early: the roll is still on the
// board. This happens on servers where the player ends such a turn himself.
func (s *Sheet) reopenDance(g *Game, v Board) {
	n := len(g.Acts)
	if !s.Rules.PlaysOn || n == 0 || !s.known || s.dice.Valid() || s.now.Doubler != Nobody || v.Position != s.now.Position || v.Turn != s.now.Turn.Other() {
		return
	}
	if a := &g.Acts[n-1]; a.Kind == ActPlayed && a.Play.N == 0 && a.Side == v.Turn && a.Dice.Sorted() == v.Dice.Sorted() {
		a.Kind, s.now.Turn, s.dice = ActRolled, v.Turn, v.Dice
	}
}

// forgotten takes back a double that the server no longer knows: it was neither taken nor
// passed, and may be offered again.
func (s *Sheet) forgotten() {
	g := s.Current()
	if s.now.Doubler != Nobody && g.lastIs(ActDoubled) {
		for i := len(g.Acts) - 1; i >= 0; i-- {
			if g.Acts[i].Kind == ActDoubled {
				g.Acts = append(g.Acts[:i:i], g.Acts[i+1:]...)
				g.dropSeen(ActDoubled)
				break
			}
		}
	}
	s.now.Doubler = Nobody
}

// crawfordIsOver records the server's statement that the Crawford game has been played.
func (s *Sheet) crawfordIsOver() {
	if s.Score[Us] != s.Length-1 && s.Score[Them] != s.Length-1 {
		return // some servers set the field from the start
	}
	s.crawfordOver = true
	if g := s.Current(); g != nil && len(s.Games) > 1 && s.SeenFromStart {
		return
	} else if g != nil {
		g.Crawford = false
	}
}

// CrawfordRefused records the server's statement that this is the Crawford game.
func (s *Sheet) CrawfordRefused() {
	if g := s.Current(); g != nil {
		g.Crawford = true
	}
	s.crawfordOver = false
	if g := s.Last(); g != nil && len(g.Acts) > 0 && g.Acts[len(g.Acts)-1].Kind == ActDoubled {
		g.Acts = g.Acts[:len(g.Acts)-1]
		g.dropSeen(ActDoubled)
	}
	s.now.Doubler = Nobody
}

// syncCube makes the cube agree with the board.
func (s *Sheet) syncCube(g *Game, v Board) {
	switch {
	case v.Cube == s.now.Cube:
	case s.now.Doubler != Nobody && v.Cube == 2*s.now.Cube && v.Owner == s.now.First.Other().Owner():
		s.Took(s.now.Doubler.Other(), v.Cube) // the line about the take was lost
	case s.pending.kind == ActDoubled && s.now.Turn == Us && v.Cube == 2*s.now.Cube && v.Owner == match.Theirs:
		s.DoubledBy(Us) // our double arrived and was taken, unseen
		s.Took(Them, v.Cube)
	case len(g.Acts) == 0 && v.Owner == match.Centred:
		g.Cube = v.Cube // automatic doubles before the first roll
	default:
		if s.now.Doubler != Nobody && v.Cube > 2*s.now.Cube {
			s.Took(s.now.Doubler.Other(), 0) // the cube was turned since
		}
		g.Torn, s.hole = true, true
	}
	s.now.Cube, s.now.Owner = v.Cube, v.Owner
	if v.Doubler == Nobody {
		s.forgotten() // a take concluded later would turn the cube again
	}
}

// syncPosition explains the difference between the sheet's position and v's.
func (s *Sheet) syncPosition(v Board) {
	if !s.known {
		return
	}
	if s.now.Position == v.Position {
		switch {
		case s.borneOff() != Nobody: // the game is over, whatever turn the board shows
		case !s.dice.Valid():
			if s.now.Turn != Nobody && v.Turn != s.now.Turn && s.hasActs() && !s.dancedUnseen() {
				s.tear() // a roll and its dance were lost, and several rolls explain it
			}
		case v.Turn == s.now.Turn.Other():
			if !s.hasPlay(s.now.Turn, s.dice) {
				s.danced(s.now.Turn)
			} else {
				s.tear()
			}
		case !v.Dice.Valid() && s.Rules.PlaysOn:
			s.tear() // both have danced, and their roll is not known
		case !v.Dice.Valid():
			// The server forgot the roll (saved and loaded without it).
			s.dropOpenRoll()
			s.Last().dropSeen(ActRolled)
			s.dice, s.sent = board.Dice{}, board.Play{}
		case v.Dice.Sorted() != s.dice.Sorted():
			s.tear()
		}
		return
	}
	if s.dice.Valid() {
		want := v.Position
		if s.now.Turn == Them {
			want = want.Swap()
		}
		if s.now.Turn == Us && s.sent.N > 0 && s.sent.Result == want {
			s.played(Us, s.sent)
			s.followUp(v)
			return
		}
		if p, ok := findPlay(s.view(s.now.Turn), s.dice, want); ok {
			s.played(s.now.Turn, p)
			s.followUp(v)
			return
		}
		// Both our play and the opponent's dance or roll may be missing.
	}
	if !s.inferred(v) {
		s.tear()
	}
}

// inferred fills in a turn of the opponent that was not seen, and our play before it if that
// was sent. It does so only if exactly one roll leads to the board and we cannot have
// danced in between, so that nothing else can have happened.
func (s *Sheet) inferred(v Board) bool {
	from, ours := s.now.Position, s.now.Turn == Us && s.dice.Valid() && s.sent.N > 0
	if ours {
		from = s.sent.Result
	}
	if v.Turn != Us || !ours && (s.now.Turn != Them || s.dice.Valid()) || !s.hasActs() || mayDance(from) || mayDance(v.Position) {
		return false
	}
	dice, play, rolls := rollThat(func(d board.Dice) (board.Play, bool) { return findPlay(from.Swap(), d, v.Position.Swap()) })
	if rolls != 1 {
		return false
	}
	if ours {
		s.played(Us, s.sent)
	}
	s.rolled(Them, dice)
	s.played(Them, play)
	return true
}

// dancedUnseen fills in an unseen turn that did not change the board. It does so only if
// exactly one roll dances and the other side cannot have danced as well, so that nothing
// else can have happened. It reports whether it did.
func (s *Sheet) dancedUnseen() bool {
	side := s.now.Turn
	if side == Nobody || s.now.Doubler != Nobody || s.Rules.PlaysOn || mayDance(s.view(side.Other())) {
		return false
	}
	dice, _, rolls := rollThat(func(d board.Dice) (board.Play, bool) { return board.Play{}, !canPlay(s.view(side), d) })
	if rolls != 1 {
		return false
	}
	s.rolled(side, dice)
	s.danced(side)
	return true
}

// playedOn explains v by an unseen turn of the opponent, after our unconfirmed play if there
// was one. It needs exactly one roll that leads to v, and reports whether there is one.
func (s *Sheet) playedOn(v Board) bool {
	if !s.known || v.Turn != Us || v.Dice.Valid() {
		return false
	}
	from, opening := s.now.Position, false
	switch {
	case s.now.Turn == Us && s.dice.Valid() && s.sent.N > 0:
		from = s.sent.Result
	case s.now.Turn == Us && s.dice.Valid() && !s.hasPlay(Us, s.dice), s.now.Turn == Them && !s.dice.Valid():
	case !s.hasActs() && s.now.Position == board.Start && !s.dice.Valid():
		opening = true
	default:
		return false
	}
	dice, play, rolls := rollThat(func(d board.Dice) (board.Play, bool) {
		switch {
		case opening && d.Double():
			return board.Play{}, false
		case from == v.Position:
			return board.Play{Result: from.Swap()}, !canPlay(from.Swap(), d)
		}
		return findPlay(from.Swap(), d, v.Position.Swap())
	})
	if rolls == 0 {
		return false
	}
	switch {
	case s.now.Turn != Us || opening:
	case s.sent.N > 0:
		s.played(Us, s.sent)
	default:
		s.danced(Us)
	}
	if rolls > 1 {
		return false // at least our part is known
	}
	s.rolled(Them, dice)
	s.played(Them, play)
	return true
}

// followUp handles a wrong turn after an explained play: a dance was lost in between.
func (s *Sheet) followUp(v Board) {
	if v.Turn != s.now.Turn && s.borneOff() == Nobody {
		s.tear() // otherwise the same side would seem to play twice
	}
}

func (s *Sheet) hasActs() bool {
	g := s.Current()
	return g != nil && len(g.Acts) > 0
}

// shown records a board after the hole in a game, so that what follows is legal from there.
// It repeats a roll or a double that came since the hole.
func (s *Sheet) shown(g *Game, v Board) {
	if !s.hole {
		return
	}
	s.hole, s.gap = false, true
	s.dropOpenRoll()
	s.dice, s.now.Doubler = board.Dice{}, Nobody
	if n := len(g.Acts); n > 0 && g.Acts[n-1].Kind == ActDoubled && v.Doubler == g.Acts[n-1].Side {
		g.Acts = g.Acts[:n-1]
		g.dropSeen(ActDoubled)
	}
	side := v.Turn
	if v.Doubler != Nobody {
		side = v.Doubler
	}
	s.now.Turn = side // otherwise the roll would seem out of turn and prove another hole
	if len(g.Acts) == 0 && v.Position == board.Start && v.Cube == 1 {
		return
	}
	at := v.Position
	g.Acts = append(g.Acts, Act{Kind: ActShown, Side: side, Shown: &at, Cube: v.Cube, Owner: v.Owner})
}
