package fibs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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

// errNoTurn means a line from between two games.
var errNoTurn = errors.New("no player is on turn in this board line (copy one from within a game)")

// ReadBoard reads a copied "board:" line, as the player to act sees it. The line does not
// mark the Crawford game: at match point with an unturned cube the game counts as Crawford,
// which is the likelier case. Money play has neither Jacoby rule nor beavers.
func ReadBoard(line string) (match.Situation, error) {
	b, _, err := clip.ParseBoard(strings.TrimSpace(line))
	if err != nil {
		return match.Situation{}, err
	}
	v, err := BoardOf(b)
	if err != nil {
		return match.Situation{}, err
	}
	s, ok := v.Situation(match.AtCrawford(v.Length, v.Score) && !v.PostCrawford && v.Cube == 1)
	if !ok {
		return s, errNoTurn
	}
	return s, s.Validate()
}

// parseSteps reads a FIBS move ("24-18 bar-21 6-off") in the mover's own numbering.
func parseSteps(text string) ([]board.Step, bool) {
	list, ok := clip.ParseSteps(text)
	steps := stepsOf(list)
	return steps, ok && list.N > 0 && !slices.Contains(steps, noStep)
}

// noStep is a step that no position allows.
var noStep = board.Step{From: -1}

// stepsOf turns the server's steps into their mover's numbering. An impossible step becomes
// noStep.
func stepsOf(list clip.Steps) []board.Step {
	steps := make([]board.Step, 0, clip.MaxSteps)
	for _, st := range list.List[:min(list.N, clip.MaxSteps)] {
		steps = append(steps, stepOf(st))
	}
	return steps
}

// stepOf turns a step in board numbers into one of its mover. The direction of play shows in
// the step: points fall for the player who moves from 24 to 1, who enters on 24-19 and bears
// off from 6-1, and rise for the other.
func stepOf(s clip.Step) board.Step {
	from, to := int8(s.From), int8(s.To)
	switch {
	case s.From == clip.Bar && to >= 1 && to <= 6:
		return board.Step{From: board.Bar, To: 24 - to} // X enters low
	case s.From == clip.Bar && to >= 19 && to <= 24:
		return board.Step{From: board.Bar, To: to - 1}
	case s.To == clip.Off && from >= 1 && from <= 6:
		return board.Step{From: from - 1, To: board.Off}
	case s.To == clip.Off && from >= 19 && from <= 24:
		return board.Step{From: 24 - from, To: board.Off} // X bears off high
	case from >= 1 && to >= 1 && from > to && from <= 24:
		return board.Step{From: from - 1, To: to - 1}
	case from >= 1 && to >= 1 && from < to && to <= 24:
		return board.Step{From: 24 - from, To: 24 - to}
	}
	return noStep
}

// pointOf is the server's number of an end of a step. down tells that the mover
// plays from 24 to 1.
func pointOf(i int8, down bool) uint8 {
	switch {
	case i == board.Bar:
		return clip.Bar
	case i < 0:
		return clip.Off
	case down:
		return uint8(i + 1)
	}
	return uint8(24 - i)
}
