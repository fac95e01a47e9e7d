package fibs

import (
	"errors"
	"fmt"

	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/fibs/clip"
)

// ErrBoard is wrapped by every error of BoardOf: the board contradicts itself and
// a new one must be asked for.
var ErrBoard = errors.New("impossible board")

// BoardOf turns a board line into the engine's terms. Clones leave the bars of the
// point fields empty, so the counts of their own fields are used.
func BoardOf(b clip.Board) (sheet.Board, error) {
	v := sheet.Board{
		Mine: b.Own(), Player: b.Player, Opponent: b.Opponent, Length: lengthOf(b.Length),
		Score: [2]int{sheet.Us: b.PlayerScore, sheet.Them: b.OpponentScore},
		Cube:  b.Cube, PostCrawford: b.AfterCrawford == 1, Down: b.Direction < 0,
		Turn: sheet.Nobody, Doubler: sheet.Nobody,
	}
	for k := 1; k <= 24; k++ {
		n := int(b.Points[k]) * int(b.Colour)
		mine := k - 1 // own index of point k for a player who moves down
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
		return sheet.Board{}, fmt.Errorf("%w: %w", ErrBoard, err)
	}
	switch b.PlayerTurn() {
	case 1:
		v.Turn, v.Dice = sheet.Us, diceOf(b.PlayerDice)
	case -1:
		v.Turn, v.Dice = sheet.Them, diceOf(b.OpponentDice)
	}
	if v.Turn != sheet.Nobody && v.Length > 0 && max(v.Score[sheet.Us], v.Score[sheet.Them]) >= v.Length {
		return sheet.Board{}, fmt.Errorf("%w: a game at %d-%d of %d", ErrBoard, v.Score[sheet.Us], v.Score[sheet.Them], v.Length)
	}
	switch {
	case b.PlayerMayDouble && !b.OpponentMayDouble:
		v.Owner = match.Mine
	case !b.PlayerMayDouble && b.OpponentMayDouble:
		v.Owner = match.Theirs
	}
	if b.DoublePending() && v.Turn != sheet.Nobody && !v.Dice.Valid() {
		// The turn field may or may not be flipped; only "was doubled" is sure.
		v.Doubler = sheet.Us
		if b.WasDoubled {
			v.Doubler = sheet.Them
		}
		v.Turn, v.Dice, v.Owner = v.Doubler, board.Dice{}, match.Centred
		if b.Cube > 1 {
			// Only the owner can have turned a cube that was turned before.
			v.Owner = match.Mine
			if v.Doubler == sheet.Them {
				v.Owner = match.Theirs
			}
		}
	}
	return v, nil
}

// lengthOf turns FIBS's match length into the engine's: 0 is unlimited.
func lengthOf(n int) int {
	if n >= clip.Unlimited {
		return 0
	}
	return n
}

func diceOf(d clip.Dice) board.Dice { return board.Dice{A: d[0], B: d[1]} }
