package profile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/tune/human"
)

// ErrFit means that the model of human errors cannot be fitted.
var ErrFit = errors.New("cannot fit human errors")

// Sample is what one player decided in a match: plays with what the engine sees at 0 plies, cube
// decisions with what the analysis says.
type Sample struct {
	amount float64 // of error, 0 for a player with few decisions
	plays  []choice
	cubes  []cubeChoice
}

type choice struct {
	scene  *human.Scene
	chosen int
	amount float64
}

type cubeChoice struct {
	view     human.CubeView
	doubling bool
	acted    bool
	amount   float64
}

// Samples collects the decisions of the players of an analysed match with these counts. The
// amount of error of a player is his performance rating over 100.
func Samples(ctx context.Context, e *engine.Engine, m *record.Match, counts [2]Counts) (out [2]Sample, err error) {
	p, err := preset.ByName("expert")
	if err != nil {
		return out, err
	}
	for i := range out {
		if c := &counts[i]; c.Counted >= leastDecisions {
			out[i].amount = math.Max(leastAmount, math.Min(mostAmount, c.PR()/100))
		}
	}
	for g := range m.Games {
		for turn := range m.Turns(&m.Games[g]) {
			if !turn.Legal || out[turn.Player&1].amount == 0 {
				continue
			}
			if err := out[turn.Player&1].add(ctx, e, p, &turn); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

func (s *Sample) add(ctx context.Context, e *engine.Engine, p preset.Preset, turn *record.Turn) error {
	a := analyse.Judgement(turn.Action.Analysis)
	if a == nil {
		return nil
	}
	if a.Cube != nil && turn.Pending <= 1 {
		if err := s.addCube(ctx, e, p, turn, a.Cube); err != nil {
			return err
		}
	}
	if turn.Action.Kind != record.Move || turn.Forced {
		return nil
	}
	list, err := e.RankPlays(ctx, turn.Position, turn.Action.Dice, turn.State, p)
	if err != nil {
		return err
	}
	c := choice{chosen: -1, amount: s.amount}
	var losses []float64
	var results []*board.Position
	for i := range list {
		if list[i].Play.Result == turn.Play.Result {
			c.chosen = i
		}
		losses = append(losses, list[0].Equity-list[i].Equity)
		results = append(results, &list[i].Play.Result)
	}
	if c.chosen >= 0 {
		c.scene = human.NewScene(&turn.Position, results, losses)
		s.plays = append(s.plays, c)
	}
	return nil
}

// addCube adds a cube decision with the equities of its analysis. With those of 0 plies, errors of
// the evaluation would count as errors of people.
func (s *Sample) addCube(ctx context.Context, e *engine.Engine, p preset.Preset, turn *record.Turn, a *record.CubeAnalysis) error {
	pos, st := turn.Doubler()
	kind := turn.Action.Kind
	d, err := e.CubeDecision(ctx, pos, st, p)
	if err != nil {
		return err
	}
	if !d.Available() || d.Dead {
		return nil
	}
	c := cubeChoice{amount: s.amount, view: human.ViewOf(&d), doubling: kind == record.Move || kind == record.Double, acted: kind == record.Double || kind == record.Take}
	c.view.NoDouble, c.view.DoubleTake, c.view.DoublePass = equity(&st, a.NoDouble.Cubeful, e.Table()), equity(&st, a.DoubleTake.Cubeful, e.Table()), e.Table().Passed(st, &pos)
	// The model does not make decisions beyond the limits, and slips there would flatten it.
	if _, plain := c.view.Plain(c.doubling, c.amount); !plain {
		s.cubes = append(s.cubes, c)
	}
	return nil
}

// Fit fits the model of human errors to what players did, by maximum likelihood with normal
// priors around plain guesses. note is called with what was fitted. The error wraps ErrFit.
func Fit(samples []Sample, note func(string)) (human.Model, error) {
	var plays []choice
	var doubles, takes []cubeChoice
	for _, s := range samples {
		plays = append(plays, s.plays...)
		for _, x := range s.cubes {
			if x.doubling {
				doubles = append(doubles, x)
			} else {
				takes = append(takes, x)
			}
		}
	}
	if len(plays) == 0 || len(doubles) == 0 || len(takes) == 0 {
		return human.Model{}, fmt.Errorf("%w: %d plays, %d doubling decisions and %d answers", ErrFit, len(plays), len(doubles), len(takes))
	}
	out := guess()
	v, err := climb(numbers(&out.Checker), func(x, grad []float64) float64 { return playCost(plays, x, grad) })
	if err != nil {
		return human.Model{}, err
	}
	note(fmt.Sprintf("%d plays: %.4f nats each", len(plays), v/float64(len(plays))))
	for _, k := range [...]struct {
		name string
		to   *human.CubeWeights
		list []cubeChoice
	}{{"doubling decisions", &out.Cube.Double, doubles}, {"answers", &out.Cube.Take, takes}} {
		v, err := climb(numbers(k.to), func(x, grad []float64) float64 { return cubeCost(k.list, x, grad) })
		if err != nil {
			return human.Model{}, err
		}
		note(fmt.Sprintf("%d %s: %.4f nats each", len(k.list), k.name, v/float64(len(k.list))))
	}
	return out, nil
}

// Amounts of players are kept within these bounds.
const leastAmount, mostAmount = 0.02, 0.4

// guess is a player with neither taste nor plan.
func guess() (m human.Model) {
	m.Checker.Sharp, m.Checker.Miss, m.Checker.Blunt = [2]float64{3.4, -1}, [2]float64{-3, 1}, [2]float64{1.2, 0}
	for _, w := range [...]*human.CubeWeights{&m.Cube.Double, &m.Cube.Take} {
		w.Gain, w.Loss = [2]float64{3, -0.5}, [2]float64{3, -0.5}
	}
	return m
}

// numbers are pointers to all numbers of a model in order.
func numbers(model any) (out []*float64) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Float64:
			out = append(out, v.Addr().Interface().(*float64))
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(model).Elem())
	return out
}

// priorWidth is the standard deviation of the normal prior around the start.
const priorWidth = 1.5

// climb minimises a cost with the prior around the present numbers, and stores the minimum.
func climb(to []*float64, cost func(x, grad []float64) float64) (float64, error) {
	start := make([]float64, len(to))
	for i, p := range to {
		start[i] = *p
	}
	prior := func(x, grad []float64) (sum float64) {
		for i := range x {
			d := (x[i] - start[i]) / priorWidth
			sum += d * d / 2
			if grad != nil {
				grad[i] += d / priorWidth
			}
		}
		return sum
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return cost(x, nil) + prior(x, nil) },
		Grad: func(grad, x []float64) {
			clear(grad)
			cost(x, grad)
			prior(x, grad)
		},
	}
	res, err := optimize.Minimize(problem, start, &optimize.Settings{MajorIterations: 300, GradientThreshold: 0.05}, &optimize.BFGS{})
	if res == nil {
		return 0, fmt.Errorf("%w: %w", ErrFit, err)
	}
	for i, p := range to {
		*p = res.X[i]
	}
	return res.F, nil
}

