package table

import (
	"errors"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/fibs/clip"
)

// View is a FIBS board line turned into the engine's terms: colours and
// directions of play are gone. Me is the player whose board it is: the bot on
// its own boards, the watched player on others.
type View struct {
	// Mine tells that the board is the bot's own match ("You").
	Mine     bool
	Player   string // as printed, "You" when Mine
	Opponent string
	Length   int    // 0 unlimited
	Score    [2]int // by Side, before the running game
	Position board.Position
	// Turn is who has to act. While a double is pending FIBS flips it or not,
	// depending on the server; Doubler tells the truth then.
	Turn Side
	// Dice is the roll of the player on turn, zero when nothing is rolled.
	Dice  board.Dice
	Cube  int
	Owner match.Owner // seen from Me; while a double is pending, as before it
	// Doubler is who has doubled and waits for the answer, or Nobody.
	Doubler Side
	// PostCrawford is field 51. Clones fill it, fibs.com leaves it 0: true is
	// news, false is nothing.
	PostCrawford bool
	// O and Down describe the sheet of paper, not the game: whether Me plays
	// the O checkers, and whether Me moves from 24 to 1. They are needed only
	// to write moves the way the server wants them.
	O, Down bool
}

// ErrView is wrapped by every error of ViewOf: the board contradicts itself and
// a new one must be asked for.
var ErrView = errors.New("impossible board")

// ViewOf turns a board line into the engine's terms. Clones leave the bars of the
// point fields empty, so the counts of their own fields are used.
func ViewOf(b clip.Board) (View, error) {
	v := View{
		Mine: b.Own(), Player: b.Player, Opponent: b.Opponent, Length: lengthOf(b.Length),
		Score: [2]int{Us: b.PlayerScore, Them: b.OpponentScore},
		Cube:  b.Cube, PostCrawford: b.AfterCrawford == 1, O: b.Colour > 0, Down: b.Direction < 0,
		Turn: Nobody, Doubler: Nobody,
	}
	for k := 1; k <= 24; k++ {
		n := int(b.Points[k]) * int(b.Colour)
		mine := k - 1 // own index of point k for somebody who moves down
		if !v.Down {
			mine = 24 - k
		}
		if n > 0 {
			v.Position.Me[mine] = uint8(n)
		} else if n < 0 {
			v.Position.Opp[23-mine] = uint8(-n)
		}
	}
	v.Position.Me[board.Bar] = b.PlayerBar
	v.Position.Opp[board.Bar] = b.OpponentBar
	if err := v.Position.Validate(); err != nil {
		return View{}, fmt.Errorf("%w: %w", ErrView, err)
	}
	switch b.PlayerTurn() {
	case 1:
		v.Turn, v.Dice = Us, diceOf(b.PlayerDice)
	case -1:
		v.Turn, v.Dice = Them, diceOf(b.OpponentDice)
	}
	switch {
	case b.PlayerMayDouble && !b.OpponentMayDouble:
		v.Owner = match.Mine
	case !b.PlayerMayDouble && b.OpponentMayDouble:
		v.Owner = match.Theirs
	}
	if b.DoublePending() && v.Turn != Nobody && !v.Dice.Valid() {
		// The turn field may or may not be flipped; only "was doubled" is sure.
		v.Doubler = Us
		if b.WasDoubled {
			v.Doubler = Them
		}
		v.Turn, v.Dice, v.Owner = v.Doubler, board.Dice{}, match.Centred
		if b.Cube > 1 {
			// Only the owner can have turned a cube that was turned before.
			v.Owner = match.Mine
			if v.Doubler == Them {
				v.Owner = match.Theirs
			}
		}
	}
	return v, nil
}

// Situation returns what stands on the table for the player to act, who becomes
// Me. crawford is the caller's knowledge: the board does not say. ok is false
// when nobody is to act.
func (v View) Situation(crawford bool) (s match.Situation, ok bool) {
	if v.Turn == Nobody {
		return s, false
	}
	s.Position = v.Position
	s.State = match.State{Length: v.Length, Cube: v.Cube, Owner: v.Owner, Crawford: crawford}
	if v.Length > 0 {
		s.State.Score = [2]int{v.Score[Us], v.Score[Them]}
	}
	s.Dice = v.Dice
	s.Doubled = v.Doubler != Nobody
	if v.Turn == Them {
		s.Position, s.State = s.Position.Swap(), s.State.Swap()
	}
	return s, true
}

