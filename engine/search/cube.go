package search

import (
	"context"
	"fmt"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Evaluation is what a position is worth to the player on roll, who has not
// rolled yet.
type Evaluation struct {
	Probs eval.Probs
	// Cubeless and Cubeful are normalised equities (EMG). Cubeless counts gammons
	// whatever the Jacoby rule says (cube.Ladder.Plain); Cubeful counts best cube
	// action now and later, and is what decides where the settings are cubeless.
	Cubeless, Cubeful float64
	// MWC is the match winning chance that belongs to Cubeful; 0 in money play.
	MWC float64
	// Plies is the depth reached.
	Plies int
}

// Cube weighs the cube before the roll: to double or not, to take or not, for
// the player on roll in state st. The decision has no action when the cube
// cannot be turned, but its equities are there all the same. The settings' plies
// are reached one by one, so that a budget still gives an answer. Errors are
// those of Plays.
func (e *Engine) Cube(ctx context.Context, p board.Position, st match.State, s Settings) (cube.Decision, error) {
	if err := e.check(&p, &st, &s); err != nil {
		return cube.Decision{}, err
	}
	l, _, err := e.ladders(st)
	if err != nil {
		return cube.Decision{}, err
	}
	s = s.drawn(&p, 0)
	spots := []cube.Spot{{Owner: st.Owner}}
	if l.Legal(spots[0]) {
		spots = append(spots, cube.Spot{Rung: 1, Owner: match.Theirs})
	}
	v, plies, err := e.top(ctx, p, l, spots, st, &s, true)
	if err != nil && plies < 0 {
		return cube.Decision{}, err
	}
	d := cube.Settle(e.table, st, l, &p, v.pr, float64(v.u[0]), float64(v.u[len(spots)-1]))
	d.Plies = plies
	return d, err
}

// Evaluate returns the chances and equities of p for the player on roll.
func (e *Engine) Evaluate(ctx context.Context, p board.Position, st match.State, s Settings) (Evaluation, error) {
	if s.Cubeful {
		d, err := e.Cube(ctx, p, st, s)
		out := Evaluation{Probs: d.Probs, Cubeless: d.Cubeless, Cubeful: d.Cubeful, Plies: d.Plies}
		if st.Length > 0 && err == nil {
			out.MWC = e.table.MWC(st, d.Cubeful)
		}
		return out, err
	}
	if err := e.check(&p, &st, &s); err != nil {
		return Evaluation{}, err
	}
	l, _, err := e.ladders(st)
	if err != nil {
		return Evaluation{}, err
	}
	v, plies, err := e.top(ctx, p, l, []cube.Spot{{Owner: st.Owner}}, st, &s, false)
	if err != nil && plies < 0 {
		return Evaluation{}, err
	}
	u := float64(v.u[0])
	out := Evaluation{Probs: v.pr, Plies: plies, Cubeless: l.Plain(&v.pr), Cubeful: u}
	if st.Length > 0 {
		out.MWC = (u + 1) / 2
		out.Cubeless = e.table.EMG(st, out.MWC)
		out.Cubeful = out.Cubeless
	}
	return out, err
}

// learnedPlies is up to which depth decisions about the cube take the efficiency at the leaves from the
// net. At 2 plies it gains nothing sure and takes half as much time again.
const learnedPlies = 1

// top values p at the settings' depth. With a budget it goes down through the
// depths and keeps the last finished one. plies is -1 when none was.
func (e *Engine) top(ctx context.Context, p board.Position, l *cube.Ladder, spots []cube.Spot, st match.State, s *Settings, cubeful bool) (out value, plies int, err error) {
	j := e.begin(ctx, s)
	defer j.end()
	q := question{mover: l, other: l.Swap(), spots: spots, settings: s, cubeful: cubeful, money: st.Length == 0}
	q.bearoffs = j.bearoffs(&p, l, &st, s, s.Plies, cubeful)
	first := s.Plies
	if s.Budget > 0 {
		first = 0
	}
	plies = -1
	positions, values := []board.Position{p}, make([]value, 1)
	for depth := first; depth <= s.Plies; depth++ {
		tree := e.newPlan(q, depth)
		if depth <= learnedPlies && e.learned && s.Efficiency == nil {
			tree.learn()
		}
		if !j.nodes(tree, depth, positions, values) {
			break
		}
		out, plies = values[0], depth
	}
	return out, plies, j.failed()
}

// SpotValues returns the chances of p and what the position is worth to the player of st, who is on roll
// and does not double now, with the cube in each of spots, in the utility of st's ladder. The
// settings count the cube whatever they say. Errors are those of Plays.
func (e *Engine) SpotValues(ctx context.Context, p board.Position, st match.State, spots []cube.Spot, s Settings) (eval.Probs, []float64, error) {
	if err := e.check(&p, &st, &s); err != nil {
		return eval.Probs{}, nil, err
	}
	if len(spots) == 0 || len(spots) > 4 {
		return eval.Probs{}, nil, fmt.Errorf("%w: %d spots of the cube (use 1 to 4)", ErrSettings, len(spots))
	}
	l, _, err := e.ladders(st)
	if err != nil {
		return eval.Probs{}, nil, err
	}
	v, plies, err := e.top(ctx, p, l, spots, st, &s, true)
	if err != nil && plies < 0 {
		return eval.Probs{}, nil, err
	}
	out := make([]float64, len(spots))
	for i := range out {
		out[i] = float64(v.u[i])
	}
	return v.pr, out, err
}

// Efficiencies returns for each spot the cube efficiency that explains what the search finds at p: the x
// at which the mixture of the searched dead and live values is the searched one. It is NaN where dead
// and live are too near to each other to tell. Errors are those of SpotValues.
func (e *Engine) Efficiencies(ctx context.Context, p board.Position, st match.State, spots []cube.Spot, s Settings) ([]float64, error) {
	var values [3][]float64
	dead, live := 0.0, 1.0
	for i, x := range [3]*float64{&dead, &live, nil} {
		s.Efficiency = x
		var err error
		if _, values[i], err = e.SpotValues(ctx, p, st, spots, s); err != nil {
			return nil, err
		}
	}
	l, _, err := e.ladders(st)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(spots))
	for i, spot := range spots {
		d := values[1][i] - values[0][i]
		if unit, _ := l.Unit(spot); math.Abs(d) < tellable*unit {
			out[i] = math.NaN()
			continue
		}
		out[i] = (values[2][i] - values[0][i]) / d
	}
	return out, nil
}

// tellable is the least distance of a live from a dead cube, in units of a single game, that has an
// efficiency.
const tellable = 0.01
