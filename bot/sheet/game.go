package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// ActKind is the kind of an Act.
type ActKind uint8

// The kinds of acts.
const (
	ActRolled  ActKind = iota + 1 // a roll whose play is not known yet
	ActPlayed                     // a roll and its play; Play.N is 0 when no play was legal
	ActDoubled                    // a double; right after one of the other side a beaver, then a raccoon
	ActTook                       // a take
	ActDropped                    // a pass
	ActOffered                    // an offer to resign Games games
	ActRefused                    // an offer to resign was refused
	ActShown                      // a board that the acts before do not lead to; it follows every hole
)

// Act is one line of the sheet of a game.
type Act struct {
	Kind  ActKind
	Side  Side
	Dice  board.Dice
	Play  board.Play // Result from the mover's view
	Games int        // for ActOffered
	// Loose means that the act lies between a hole and the next board, in an unknown
	// position.
	Loose bool
	// Shown is the position of an ActShown with Us as Me; Cube and Owner are its cube as
	// seen by Us. Side is on roll.
	Shown *board.Position
	Cube  int
	Owner match.Owner
}

// Game is the sheet of one game.
type Game struct {
	Score    [2]int // by Side, before the game
	Crawford bool   // by the score; see InCrawford
	Cube     int    // value at the start, 1 unless automatic doubles
	Acts     []Act
	// Winner is Nobody during the game, and if the end of the game was not announced before the
	// next one began.
	Winner   Side
	Points   int  // won, with the cube
	Resigned bool // the loser resigned
	// Told is the announced score at the start of the game, if the server later gave
	// another one (then Score is the later one); otherwise nil. A score that goes back may
	// be a correction or a mistake.
	Told *[2]int
	// doubtful means that a pair of dances may be missing without a trace: the first board
	// after an interruption allows both sides one.
	doubtful bool
	// unsized means that the size of the resignation is unknown: Points is the cube until a
	// score shows more.
	unsized bool
	// byScore means that only a score says how the game ended.
	byScore bool
	// other is a second, different value of the game's points until a score decides; 0 if
	// there is no disagreement.
	other int
	// Forfeit means that the loser was away when the other player left, or was removed;
	// Points are what the winner still needed.
	Forfeit bool
	// Torn means that acts are missing because lines were lost. The server's list of moves
	// repairs the game.
	Torn bool
	seen []seen
}

// Finished reports whether the game has a winner.
func (g *Game) Finished() bool { return g.Winner != Nobody }

// played reports whether more than a roll has happened in the game.
func (g *Game) played() bool {
	for i := range g.Acts {
		if g.Acts[i].Kind != ActRolled {
			return true
		}
	}
	return false
}

// Legal reports whether the game is complete so far: every play is legal from the starting
// position on.
func (g *Game) Legal() bool {
	_, _, ok := replay(append([]Act(nil), g.Acts...), g.Cube)
	return ok
}

// lastIs reports whether the last act, apart from offers to resign, is of a kind.
func (g *Game) lastIs(k ActKind) bool {
	for i := len(g.Acts) - 1; i >= 0; i-- {
		if at := g.Acts[i].Kind; at != ActOffered && at != ActRefused {
			return at == k
		}
	}
	return false
}

// openRoll returns the index of the roll that waits for its play, or -1. Offers to resign
// and refusals may follow it.
func (g *Game) openRoll() int {
	for i := len(g.Acts) - 1; i >= 0; i-- {
		switch g.Acts[i].Kind {
		case ActRolled:
			return i
		case ActOffered, ActRefused:
		default:
			return -1
		}
	}
	return -1
}