// sawBoard reconciles the sheet with one of the bot's own boards. The board is
// the truth; what it proves to be missing is filled in where only one play can
// explain it, and marked as torn where not.
func (s *Sheet) sawBoard(v View) {
	if s.Over {
		return // a board of the finished match, asked for too late
	}
	s.scoreTold(v.Score[Us], v.Score[Them])
	if v.PostCrawford && s.Length > 1 {
		s.crawfordIsOver()
	}
	if v.Turn == Nobody && v.Doubler == Nobody {
		return // between two games
	}
	g := s.current()
	if g == nil {
		g = s.begin()
		g.Torn = v.Position != board.Start
		s.pos, s.turn = v.Position, v.Turn
	}
	if v.Doubler != Nobody && s.Length == 0 && s.doubled == v.Doubler.Other() && v.Cube == 2*s.cube {
		s.redoubled(v.Doubler, 2*v.Cube) // the line that told the beaver was lost
	}
	s.syncCube(g, v)
	if s.unsure {
		g.doubtful = g.doubtful || bothMayDance(v.Position)
		s.pending = "" // had it ended the game, this would be another one
		if s.pos == v.Position {
			s.sent = board.Play{} // it did not arrive
		}
	}
	s.unsure = false
	if v.Doubler == Nobody {
		s.syncPosition(v)
	} else if s.pos != v.Position || !s.known {
		s.syncPosition(View{Position: v.Position, Turn: v.Doubler})
	}
	s.pos, s.known = v.Position, true
	if v.Doubler != Nobody {
		s.doubledBy(v.Doubler)
		return
	}
	s.doubled = Nobody
	if v.Dice.Valid() {
		s.rolled(v.Turn, v.Dice)
	}
	s.turn = v.Turn
}

// crawfordIsOver takes the server's word that the Crawford game has been played.
func (s *Sheet) crawfordIsOver() {
	if s.Score[Us] != s.Length-1 && s.Score[Them] != s.Length-1 {
		return // some servers set the field from the start
	}
	s.CrawfordOver = true
	if g := s.current(); g != nil && len(s.Games) > 1 && s.SeenFromStart {
		return
	} else if g != nil {
		g.Crawford = false
	}
}

// crawfordRefused takes the server's word that this is the Crawford game.
func (s *Sheet) crawfordRefused() {
	if g := s.current(); g != nil {
		g.Crawford = true
	}
	s.CrawfordOver = false
	if g := s.last(); g != nil && len(g.Acts) > 0 && g.Acts[len(g.Acts)-1].Kind == ActDoubled {
		g.Acts = g.Acts[:len(g.Acts)-1]
	}
	s.doubled = Nobody
}

// syncCube brings the cube in line with the board.
func (s *Sheet) syncCube(g *Game, v View) {
	switch {
	case v.Cube == s.cube:
	case s.doubled != Nobody && v.Cube == 2*s.cube:
		s.took(s.doubled.Other(), v.Cube) // the acceptance was lost
	case len(g.Acts) == 0 && v.Owner == match.Centred:
		g.Cube = v.Cube // automatic doubles before the first roll
	default:
		g.Torn = true
	}
	s.cube, s.owner = v.Cube, v.Owner
}

// syncPosition explains the difference between the sheet's position and v's.
func (s *Sheet) syncPosition(v View) {
	if !s.known {
		return
	}
	if s.pos == v.Position {
		switch {
		case !s.dice.Valid():
			if s.turn != Nobody && v.Turn != s.turn && s.hasActs() {
				s.tear() // a roll and its dance were both lost
			}
		case v.Turn == s.turn.Other():
			if !s.hasPlay(s.turn, s.dice) {
				s.danced(s.turn)
			} else {
				s.tear()
			}
		case !v.Dice.Valid():
			// The server forgot the roll (saved and loaded without it).
			s.dropOpenRoll()
			s.dice, s.sent = board.Dice{}, board.Play{}
		case v.Dice.Sorted() != s.dice.Sorted():
			s.tear()
		}
		return
	}
	if s.dice.Valid() {
		want := v.Position
		if s.turn == Them {
			want = want.Swap()
		}
		if s.turn == Us && s.sent.N > 0 && s.sent.Result == want {
			s.played(Us, s.sent)
			s.followUp(v)
			return
		}
		if p, ok := findPlay(s.view(s.turn), s.dice, want); ok {
			s.played(s.turn, p)
			s.followUp(v)
			return
		}
		// Our play and the opponent's dance or roll may both lie between.
	}
	s.tear()
}