// cubeCost is the negative log likelihood of cube decisions.
func cubeCost(list []cubeChoice, x, grad []float64) float64 {
	var w human.CubeWeights
	to := numbers(&w)
	f := func(x []float64) (sum float64) {
		for i, p := range to {
			*p = x[i]
		}
		for i := range list {
			c := list[i].view.Chance(&w, list[i].doubling, list[i].amount)
			if !list[i].acted {
				c = 1 - c
			}
			sum -= math.Log(math.Max(c, 1e-9))
		}
		return sum
	}
	if grad != nil {
		fd.Gradient(grad, f, x, nil)
	}
	return f(x)
}

// playCost is the negative log likelihood of plays, and adds its gradient.
func playCost(list []choice, x, grad []float64) (sum float64) {
	var m human.CheckerModel
	for i, p := range numbers(&m) {
		*p = x[i]
	}
	var g human.CheckerModel
	for i := range list {
		sum -= list[i].logChance(&m, &g, grad != nil)
	}
	if grad != nil {
		for i, p := range numbers(&g) {
			grad[i] -= *p
		}
	}
	return sum
}

// logChance is the log likelihood of a choice; with more it adds its gradient to g.
func (c *choice) logChance(m, g *human.CheckerModel, more bool) float64 {
	s := c.scene
	x := human.ScaleOf(c.amount)
	miss := m.Overlooking(s, c.amount)
	var chance [2][]float64
	for k := range chance {
		chance[k] = human.Softmax(m.Utilities(s, c.amount, k == 1))
	}
	share := [2]float64{(1 - miss) * chance[0][c.chosen], miss * chance[1][c.chosen]}
	total := math.Max(share[0]+share[1], 1e-12)
	if !more {
		return math.Log(total)
	}
	by := share[1] / total
	d := by - miss
	g.Miss[0] += d
	g.Miss[1] += d * x
	g.MissPlan[s.Plan] += d
	g.MissPlays += d * s.Plays
	for k := range chance {
		r := share[k] / total
		weight := m.Weight(s, c.amount, k == 1)
		var natural human.Features
		sharp := 0.0
		for i, p := range chance[k] {
			e := -p
			if i == c.chosen {
				e++
			}
			e *= r
			sharp -= e * weight * s.Losses[i]
			for f := range natural {
				natural[f] += e * s.Shown[i][f]
			}
		}
		g.Sharp[0] += sharp
		g.Sharp[1] += sharp * x
		g.Plan[s.Plan][0] += sharp
		g.Plan[s.Plan][1] += sharp * x
		g.Plays += sharp * s.Plays
		taste := 1.0
		if k == 1 {
			taste = math.Exp(m.Taste)
			g.Blunt[0] -= sharp
			g.Blunt[1] -= sharp * x
			for f, v := range natural {
				g.Taste += v * taste * (m.Natural[f][0] + m.Natural[f][1]*x)
			}
		}
		for f, v := range natural {
			v *= taste
			g.Natural[f][0] += v
			g.Natural[f][1] += v * x
		}
	}
	return math.Log(total)
}
