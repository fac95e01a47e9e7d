// Package cubefit fits the net that says how alive the cube is in a position (cube.EfficiencyNet) to
// cubeful values of the program's own 2-ply searches, in money play and at scores.
package cubefit

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// Label is what a search says a position is worth with the cube in some spots.
type Label struct {
	Position string      `json:"position"`
	Length   int         `json:"length,omitempty"` // 0 is money play
	Jacoby   bool        `json:"jacoby,omitempty"`
	Score    [2]int      `json:"score,omitzero"`
	Cube     int         `json:"cube"`
	Owner    match.Owner `json:"owner"`
	Spots    []cube.Spot `json:"spots"`
	Chances  eval.Probs  `json:"chances"` // by the search
	Values   []float64   `json:"values"`  // utility at each spot, without a double now
}

// state returns the match state of the player on roll.
func (l *Label) state() match.State {
	if l.Length == 0 {
		return match.Money(l.Jacoby, 0)
	}
	return match.State{Length: l.Length, Score: l.Score, Cube: l.Cube, Owner: l.Owner}
}

// Maker draws positions of self-play and labels them.
type Maker struct {
	Engine *engine.Engine
	Seed   uint64
	Plies  int
	// Hidden are positions that are left out: those of yardsticks.
	Hidden train.KeySet
}

// mix are the numbers of games by plan.
var mix = func() (w [len(train.PlanNames)]float64) {
	if err := train.ParseMix(train.UsualMix, &w); err != nil {
		panic(err) // the usual mix is valid
	}
	return w
}()

func drawPlan(rng *rand.Rand) train.Plan {
	total := 0.0
	for _, w := range mix {
		total += w
	}
	x := rng.Float64() * total
	for i, w := range mix {
		if x -= w; x < 0 {
			return train.Plan(i)
		}
	}
	return train.Natural
}

// drawLabel draws a state and the spots that are asked for together.
func drawLabel(rng *rand.Rand) Label {
	l := Label{Cube: 1}
	three := []cube.Spot{{Owner: match.Centred}, {Owner: match.Mine}, {Owner: match.Theirs}}
	switch rng.IntN(6) {
	case 0, 1:
		l.Spots = three
		return l
	case 2:
		l.Jacoby, l.Spots = true, three[:1]
		return l
	}
	l.Length = 2 + rng.IntN(8)
	l.Score = [2]int{rng.IntN(l.Length), rng.IntN(l.Length)}
	l.Spots = []cube.Spot{{Owner: match.Centred}, {Rung: 1, Owner: match.Mine}, {Rung: 1, Owner: match.Theirs}}
	if rng.IntN(4) == 0 {
		l.Cube, l.Owner = 2, match.Mine
		l.Spots = []cube.Spot{{Owner: match.Mine}, {Owner: match.Theirs}, {Rung: 1, Owner: match.Theirs}}
	}
	return l
}

// Make appends labels to out until n are made. first is the number of the first game.
func (m *Maker) Make(ctx context.Context, out io.Writer, first, n int, show func(done int)) error {
	enc := json.NewEncoder(out)
	ev := m.Engine.Model().Evaluator()
	for made, game := 0, first; made < n; game++ {
		rng := rand.New(rand.NewPCG(m.Seed, 0xc0be<<32+uint64(game)))
		p := train.StartOf(drawPlan(rng), rng)
		for turn := 0; turn < 80 && made < n && p.Result() == 0 && p.Contact(); turn++ {
			pr := ev.Eval(&p)
			if rng.IntN(5) == 0 && pr[eval.Win] > 0.05 && pr[eval.Win] < 0.97 && !m.Hidden.Has(p.Key()) {
				l := drawLabel(rng)
				l.Position = p.ID()
				var err error
				l.Chances, l.Values, err = m.Engine.Search().SpotValues(ctx, p, l.state(), l.Spots, search.Settings{Plies: m.Plies, Cubeful: true, Prune: true})
				if err != nil {
					return err
				}
				if err := enc.Encode(&l); err != nil {
					return err
				}
				if made++; made%100 == 0 {
					show(made)
				}
			}
			dice := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
			list, err := m.Engine.Search().Plays(ctx, p, dice, match.Money(false, 0), search.Settings{})
			if err != nil {
				return err
			}
			if p = p.Swap(); len(list) > 0 {
				p = list[0].Play.Result.Swap()
			}
		}
	}
	return nil
}

// ErrLabels means a file that does not hold labels.
var ErrLabels = errors.New("bad file of cube labels")

// Read reads labels; an incomplete last line, as a killed run leaves it, is ignored.
func Read(path string) (ls []Label, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(io.LimitReader(f, 1<<30), 1<<14)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			return ls, nil
		}
		var l Label
		if err == nil {
			err = json.Unmarshal(line, &l)
		}
		if err == nil && (len(l.Spots) == 0 || len(l.Spots) != len(l.Values)) {
			err = errors.New("not one value for each spot")
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w: %w", path, len(ls)+1, ErrLabels, err)
		}
		ls = append(ls, l)
	}
}
