package table

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Side is one of the two players of a match, by the convention of the archive:
// the opponent is player 0, the bot player 1.
type Side int8

// The sides; Nobody is on turn between two games.
const (
	Nobody Side = -1
	Them   Side = 0
	Us     Side = 1
)

// Other returns the other player.
func (s Side) Other() Side {
	if s == Nobody {
		return Nobody
	}
	return 1 - s
}

// Owner says whose a cube on s's side of the board is, as Us sees it.
func (s Side) Owner() match.Owner {
	if s == Us {
		return match.Mine
	}
	return match.Theirs
}

// Sheet is the record a player keeps of one match: every roll, play, cube and
// result as the lines of the server tell it. It is pure book-keeping; it never
// asks for anything. The table and, after a crash, the archive fill it from the
// same lines, so both end with the same match.
type Sheet struct {
	Opponent string
	Length   int // 0 unlimited
	Games    []Game
	// Score is the score by Side, the finished games counted.
	Score [2]int
	// Over tells that the match has a winner.
	Over   bool
	Winner Side
	// CrawfordOver tells that the Crawford game is behind us.
	CrawfordOver bool
	// SeenFromStart tells that the sheet holds the match from its first game, or
	// from before anybody was one point away; without it the Crawford question
	// is answered by clues.
	SeenFromStart bool

	// State of the current game.
	pos      board.Position // Me is the bot
	turn     Side
	dice     board.Dice // rolled and not yet played
	cube     int
	owner    match.Owner // seen from the bot
	doubled  Side        // who has doubled and waits for the answer
	first    Side        // who doubled first, before any beaver; meaningful while doubled is
	resigned Side        // who has offered to resign and waits for the answer
	offer    int         // points offered
	opening  board.Dice  // the opening roll, until its winner is told
	sent     board.Play  // our play on its way; N 0 when none
	known    bool        // pos is known (a board or a start was seen)
	list     list        // move list being read
	unsure   bool        // interrupted: did our last command arrive?
	pending  string      // our last answer, double or offer, until its effect shows
	asked    bool        // the server was asked for the list of this game
	// abandoned tells that we have left the board by a command of our own.
	abandoned bool
	heard     heard
	// scoreMoved tells that the server's list of saved matches shows another
	// score: the running game ended unseen.
	scoreMoved bool
}

// NewSheet returns the empty sheet of a match. fromStart tells that it begins
// with the first game.
func NewSheet(opponent string, length int, fromStart bool) *Sheet {
	return &Sheet{Opponent: opponent, Length: length, SeenFromStart: fromStart,
		Winner: Nobody, turn: Nobody, doubled: Nobody, resigned: Nobody, cube: 1}
}

// current returns the game being played, or nil between games.
func (s *Sheet) current() *Game {
	if n := len(s.Games); n > 0 && !s.Games[n-1].Finished() {
		return &s.Games[n-1]
	}
	return nil
}

// last returns the last game, finished or not, or nil.
func (s *Sheet) last() *Game {
	if n := len(s.Games); n > 0 {
		return &s.Games[n-1]
	}
	return nil
}

// CrawfordGame tells whether a game at this score is the Crawford game. FIBS's
// board line does not say. With the match seen from its start it is certain;
// otherwise a trailer without points, or exactly the first game at one-away,
// decides, and an unknown case counts as over: the server refuses a double it
// does not allow, and then we know.
func (s *Sheet) CrawfordGame() bool {
	if s.Length <= 1 || s.CrawfordOver {
		return false
	}
	us, them := s.Length-s.Score[Us], s.Length-s.Score[Them]
	if (us == 1) == (them == 1) {
		return false
	}
	if s.SeenFromStart {
		return true
	}
	return min(s.Score[Us], s.Score[Them]) == 0
}

// begin opens a new game at the current score.
func (s *Sheet) begin() *Game {
	s.Games = append(s.Games, Game{Score: s.Score, Crawford: s.CrawfordGame(), Cube: 1, Winner: Nobody})
	s.pos, s.known = board.Start, true
	s.turn, s.dice, s.sent = Nobody, board.Dice{}, board.Play{}
	s.cube, s.owner = 1, match.Centred
	s.doubled, s.resigned, s.offer = Nobody, Nobody, 0
	s.asked, s.pending = false, ""
	return s.last()
}

// add appends an act to the running game, opening a torn one when the sheet has
// none.
func (s *Sheet) add(a Act) {
	g := s.current()
	if g == nil {
		g = s.begin()
		g.Torn = true
		s.known = false
	}
	g.Acts = append(g.Acts, a)
}

