// Package puretd plays with the nets of PureTD, an engine that learned from games against itself
// alone: a sparring partner of known strength. It knows two kinds of files by their inputs and outputs:
// the five chances without a cube (196, 5), and the equity in money games under the Jacoby rule, with
// the cube (200, 1).
package puretd

import (
	"errors"
	"fmt"
	"io"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// ErrNet means a net of other inputs or outputs.
var ErrNet = errors.New("not a net of PureTD")

// The inputs: four units for each point of the player on roll, the player's bar and borne off checkers,
// the same of the opponent, whose checkers are counted by the same numbering; then, with a cube, its
// owner and whether the next decision may be about it.
const (
	sideInputs = 98
	barInput   = 96
	offInput   = 97

	chanceInputs = 2 * sideInputs
	centredInput = chanceInputs
	mineInput    = chanceInputs + 1
	theirsInput  = chanceInputs + 2
	cubeInput    = chanceInputs + 3
	equityInputs = chanceInputs + 4
)

// Net is a net of either kind. It may be shared.
type Net struct {
	layers  layers
	cubeful bool
}

// Read reads a net. The error wraps ErrNet or [ErrFile], or is r's.
func Read(r io.Reader) (*Net, error) {
	l, err := readLayers(r)
	if err != nil {
		return nil, err
	}
	switch in, out := l.inputs(), l.outputs(); {
	case in == chanceInputs && out == 5:
		return &Net{layers: l}, nil
	case in == equityInputs && out == 1:
		return &Net{layers: l, cubeful: true}, nil
	default:
		return nil, fmt.Errorf("%w: %d inputs and %d outputs, want %d and 5, or %d and 1", ErrNet, in, out, chanceInputs, equityInputs)
	}
}

// appendSide adds the inputs of one side from base on. turned is for the opponent, whose own points are
// counted from the other end.
func appendSide(in []input, base int, c *board.Checkers, turned bool) []input {
	add := func(at int, v float32) { in = append(in, input{At: uint16(base + at), Value: v}) }
	left := board.MaxCheckers
	for i, n := range c {
		left -= int(n)
		if n == 0 {
			continue
		}
		if i == board.Bar {
			add(barInput, float32(n)/2)
			continue
		}
		if turned {
			i = 23 - i
		}
		for k := range min(int(n), 3) {
			add(4*i+k, 1)
		}
		if n > 3 {
			add(4*i+3, float32(n-3)/2)
		}
	}
	if left > 0 {
		add(offInput, float32(left)/board.MaxCheckers)
	}
	return in
}

// question is a position with its player on roll, the owner of the cube in that player's view, and
// whether that player may double now.
type question struct {
	position  board.Position
	owner     match.Owner
	mayDouble bool
}

// inputs adds those of q.
func (n *Net) inputs(in []input, q *question) []input {
	in = appendSide(in, 0, &q.position.Me, false)
	in = appendSide(in, sideInputs, &q.position.Opp, true)
	if !n.cubeful {
		return in
	}
	at := map[match.Owner]int{match.Centred: centredInput, match.Mine: mineInput, match.Theirs: theirsInput}[q.owner]
	in = append(in, input{At: uint16(at), Value: 1})
	if q.mayDouble {
		in = append(in, input{At: cubeInput, Value: 1})
	}
	return in
}

// chances are the five of a net's outputs.
func chances(out []float32) (p eval.Probs) {
	for i := range p {
		p[i] = float32(1 / (1 + math.Exp(-float64(out[i]))))
	}
	p[eval.WinGammon] = min(p[eval.WinGammon], p[eval.Win])
	p[eval.WinBackgammon] = min(p[eval.WinBackgammon], p[eval.WinGammon])
	p[eval.LoseGammon] = min(p[eval.LoseGammon], 1-p[eval.Win])
	p[eval.LoseBackgammon] = min(p[eval.LoseBackgammon], p[eval.LoseGammon])
	return p
}
