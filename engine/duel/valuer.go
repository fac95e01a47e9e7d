package duel

import (
	"context"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
)

// Valuer says what one choice at a decision is worth above another: a play against
// another, doubling against rolling, taking against passing, by short rollouts that
// share their dice. It is safe for concurrent use.
//
// All values are to the player named, in equity at the present cube in money play
// and in match winning chance in matches. The seed decides the dice.
type Valuer struct {
	Options  rollout.Options  // of the engine that plays the trials
	Settings rollout.Settings // their Seed is not used
}

// Play returns what reaching position a is worth above reaching b to the player
// on roll at p in state st. Both are positions after a play, from his view.
func (j *Valuer) Play(ctx context.Context, p board.Position, st match.State, a, b board.Position, seed uint64) (float64, error) {
	if j.Options.Search == nil {
		return 0, errNoEngine
	}
	if a.Result() != 0 || b.Result() != 0 {
		return j.lastPlay(ctx, p, st, a, b, seed)
	}
	job, err := j.job(ctx, p, st, seed)
	if err != nil {
		return 0, err
	}
	for i, after := range [2]board.Position{a, b} {
		if err := job.AddPlay(fmt.Sprint("play ", i+1), board.Play{Result: after}); err != nil {
			return 0, fmt.Errorf("value plays: %w", err)
		}
	}
	v, err := run(ctx, job)
	if err != nil {
		return 0, fmt.Errorf("value plays: %w", err)
	}
	return v[0] - v[1], nil
}

// lastPlay is Play where one of the plays bears off the last checker.
func (j *Valuer) lastPlay(ctx context.Context, p board.Position, st match.State, a, b board.Position, seed uint64) (float64, error) {
	var v [2]float64
	for i, after := range [2]board.Position{a, b} {
		rules := j.Options.Search.Rules()
		if level := rules.Result(&after); level != 0 {
			v[i] = j.worth(st, st.Points(level))
			continue
		}
		job, err := j.job(ctx, p, st, seed)
		if err != nil {
			return 0, err
		}
		if err := job.AddPlay("play", board.Play{Result: after}); err != nil {
			return 0, fmt.Errorf("value plays: %w", err)
		}
		one, err := run(ctx, job)
		if err != nil {
			return 0, fmt.Errorf("value plays: %w", err)
		}
		v[i] = one[0]
	}
	return v[0] - v[1], nil
}

// worth is the value of winning points (with the cube) in state st.
func (j *Valuer) worth(st match.State, points int) float64 {
	if st.Length == 0 {
		return float64(points) / float64(st.Cube)
	}
	return j.Options.Search.Table().After(st, points)
}

// CubeValues is what the choices before a roll are worth to the player on roll.
type CubeValues struct{ Roll, Take, Pass float64 }

// Cube values rolling, and doubling where the opponent takes and where he passes,
// to the player on roll at p in state st, who may double.
func (j *Valuer) Cube(ctx context.Context, p board.Position, st match.State, seed uint64) (CubeValues, error) {
	job, err := j.job(ctx, p, st, seed)
	if err != nil {
		return CubeValues{}, err
	}
	if err := job.AddCube(); err != nil {
		return CubeValues{}, fmt.Errorf("value the cube: %w", err)
	}
	v, err := run(ctx, job)
	if err != nil {
		return CubeValues{}, fmt.Errorf("value the cube: %w", err)
	}
	return CubeValues{Roll: v[0], Take: v[1], Pass: j.worth(st, st.Passed(&p))}, nil
}

func (j *Valuer) job(ctx context.Context, p board.Position, st match.State, seed uint64) (*rollout.Job, error) {
	s := j.Settings
	s.Seed, s.Threads = seed, 1
	return rollout.New(ctx, j.Options, p, st, s)
}

// run plays a rollout out and returns the value of each arm.
func run(ctx context.Context, job *rollout.Job) ([]float64, error) {
	if err := job.Run(ctx, nil); err != nil {
		return nil, err
	}
	var out []float64
	for _, r := range job.Results() {
		v := r.Equity
		if r.MWC != nil {
			v = *r.MWC
		}
		out = append(out, v)
	}
	return out, nil
}

// otherPlay asks the player who is not on turn what he would have played, and
// values the difference where it is not after.
func (t *table) otherPlay(ctx context.Context, p board.Position, d board.Dice, st match.State, turn int, seed uint64, after board.Position) error {
	other, err := t.side[1-turn].Move(ctx, p, d, st, t.set.Cubeless, seed)
	if err != nil || other == after {
		return err
	}
	gain, err := t.set.Differences.Play(ctx, p, st, after, other, seed)
	t.add(turn, unit(st)*gain)
	return err
}

// otherCube asks each player what he would have done with the cube in the place
// of the other, and values the differences. yes and take are what happened.
func (t *table) otherCube(ctx context.Context, p board.Position, st match.State, turn int, seed uint64, yes, take bool) error {
	other, err := t.side[1-turn].Double(ctx, p, st, seed)
	if err != nil {
		return err
	}
	otherTake := take
	if yes {
		otherTake, err = t.side[turn].Take(ctx, p, st, seed)
	} else if other {
		// No one was asked: the double would have been the other player's to answer.
		take, err = t.side[1-turn].Take(ctx, p, st, seed)
		otherTake = take
	}
	if err != nil || yes == other && take == otherTake {
		return err
	}
	v, err := t.set.Differences.Cube(ctx, p, st, seed)
	if err != nil {
		return err
	}
	if yes != other {
		gain := v.Pass - v.Roll
		if take {
			gain = v.Take - v.Roll
		}
		if other {
			gain = -gain
		}
		t.add(turn, unit(st)*gain)
	}
	if take != otherTake {
		gain := v.Pass - v.Take // of taking, to him who takes
		if otherTake {
			gain = -gain
		}
		t.add(1-turn, unit(st)*gain)
	}
	return nil
}

// add counts a decision at which the choice of the player in seat is worth gain
// above the other's. All decisions of both sides are looked at, hence the half
// (see the package).
func (t *table) add(seat int, gain float64) {
	t.Differ++
	t.Edge += sign(seat) * gain / 2
}
