package match

import (
	"fmt"

	"fibsbot/engine/board"
)

// Owner says who may turn the cube next, seen from the player on roll.
type Owner int8

// The three places the cube can be in.
const (
	Centred Owner = iota // either player may turn it
	Mine                 // the player on roll
	Theirs               // the opponent
)

// State is everything besides the checkers that a decision depends on, seen
// from the player on roll. The zero value is a money game before any double: package
// engine, rollouts and package luck read a Cube of 0 as 1 (see Normal). Packages below them
// and Validate need the value written out.
type State struct {
	// Length is the match length in points; 0 is money play.
	Length int
	// Score holds the points of the player on roll and of the opponent before
	// this game. Unused in money play.
	Score [2]int
	// Cube is the cube's value, a power of two; Owner who holds it.
	Cube  int
	Owner Owner
	// Crawford marks the Crawford game: the cube may not be turned. A match with a player
	// 1-away and Crawford false is post-Crawford.
	Crawford bool
	// Jacoby and Beavers apply to money play only. Beavers is how many instant
	// redoubles are allowed (0 none, 1 beaver, 2 raccoon, 3 and so on).
	Jacoby  bool
	Beavers int
	// Drops says what giving up costs; the zero value is backgammon's own rule.
	Drops DropRule
}

// Money returns the state of a money game before any double.
func Money(jacoby bool, beavers int) State {
	return State{Cube: 1, Jacoby: jacoby, Beavers: beavers}
}

// Normal returns the state with a Cube of 0, an unturned cube, written as 1.
func (s State) Normal() State {
	if s.Cube == 0 {
		s.Cube = 1
	}
	return s
}

// Swap returns the state as the other player sees it.
func (s State) Swap() State {
	s.Score[0], s.Score[1] = s.Score[1], s.Score[0]
	switch s.Owner {
	case Mine:
		s.Owner = Theirs
	case Theirs:
		s.Owner = Mine
	}
	return s
}

// Away returns how many points the player on roll and the opponent need.
func (s State) Away() (me, opp int) { return s.Length - s.Score[0], s.Length - s.Score[1] }

// AtCrawford reports whether exactly one player is 1-away: the first game that begins at such a
// score is the Crawford game, where the rule is in force.
func AtCrawford(length int, score [2]int) bool {
	return length > 1 && (length-score[0] == 1) != (length-score[1] == 1)
}

// DropRule says what giving up a game costs, as a multiple of the cube: passing a double, and
// resigning on servers that do not let players choose how much.
type DropRule uint8

const (
	// DropSingle is backgammon's rule: a refused double costs the cube as it stood.
	DropSingle DropRule = iota
	// DropByPosition is that of bgammon.org servers, as measured there: giving up costs
	// a backgammon with a checker on the bar or in the winner's home board, else a
	// gammon with none borne off, else a single game. The same
	// price ends a game on the board, also if the loser has borne off before a backgammon.
	DropByPosition
)

// Name is what flags and JSON call the rule.
func (r DropRule) Name() string {
	if r == DropByPosition {
		return "position"
	}
	return "single"
}

// Won returns what p's Me has won by bearing off the last checker, in times of the cube.
func (r DropRule) Won(p *board.Position) int { return max(p.Result(), r.Level(&p.Opp)) }

// Level returns what giving up costs the player with the checkers loser: 1 to 3 times the
// cube.
func (r DropRule) Level(loser *board.Checkers) int {
	if r != DropByPosition {
		return 1
	}
	n := 0
	for i, v := range loser {
		if v > 0 && i >= 18 {
			return 3
		}
		n += int(v)
	}
	if n >= board.MaxCheckers {
		return 2
	}
	return 1
}

// DefaultBeavers is how many instant redoubles are allowed where a text form
// only says that beavers are in use.
const DefaultBeavers = 3

// MaxCube bounds the cube: no real game comes near it, and it keeps points
// within what a Match ID can hold.
const MaxCube = 1 << 15

// Finished reports whether the match is won. Money play never ends.
func (s State) Finished() bool {
	return s.Length > 0 && (s.Score[0] >= s.Length || s.Score[1] >= s.Length)
}