// rolled notes a roll by side.
func (s *Sheet) rolled(side Side, d board.Dice) {
	if !d.Valid() {
		return
	}
	s.settle(side)
	if s.turn == side && s.dice.Sorted() == d.Sorted() && s.dice.Valid() {
		return // told twice
	}
	if s.doubled != Nobody && side == s.first {
		s.took(s.doubled.Other(), 0) // the line about it was lost
	}
	s.doubled, s.pending = Nobody, ""
	s.turn, s.dice = side, d
	s.add(Act{Kind: ActRolled, Side: side, Dice: d})
}

// settle closes what must have happened before side may roll or double: our own
// play that the server accepted without a word, or a dance nobody mentioned.
func (s *Sheet) settle(side Side) {
	if !s.dice.Valid() || s.turn == side || s.turn == Nobody {
		return
	}
	if s.turn == Us && s.sent.N > 0 {
		s.played(Us, s.sent)
		return
	}
	if s.known && !s.hasPlay(s.turn, s.dice) {
		s.danced(s.turn)
		return
	}
	s.tear()
}

// tear marks the running game as having a hole and forgets the open roll.
func (s *Sheet) tear() {
	if g := s.current(); g != nil {
		g.Torn = true
		s.dropOpenRoll()
	}
	s.dice, s.sent = board.Dice{}, board.Play{}
	s.known = false
}

func (s *Sheet) dropOpenRoll() {
	if g := s.current(); g != nil {
		if i := g.openRoll(); i >= 0 {
			g.Acts = append(g.Acts[:i], g.Acts[i+1:]...)
		}
	}
}

// view returns the position with side as Me.
func (s *Sheet) view(side Side) board.Position {
	if side == Us {
		return s.pos
	}
	return s.pos.Swap()
}

func (s *Sheet) hasPlay(side Side, d board.Dice) bool {
	return canPlay(s.view(side), d)
}

// played notes a complete play by side. Its Result is from the mover's view.
func (s *Sheet) played(side Side, p board.Play) {
	g := s.current()
	if g == nil {
		return
	}
	if i := g.openRoll(); i >= 0 && g.Acts[i].Side == side {
		g.Acts[i].Kind, g.Acts[i].Play = ActPlayed, p
	} else {
		g.Torn = true // a play without a roll: the roll was lost
	}
	s.pos = p.Result
	if side == Them {
		s.pos = p.Result.Swap()
	}
	s.turn, s.dice, s.sent, s.pending = side.Other(), board.Dice{}, board.Play{}, ""
}

// danced notes that side had no legal play with the open roll.
func (s *Sheet) danced(side Side) {
	g := s.current()
	if g == nil || !s.dice.Valid() || s.turn != side {
		return
	}
	s.played(side, board.Play{Result: s.view(side)})
}

// movedText notes the steps of a play as the server printed them, in side's own
// numbering.
func (s *Sheet) movedText(side Side, steps []board.Step) {
	if s.turn == Them && side == Us || s.turn == Us && side == Them {
		s.settle(side)
	}
	g := s.current()
	if g == nil || !s.known {
		return
	}
	if !s.dice.Valid() || s.turn != side {
		// Told twice, or after the board had already said it.
		return
	}
	if len(steps) == 0 {
		s.danced(side)
		return
	}
	p, ok := applySteps(s.view(side), steps)
	if !ok || !s.legal(side, s.dice, p.Result) {
		s.tear()
		return
	}
	s.played(side, p)
}

// legal tells whether result is reachable by side with d.
func (s *Sheet) legal(side Side, d board.Dice, result board.Position) bool {
	_, ok := findPlay(s.view(side), d, result)
	return ok
}

// sentPlay notes that our play is on its way to the server.
func (s *Sheet) sentPlay(p board.Play) {
	if s.turn == Us && s.dice.Valid() {
		s.sent = p
	}
}

// playRefused notes that the server did not take our play.
func (s *Sheet) playRefused() { s.sent = board.Play{} }

// doubledBy notes a double.
func (s *Sheet) doubledBy(side Side) {
	if s.doubled == side {
		return
	}
	s.settle(side)
	s.doubled, s.first, s.turn = side, side, side
	s.add(Act{Kind: ActDoubled, Side: side})
}

// redoubled notes that side took a double and turned the cube at once: a beaver,
// or a raccoon after one. offered is the value now offered, 0 when not told. The
// turn stays with the one who doubled first.
func (s *Sheet) redoubled(side Side, offered int) {
	if s.doubled == side {
		return // told twice
	}
	if s.doubled == Nobody {
		s.doubledBy(side.Other()) // the double itself was missed
	}
	s.cube *= 2
	if offered > 1 {
		s.cube = offered / 2
	}
	s.doubled = side
	s.owner = s.first.Other().Owner()
	s.add(Act{Kind: ActDoubled, Side: side})
}