// followUp notices that after an explained play the turn is not where it should
// be: another player's dance was lost in between.
func (s *Sheet) followUp(v View) {
	if v.Turn != s.turn {
		if g := s.current(); g != nil {
			g.Torn = true
		}
	}
}

func (s *Sheet) hasActs() bool {
	g := s.current()
	return g != nil && len(g.Acts) > 0
}

// State returns the match state seen from the bot.
func (s *Sheet) State() match.State {
	st := match.State{Length: s.Length, Cube: max(1, s.cube), Owner: s.owner}
	if s.Length > 0 {
		st.Score = [2]int{s.Score[Us], s.Score[Them]}
	}
	if g := s.current(); g != nil {
		st.Crawford = g.Crawford
	} else {
		st.Crawford = s.CrawfordGame()
	}
	return st
}

// Position returns the position with the bot as Me, and whether it is known.
func (s *Sheet) Position() (board.Position, bool) { return s.pos, s.known }

// Mend replaces the acts of the last game by a full list of the server (the
// answer to oldmoves), when the list is a legal game from its start that ends
// where the sheet stands. It reports whether it did.
func (s *Sheet) Mend(acts []Act) bool {
	g := s.last()
	if g == nil || len(acts) == 0 {
		return false
	}
	pos, open, ok := replay(acts)
	if !ok {
		return false
	}
	if g.Finished() {
		last := acts[len(acts)-1]
		off := pos.Me.Count() == 0 && g.Winner == Us || pos.Opp.Count() == 0 && g.Winner == Them
		if !off && !g.Resigned && last.Kind != ActDropped {
			return false
		}
	} else {
		if pos != s.pos && s.known {
			return false
		}
		s.pos, s.known = pos, true
		if s.dice.Valid() && !open.Valid() {
			acts = append(acts[:len(acts):len(acts)], Act{Kind: ActRolled, Side: s.turn, Dice: s.dice})
		}
	}
	g.Acts, g.Torn, g.doubtful = acts, false, false
	return true
}

// onlyOffers tells whether acts are nothing but offers to resign and refusals.
func onlyOffers(acts []Act) bool {
	for _, a := range acts {
		if a.Kind != ActOffered && a.Kind != ActRefused {
			return false
		}
	}
	return true
}

// replay follows acts from the starting position and returns where they lead,
// with the bot as Me, the roll left open, and whether every play was legal.
func replay(acts []Act) (pos board.Position, open board.Dice, ok bool) {
	pos = board.Start
	for i := range acts {
		a := &acts[i]
		if a.Kind != ActOffered && a.Kind != ActRefused {
			open = board.Dice{}
		}
		switch a.Kind {
		case ActRolled:
			open = a.Dice
		case ActPlayed:
			view := pos
			if a.Side == Them {
				view = pos.Swap()
			}
			if a.Play.N == 0 {
				if canPlay(view, a.Dice) {
					if !onlyOffers(acts[i+1:]) {
						return pos, open, false
					}
					// The last roll of a running game, not played yet.
					a.Kind, open = ActRolled, a.Dice
					continue
				}
				a.Play.Result = view
				continue
			}
			p, good := applySteps(view, a.Play.Steps[:a.Play.N])
			if !good {
				return pos, open, false
			}
			if _, good = findPlay(view, a.Dice, p.Result); !good {
				return pos, open, false
			}
			a.Play = p
			pos = p.Result
			if a.Side == Them {
				pos = pos.Swap()
			}
		}
	}
	return pos, open, true
}

// Snapshot is what stands on the table at one moment, for displays.
type Snapshot struct {
	Opponent string
	Length   int // 0 unlimited
	Game     int // from 1; 0 before the first
	Score    [2]int
	Crawford bool
	Position board.Position // Me is the bot
	Turn     Side
	Dice     board.Dice
	Cube     int
	Owner    match.Owner
	Acts     []Act // of the running or last game; not to be changed
	Winner   Side  // of the match
	Over     bool
}

// Snapshot returns the sheet's present state. The acts are shared with the sheet
// until its next line.
func (s *Sheet) Snapshot() Snapshot {
	sn := Snapshot{Opponent: s.Opponent, Length: max(0, s.Length), Game: len(s.Games), Score: s.Score,
		Position: s.pos, Turn: s.turn, Dice: s.dice, Cube: s.cube, Owner: s.owner, Winner: s.Winner, Over: s.Over}
	if g := s.last(); g != nil {
		sn.Crawford, sn.Acts = g.Crawford, g.Acts
	}
	return sn
}
