package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// ActKind says what an Act is.
type ActKind uint8

// What can stand on a line of the sheet.
const (
	ActRolled  ActKind = iota + 1 // a roll whose play is not known yet
	ActPlayed                     // a roll and its play; Play.N is 0 when no play was legal
	ActDoubled                    // a double was offered; after one of the other side a beaver, then a raccoon
	ActTook                       // and taken
	ActDropped                    // or dropped
	ActOffered                    // an offer to resign Games games
	ActRefused                    // an offer to resign was refused
	ActShown                      // a board that what came before does not lead to; it stands behind every hole
)

// Act is one line of the sheet of a game.
type Act struct {
	Kind  ActKind
	Side  Side
	Dice  board.Dice
	Play  board.Play // Result from the mover's view
	Games int        // for ActOffered
	// Loose tells that nobody knew what stood on the table: the act lies between a hole
	// and the next board.
	Loose bool
	// Shown is the position of an ActShown with Us as Me, Cube and Owner its cube
	// as Us sees it. Side is who was on roll.
	Shown *board.Position
	Cube  int
	Owner match.Owner
}

// Game is the sheet of one game.
type Game struct {
	Score    [2]int // by Side, before the game
	Crawford bool
	Cube     int // value at the start, 1 unless automatic doubles
	Acts     []Act
	// Winner is Nobody while the game is being played, and of one that another game followed
	// without its end.
	Winner   Side
	Points   int  // won, with the cube
	Resigned bool // the loser resigned
	// Told is the score that the game began at where the server has told another one since,
	// which is Score then; nil where it has not. A score that goes back proves nothing: it
	// may be a correction or a mistake.
	Told *[2]int
	// doubtful tells that a pair of dances may be missing without a trace: the
	// position of the first board after an interruption allows both sides one.
	doubtful bool
	// unsized tells that nobody has said for how many games the loser resigned:
	// Points is the cube until a score tells.
	unsized bool
	// other is what the game was worth by another account than the one that Points is
	// from, until a score decides; 0 when they agree.
	other int
	// Forfeit tells that the loser was away when the other player left, or was sent away:
	// Points are what the winner lacked.
	Forfeit bool
	// Torn tells that something is missing between two acts: lines were lost. Mend
	// repairs it from the server's list.
	Torn bool
}

// Finished tells whether the game has a winner.
func (g *Game) Finished() bool { return g.Winner != Nobody }

// played tells whether more than a roll has happened in the game.
func (g *Game) played() bool {
	for i := range g.Acts {
		if g.Acts[i].Kind != ActRolled {
			return true
		}
	}
	return false
}

// Legal tells whether the game is whole as it stands: every play legal from the
// starting position on.
func (g *Game) Legal() bool {
	_, _, ok := replay(append([]Act(nil), g.Acts...))
	return ok
}

// lastIs tells whether the last act but for offers to resign is of a kind.
func (g *Game) lastIs(k ActKind) bool {
	for i := len(g.Acts) - 1; i >= 0; i-- {
		if at := g.Acts[i].Kind; at != ActOffered && at != ActRefused {
			return at == k
		}
	}
	return false
}

// openRoll returns the index of the roll that waits for its play, or -1. Offers
// to resign may have been made and refused since.
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
