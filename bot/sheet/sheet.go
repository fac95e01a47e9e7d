package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Sheet is the record of one match: every roll, play, cube action and result, from the
// lines of the server. It only records and never asks for anything. The table and, after a
// crash, the archive fill it from the same lines, so both get the same match.
type Sheet struct {
	// Opponent is the name of Them.
	Opponent string
	Length   int // 0 unlimited
	// Number is the server's number of the match, 0 if unknown (see protocol.Event).
	Number int
	// Rules are those of the server; set them before the first event.
	Rules Rules
	Games []Game
	// Filed is the number of games of an unlimited match that have files of their own.
	Filed int
	// Score is the score by Side after the finished games.
	Score [2]int
	// Over reports whether the match has a winner.
	Over   bool
	Winner Side
	// crawfordOver reports whether the Crawford game has been played.
	crawfordOver bool
	// SeenFromStart reports whether the sheet holds the match from its first game, or from
	// before a side was one point away. Without it clues decide whether a game is the
	// Crawford game.
	SeenFromStart bool

	// State of the current game.
	now       Standing
	dice      board.Dice // rolled and not yet played
	resigned  Side       // who has offered to resign and waits for the answer
	offer     int        // points offered
	opening   board.Dice // the opening roll, until its winner is known
	sent      board.Play // our play, sent but not confirmed; N is 0 without one
	known     bool       // the position is known (a board or a start was seen)
	hole      bool       // the acts do not lead to the present state: record the next board
	gap       bool       // acts may be missing since the last one seen
	list      list       // move list being read
	untrue    bool       // a list was no legal game: the next ones may lack lines anywhere
	unsure    bool       // interrupted: did our last command arrive?
	announced bool       // a new game was announced while one is running, without proof so far
	unscored  bool       // an opening roll has begun the running game, without a score since
	pending   reply      // our last answer, double or offer, until its effect shows
	begun     int        // games begun, including abandoned ones
	step      int        // counts events, as the acts would without mending
	left      bool       // we have left the board by a command of our own
	said      []said     // what players said, in order
	undone    *Sheet     // the sheet before the last end that was taken back, or nil
	ends      []Sheet    // the sheet before each of the last changes of the score, oldest first
}

// New returns the empty sheet of a match. fromStart reports whether it begins with the first
// game.
func New(opponent string, length int, fromStart bool) *Sheet {
	s := &Sheet{Opponent: opponent, Length: length, SeenFromStart: fromStart, Winner: Nobody, now: start(1), resigned: Nobody}
	s.now.Position = board.Position{} // not known yet
	return s
}

// Current returns the game being played, or nil between games.
func (s *Sheet) Current() *Game {
	if n := len(s.Games); n > 0 && !s.Games[n-1].Finished() {
		return &s.Games[n-1]
	}
	return nil
}

// Last returns the last game, finished or not, or nil.
func (s *Sheet) Last() *Game {
	if n := len(s.Games); n > 0 {
		return &s.Games[n-1]
	}
	return nil
}

// CrawfordGame reports whether a game at this score is the Crawford game, which FIBS's board
// line does not show. It is certain if the match was seen from its start. Otherwise a
// trailer without points, or exactly the first game at one-away, decides. In an unknown case
// the Crawford game counts as over: the server refuses a double that it does not allow.
func (s *Sheet) CrawfordGame() bool {
	if s.crawfordOver || !match.AtCrawford(s.Length, s.Score) {
		return false
	}
	return s.SeenFromStart || min(s.Score[Us], s.Score[Them]) == 0
}

// begin opens a new game at the current score.
func (s *Sheet) begin() *Game {
	s.announced, s.unscored = false, false
	s.Games = append(s.Games, Game{Score: s.Score, Crawford: s.CrawfordGame(), Cube: 1, Winner: Nobody})
	s.now, s.known, s.hole = start(1), true, false
	s.dice, s.sent, s.pending = board.Dice{}, board.Play{}, reply{}
	s.resigned, s.offer = Nobody, 0
	s.gap, s.list = false, list{}
	s.begun++
	return s.Last()
}

