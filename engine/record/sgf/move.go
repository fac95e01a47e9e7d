package sgf

import (
	"errors"
	"fmt"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// play reads the value of a W or B property.
func (r *reader) play(n *node, colour, v string) *record.Action {
	a := &record.Action{}
	if colour == "B" {
		a.Player = 1
	}
	switch text := strings.TrimSpace(v); strings.ToLower(text) {
	case "double":
		a.Kind = record.Double
	case "take":
		a.Kind = record.Take
	case "drop":
		a.Kind = record.Drop
	default:
		a.Kind = record.Move
		d, steps, err := parseMove(a.Player, text)
		a.Dice = d
		if err != nil {
			r.warn(n, "%v", err)
			a.Raw = clip(text)
			return a
		}
		a.Steps = steps
	}
	return a
}

var errMove = errors.New("not a move")

// parseMove reads dice and pairs of letters.
func parseMove(player int, text string) (board.Dice, []board.Step, error) {
	if len(text) < 2 {
		return board.Dice{}, nil, fmt.Errorf("%w: %q", errMove, clip(text))
	}
	d := board.Dice{A: text[0] - '0', B: text[1] - '0'}
	if !d.Valid() {
		return board.Dice{}, nil, fmt.Errorf("%w: dice of %q", errMove, clip(text))
	}
	steps, err := parseSteps(player, text[2:])
	return d, steps, err
}

// parseSteps reads pairs of letters for the given player.
func parseSteps(player int, text string) ([]board.Step, error) {
	if len(text)%2 != 0 || len(text) > 8 {
		return nil, fmt.Errorf("%w: %q is not up to four pairs of letters", errMove, clip(text))
	}
	var steps []board.Step
	for i := 0; i < len(text); i += 2 {
		from, ok1 := point(player, text[i])
		to, ok2 := point(player, text[i+1])
		if !ok1 || !ok2 || from == board.Off || to == board.Bar || to >= from {
			return nil, fmt.Errorf("%w: %q", errMove, clip(text))
		}
		steps = append(steps, board.Step{From: from, To: to})
	}
	return steps, nil
}

// point turns a letter into the player's own index.
func point(player int, c byte) (int8, bool) {
	switch {
	case c == 'y':
		return board.Bar, true
	case c == 'z':
		return board.Off, true
	case c < 'a' || c > 'x':
		return 0, false
	case player == 1:
		return int8('x' - c), true
	}
	return int8(c - 'a'), true
}

// letter is the reverse of point.
func letter(player int, i int8) byte {
	switch {
	case i == board.Bar:
		return 'y'
	case i < 0:
		return 'z'
	case player == 1:
		return byte('x' - i)
	}
	return byte('a' + i)
}
