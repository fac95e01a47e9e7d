// Package cubefit fits the net that says how alive the cube is in a position (cube.EfficiencyNet) to
// cubeful values of the program's own 2-ply searches, in money play and at scores.
package cubefit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/jsonlines"
)

// Label is what a search says a position is worth with the cube in some spots.
type Label struct {
	Position string `json:"position"`
	train.CubeState
	Spots   []cube.Spot `json:"spots"`
	Chances eval.Probs  `json:"chances"` // by the search
	Values  []float64   `json:"values"`  // utility at each spot, without a double now
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

// drawLabel draws a state and the spots that are asked for together.
func drawLabel(rng *rand.Rand) Label {
	l := Label{CubeState: train.CubeState{Value: 1}}
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
		l.Value, l.Owner = 2, match.Mine
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
		p := train.StartOf(train.DrawPlan(&mix, rng), rng)
		for turn := 0; turn < 80 && made < n && p.Result() == 0 && p.Contact(); turn++ {
			pr := ev.Eval(&p)
			if rng.IntN(5) == 0 && pr[eval.Win] > 0.05 && pr[eval.Win] < 0.97 && !m.Hidden.Has(p.Key()) {
				l := drawLabel(rng)
				l.Position = p.ID()
				st, err := l.State()
				if err != nil {
					return err
				}
				l.Chances, l.Values, err = m.Engine.Search().SpotValues(ctx, p, st, l.Spots, search.Settings{Plies: m.Plies, Cubeful: true, Prune: true})
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
	ls, _, _, err = jsonlines.Read(io.LimitReader(f, 1<<30), ErrLabels, func(_ int, l *Label) error {
		if len(l.Spots) == 0 || len(l.Spots) != len(l.Values) {
			return errors.New("not one value for each spot")
		}
		return nil
	})
	if err != nil {
		err = fmt.Errorf("%s, %w", path, err)
	}
	return ls, err
}

// Fit is a fit of a net to labels: Adam, batches of 64, a cosine learning rate. One label in ten is kept
// apart to measure.
type Fit struct {
	Table  *match.Table
	Epochs int
	Rate   float64
	Seed   uint64
	Out    io.Writer // gets a table of errors after the last epoch; nil for none
}

// sample is one spot of a label.
type sample struct {
	in     [cube.EfficiencyInputs]float32
	head   int
	ladder *cube.Ladder
	spot   cube.Spot
	pr     eval.Probs
	usual  float64
	value  float64
	unit   float64
}

// at returns what the sample is worth by efficiency x.
func (s *sample) at(x float64) float64 {
	spots, out := [1]cube.Spot{s.spot}, [1]float64{}
	s.ladder.Values(&s.pr, x, spots[:], out[:])
	return out[0]
}

// samples turns labels into samples, those where the efficiency has no influence left out.
func (f *Fit) samples(ls []Label) ([]sample, error) {
	ladders := map[match.State]*cube.Ladder{}
	var out []sample
	for i := range ls {
		l := &ls[i]
		p, err := board.ParseID(l.Position)
		if err != nil {
			return nil, fmt.Errorf("label %d: %w: %w", i+1, ErrLabels, err)
		}
		st, err := l.State()
		if err != nil {
			return nil, fmt.Errorf("label %d: %w: %w", i+1, ErrLabels, err)
		}
		ladder := ladders[st]
		if ladder == nil {
			if ladder, err = cube.NewLadder(f.Table, st); err != nil {
				return nil, fmt.Errorf("label %d: %w: %w", i+1, ErrLabels, err)
			}
			ladders[st] = ladder
		}
		if eval.ClassOf(&p) < eval.Crashed {
			continue
		}
		for k, spot := range l.Spots {
			s := sample{ladder: ladder, spot: spot, pr: l.Chances, value: l.Values[k], head: ladder.Head(spot), usual: cube.UsualEfficiency.Of(&p)}
			s.unit, _ = ladder.Unit(spot)
			if ladder.EfficiencyInputs(&p, &s.pr, spot, &s.in) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

const batch = 64

// Run fits a net.
func (f *Fit) Run(ls []Label) (*cube.EfficiencyNet, error) {
	cut := len(ls) - len(ls)/10
	learn, err := f.samples(ls[:cut])
	if err != nil {
		return nil, err
	}
	apart, err := f.samples(ls[cut:])
	if err != nil {
		return nil, err
	}
	if len(learn) < batch {
		return nil, fmt.Errorf("%w: only %d samples", ErrLabels, len(learn))
	}
	rng := rand.New(rand.NewPCG(f.Seed, 0xc0befe))
	net := &cube.EfficiencyNet{}
	for j := range net.W1 {
		for i := range net.W1[j] {
			net.W1[j][i] = float32(0.25 * rng.NormFloat64())
		}
	}
	for h := range net.W2 {
		for j := range net.W2[h] {
			net.W2[h][j] = float32(0.01 * rng.NormFloat64())
		}
	}
	weights := net.Weights()
	grad, first, second := &cube.EfficiencyNet{}, make([]float64, len(weights)), make([]float64, len(weights))
	grads := grad.Weights()
	steps := f.Epochs * (len(learn) / batch)
	for step, order := 0, []int(nil); step < steps; step++ {
		*grad = cube.EfficiencyNet{}
		for range batch {
			if len(order) == 0 {
				order = rng.Perm(len(learn))
			}
			learn[order[0]].learn(net, grad)
			order = order[1:]
		}
		warm := min(1, float64(step+1)/200)
		rate := f.Rate * warm * (0.01 + 0.99*0.5*(1+math.Cos(math.Pi*float64(step)/float64(steps))))
		c1, c2 := 1-math.Pow(0.9, float64(step+1)), 1-math.Pow(0.999, float64(step+1))
		for i, g := range grads {
			d := float64(*g) / batch
			first[i] += 0.1 * (d - first[i])
			second[i] += 0.001 * (d*d - second[i])
			*weights[i] -= float32(rate * (first[i]/c1/(math.Sqrt(second[i]/c2)+1e-8) + 1e-3*float64(*weights[i])))
		}
	}
	if f.Out != nil {
		report(f.Out, net, learn, "learned")
		report(f.Out, net, apart, "apart")
	}
	return net, nil
}

// efficiency is what the net says for the sample.
func (s *sample) efficiency(n *cube.EfficiencyNet, hidden *[cube.EfficiencyHidden]float32) float64 {
	return cube.ClampEfficiency(s.head, s.usual+n.Output(s.head, &s.in, hidden))
}

// learn adds the gradient of the sample's squared error, in units of a single game, to g.
func (s *sample) learn(n, g *cube.EfficiencyNet) {
	var hidden [cube.EfficiencyHidden]float32
	x := s.efficiency(n, &hidden)
	const h = 1e-3
	slope := (s.at(x+h) - s.at(x-h)) / (2 * h) / s.unit
	off := max(-0.3, min(0.3, (s.at(x)-s.value)/s.unit))
	d := float32(off * slope)
	g.B2[s.head] += d
	for j, v := range hidden {
		if v <= 0 {
			continue
		}
		g.W2[s.head][j] += d * v
		e := d * n.W2[s.head][j]
		g.B1[j] += e
		for i, in := range s.in {
			g.W1[j][i] += e * in
		}
	}
}

// report prints the root mean square errors by head, in money play and at scores.
func report(w io.Writer, n *cube.EfficiencyNet, list []sample, name string) {
	var sums [2][cube.EfficiencyHeads][3]float64 // squares with the usual efficiency, with the net; number
	for i := range list {
		s := &list[i]
		k := 1
		if unit, _ := s.ladder.Unit(cube.Spot{}); unit == 1 {
			k = 0 // money
		}
		of := &sums[k][s.head]
		a, b := (s.at(s.usual)-s.value)/s.unit, (s.at(s.efficiency(n, nil))-s.value)/s.unit
		of[0] += a * a
		of[1] += b * b
		of[2]++
	}
	for k, kind := range []string{"money", "match"} {
		for h, head := range []string{"centred", "jacoby", "mine", "theirs"} {
			if of := sums[k][h]; of[2] > 0 {
				fmt.Fprintf(w, "%-8s %-6s %-8s %7.0f %8.4f %8.4f\n", name, kind, head, of[2], math.Sqrt(of[0]/of[2]), math.Sqrt(of[1]/of[2]))
			}
		}
	}
}