// add appends an act to the running game. Without a running game it opens a torn one.
func (s *Sheet) add(a Act) {
	g := s.Current()
	if g == nil {
		g = s.begin()
		g.Torn = true
		s.known, s.hole = false, true
	} else {
		s.now.act(&a)
	}
	a.Loose = !s.known
	g.Acts = append(g.Acts, a)
	if a.Kind == ActDoubled || a.Kind == ActTook || a.Kind == ActDropped {
		s.noteSeen(a)
	}
	s.step++
}

// Interrupted records that the connection is gone or the match was saved. The first board
// after the resume shows whether our unconfirmed play has arrived. An opponent's offer to
// resign is kept, because the server may still wait for the answer. Our own offer is dropped
// and made again; at worst the server refuses it as a repetition.
func (s *Sheet) Interrupted() {
	s.ListEnds()
	s.list, s.unsure, s.gap = list{}, true, true
	if s.resigned == Us {
		s.resigned, s.offer = Nobody, 0
	}
}

// State returns the match state seen from the bot.
func (s *Sheet) State() match.State {
	st := match.State{Length: s.Length, Cube: max(1, s.now.Cube), Owner: s.now.Owner}
	if s.Length > 0 {
		st.Score = [2]int{s.Score[Us], s.Score[Them]}
	}
	if g := s.Current(); g != nil {
		st.Crawford = g.InCrawford()
	} else {
		st.Crawford = s.CrawfordGame()
	}
	return st
}

// Position returns the position with the bot as Me, and whether it is known.
func (s *Sheet) Position() (board.Position, bool) { return s.now.Position, s.known }

// Snapshot is the state of a match at one moment, for displays.
type Snapshot struct {
	Standing
	Game     int // from 1; 0 before the first
	Score    [2]int
	Crawford bool
	State    match.State // seen from the bot
	Known    bool        // whether the position is
	Dice     board.Dice
	Resigner Side // who waits for the answer to an offer of Offer points
	Offer    int
	Acts     []Act // of the running or last game; must not be changed
}

// Snapshot returns the sheet's present state. It shares the acts with the sheet until the
// next event.
func (s *Sheet) Snapshot() Snapshot {
	sn := Snapshot{Standing: s.now, Game: len(s.Games), Score: s.Score, State: s.State(), Known: s.known, Dice: s.dice,
		Resigner: s.resigned, Offer: s.offer}
	sn.State.Length = max(0, s.Length)
	if g := s.Last(); g != nil {
		sn.Crawford, sn.Acts = g.InCrawford(), g.Acts
	}
	return sn
}

// Turn returns who has to roll or play, as far as known.
func (s *Sheet) Turn() Side { return s.now.Turn }

// Dice returns the roll that waits to be played, or zero.
func (s *Sheet) Dice() board.Dice { return s.dice }

// Cube returns the value of the cube.
func (s *Sheet) Cube() int { return s.now.Cube }

// Doubler returns the side whose double is unanswered, or Nobody.
func (s *Sheet) Doubler() Side { return s.now.Doubler }

// Resigner returns the side whose offer to resign is unanswered, or Nobody.
func (s *Sheet) Resigner() Side { return s.resigned }

// Offer returns how many points the Resigner offers, 0 if unknown.
func (s *Sheet) Offer() int { return s.offer }

// CanPlay reports whether the player on turn has a legal play with the present roll.
func (s *Sheet) CanPlay() bool { return s.hasPlay(s.now.Turn, s.dice) }

// Left reports whether the bot has left the match by a command of its own.
func (s *Sheet) Left() bool { return s.left }

// Begun returns the number of games that were begun, including abandoned ones.
func (s *Sheet) Begun() int { return s.begun }

// Key identifies the state of a match. Servers repeat lines: two states with the same key
// ask the player the same question. Mending earlier acts does not change the key.
type Key struct {
	game     int
	step     int
	position board.Position
	turn     Side
	dice     board.Dice
	cube     int
	doubler  Side
	offer    int
}

// Key returns the key of the running game's state, or the zero Key between two games.
func (s *Sheet) Key() Key {
	g := s.Current()
	if g == nil {
		return Key{}
	}
	return Key{game: len(s.Games), step: s.step, position: s.now.Position, turn: s.now.Turn, dice: s.dice,
		cube: s.now.Cube, doubler: s.now.Doubler, offer: s.offer}
}