// PostCrawford reports whether the Crawford game is over: a player is 1-away and this is not
// the Crawford game.
func (s State) PostCrawford() bool {
	me, opp := s.Away()
	return s.Length > 0 && !s.Crawford && (me == 1 || opp == 1) && !s.Finished()
}

// MayDouble reports whether the rules let the player on roll turn the cube before
// rolling: not in the Crawford game, not with the cube on the other side, not
// beyond MaxCube. A dead cube may still be turned; that is for the cube theory
// to advise against.
func (s State) MayDouble() bool {
	return !s.Crawford && s.Owner != Theirs && s.Cube < MaxCube && !s.Finished()
}

// DeadCube reports whether turning the cube cannot gain anything because the
// points at the present cube already win the match for the player on roll.
func (s State) DeadCube() bool {
	me, _ := s.Away()
	return s.Length > 0 && me <= s.Cube
}

// Doubled returns the state, still from the doubler's view, after a double of
// the player on roll was taken.
func (s State) Doubled() State {
	s.Cube *= 2
	s.Owner = Theirs
	return s
}

// Points returns what a result is worth: level is board.Position.Result, 1 to 3
// for a won single game, gammon, backgammon, negative when lost. The cube is
// included; with the Jacoby rule gammons count only after a double.
func (s State) Points(level int) int {
	if s.Length == 0 && s.Jacoby && s.Owner == Centred {
		level = max(-1, min(1, level))
	}
	return level * s.Cube
}

// Passed returns what the player on roll at p scores if he doubles and the double is refused.
func (s State) Passed(p *board.Position) int { return s.Drops.Level(&p.Opp) * s.Cube }

// NextGame returns the state at the start of the next game, from the same
// player's view, after that player won points (with the cube; negative when
// lost). crawfordRule says whether the match is played with the Crawford rule.
// A score stops at the length; then Finished is true.
func (s State) NextGame(points int, crawfordRule bool) State {
	me, opp := s.Away()
	first := me != 1 && opp != 1
	next := s
	if points > 0 {
		next.Score[0] += points
	} else {
		next.Score[1] -= points
	}
	if s.Length > 0 {
		next.Score[0], next.Score[1] = min(next.Score[0], s.Length), min(next.Score[1], s.Length)
	}
	next.Cube, next.Owner = 1, Centred
	next.Crawford = crawfordRule && first && !next.Finished() && AtCrawford(next.Length, next.Score)
	return next
}

// problem returns what makes the state impossible, or nothing. A centred cube above 1 is
// allowed for money, because of automatic doubles.
func (s State) problem() string {
	me, opp := s.Away()
	switch {
	case s.Cube < 1 || s.Cube > MaxCube || s.Cube&(s.Cube-1) != 0:
		return "the cube is not a power of two"
	case s.Owner < Centred || s.Owner > Theirs:
		return "the owner of the cube is not a player"
	case s.Length < 0 || s.Score[0] < 0 || s.Score[1] < 0:
		return "a negative length or score"
	case s.Length > MaxLength:
		return fmt.Sprintf("a match of %d points: the longest has %d", s.Length, MaxLength)
	case s.Score[0] > MaxPoints || s.Score[1] > MaxPoints:
		return "a score above 32767"
	case s.Length > 0 && (me <= 0 || opp <= 0):
		return "the score is beyond the match"
	case s.Drops > DropByPosition:
		return "no such rule for drops"
	case s.Crawford && s.Length == 0:
		return "a Crawford game in money play"
	case s.Crawford && s.Length > 1 && !AtCrawford(s.Length, s.Score):
		return "a Crawford game in which not exactly one player is 1-away"
	case s.Crawford && s.Length > 1 && (s.Cube > 1 || s.Owner != Centred):
		return fmt.Sprintf("a cube of %d that was turned in the Crawford game", s.Cube)
	case s.Length > 0 && s.Cube > 1 && s.Owner == Centred:
		return fmt.Sprintf("a cube of %d in the centre: a match has no automatic doubles", s.Cube)
	}
	return ""
}

// MaxPoints is the highest score of money play that IDs can hold.
const MaxPoints = 1<<15 - 1
