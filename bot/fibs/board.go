package fibs

import (
	"errors"
	"fmt"
	"strconv"
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

// parseSteps reads the parts of a FIBS move ("24-18 bar-21 6-off") in the mover's
// own numbering. The direction of play shows in each part: points fall for the
// player who moves from 24 to 1, who enters on 24-19 and bears off from 6-1, and
// rise for the other.
func parseSteps(text string) ([]board.Step, bool) {
	fields := strings.Fields(text)
	if len(fields) == 0 || len(fields) > 4 {
		return nil, false
	}
	steps := make([]board.Step, 0, len(fields))
	for _, f := range fields {
		from, to, ok := strings.Cut(f, "-")
		if !ok {
			return nil, false
		}
		a, okA := pointNumber(from)
		b, okB := pointNumber(to)
		if !okA || !okB || a == numOff || b == numBar {
			return nil, false
		}
		st, ok := stepOf(a, b)
		if !ok {
			return nil, false
		}
		steps = append(steps, st)
	}
	return steps, true
}

// Numbers that pointNumber gives to the words.
const (
	numBar = -1
	numOff = -2
)

func pointNumber(s string) (int, bool) {
	switch strings.ToLower(s) {
	case "bar", "b":
		return numBar, true
	case "off", "o", "home", "h":
		return numOff, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 1 && n <= 24
}

// stepOf turns a part in board numbers into a step of its mover.
func stepOf(from, to int) (board.Step, bool) {
	switch {
	case from == numBar && to >= 1 && to <= 6:
		return board.Step{From: board.Bar, To: int8(24 - to)}, true // X enters low
	case from == numBar && to >= 19 && to <= 24:
		return board.Step{From: board.Bar, To: int8(to - 1)}, true
	case to == numOff && from >= 1 && from <= 6:
		return board.Step{From: int8(from - 1), To: board.Off}, true
	case to == numOff && from >= 19 && from <= 24:
		return board.Step{From: int8(24 - from), To: board.Off}, true // X bears off high
	case from >= 1 && to >= 1 && from > to && from <= 24:
		return board.Step{From: int8(from - 1), To: int8(to - 1)}, true
	case from >= 1 && to >= 1 && from < to && to <= 24:
		return board.Step{From: int8(24 - from), To: int8(24 - to)}, true
	}
	return board.Step{}, false
}

// stepsOf turns the server's steps into their mover's numbering. An impossible step becomes
// one that no position allows.
func stepsOf(list clip.Steps) []board.Step {
	steps := make([]board.Step, 0, clip.MaxSteps)
	for _, st := range list.List[:min(list.N, clip.MaxSteps)] {
		from, to := int(st.From), int(st.To)
		if st.From == clip.Bar {
			from = numBar
		}
		if st.To == clip.Off {
			to = numOff
		}
		step, ok := stepOf(from, to)
		if !ok {
			step = board.Step{From: -1}
		}
		steps = append(steps, step)
	}
	return steps
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