// took notes that side accepted the double; cube is the new value.
func (s *Sheet) took(side Side, cube int) {
	if s.doubled != side.Other() {
		return // told twice
	}
	// Who doubled first rolls, and the other keeps the cube, beavers or not.
	s.doubled, s.turn, s.pending = Nobody, s.first, ""
	s.add(Act{Kind: ActTook, Side: side})
	s.cube *= 2
	if cube > 0 {
		s.cube = cube
	}
	s.owner = s.first.Other().Owner()
}

// dropped notes that side gave up to a double.
func (s *Sheet) dropped(side Side, points int) {
	if s.current() == nil {
		return
	}
	if s.doubled != side.Other() {
		// The double itself was missed.
		s.doubledBy(side.Other())
	}
	s.add(Act{Kind: ActDropped, Side: side})
	s.win(side.Other(), points, false)
}

// offered notes an offer by side to resign for points.
func (s *Sheet) offered(side Side, points int) {
	if s.resigned == side && s.offer == points {
		return
	}
	s.settleSent()
	s.resigned, s.offer = side, points
	if points > 0 {
		s.add(Act{Kind: ActOffered, Side: side, Games: max(1, points/max(1, s.cube))})
	}
}

// settleSent records our play when something later shows that it was taken.
func (s *Sheet) settleSent() {
	if s.turn == Us && s.sent.N > 0 && s.dice.Valid() && s.sent.Result.Me.Count() == 0 {
		s.played(Us, s.sent)
	}
}

// refused notes that the offer to resign was refused.
func (s *Sheet) refused() {
	if s.resigned == Nobody {
		return
	}
	s.add(Act{Kind: ActRefused, Side: s.resigned.Other()})
	s.resigned, s.offer, s.pending = Nobody, 0, ""
}

// won notes the end of a game by bearing off, or by a resignation when resigned
// is set.
func (s *Sheet) won(side Side, points int, resigned bool) {
	if s.current() == nil {
		return
	}
	if side == Us && s.turn == Us && s.sent.N > 0 && !resigned {
		s.played(Us, s.sent)
	}
	s.win(side, points, resigned)
}

// win closes the running game.
func (s *Sheet) win(side Side, points int, resigned bool) {
	g := s.current()
	if g == nil {
		return
	}
	if n := len(g.Acts); !resigned && (n == 0 || g.Acts[n-1].Kind != ActDropped) {
		// Borne off: the sheet must show it, or it has a hole.
		if p := s.view(side); !s.known || p.Me.Count() != 0 {
			g.Torn = true
			s.dropOpenRoll()
		}
	}
	g.Winner, g.Points, g.Resigned = side, points, resigned
	s.Score = g.Score
	s.Score[side] += points
	if g.Crawford {
		s.CrawfordOver = true
	}
	if !g.Crawford && s.Length > 1 && (g.Score[Us] == s.Length-1 || g.Score[Them] == s.Length-1) {
		s.CrawfordOver = true
	}
	s.turn, s.dice, s.sent, s.pending = Nobody, board.Dice{}, board.Play{}, ""
	s.doubled, s.resigned, s.offer = Nobody, Nobody, 0
	if s.Length > 0 && s.Score[side] >= s.Length {
		s.Over, s.Winner = true, side
	}
}

// Interrupted notes that the sitting has ended: the connection is gone or the
// match was saved. A play of ours that was on its way may or may not have
// arrived, which the first board of the next sitting tells. An offer of the
// opponent to resign is remembered, for the server may still wait for the answer
// without saying so; one of ours is made again, which at worst is refused as a
// repetition.
func (s *Sheet) Interrupted() {
	s.list, s.asked, s.unsure, s.scoreMoved = list{}, false, true, false
	s.heard.board = "" // it will say more than before
	if s.resigned == Us {
		s.resigned, s.offer = Nobody, 0
	}
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

// Snapshot is what stands on the table at one moment, for displays.
type Snapshot struct {
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
}

// Snapshot returns the sheet's present state. The acts are shared with the sheet
// until its next line.
func (s *Sheet) Snapshot() Snapshot {
	sn := Snapshot{Length: max(0, s.Length), Game: len(s.Games), Score: s.Score,
		Position: s.pos, Turn: s.turn, Dice: s.dice, Cube: s.cube, Owner: s.owner}
	if g := s.last(); g != nil {
		sn.Crawford, sn.Acts = g.Crawford, g.Acts
	}
	return sn
}
