package reference

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// nearCube is how near, by the static evaluation, doubling and rolling or taking and passing
// must be for a position to be a cube decision worth asking about.
const nearCube = 0.12

// cubes appends cube decisions of a tag to w until h holds n of them; those in h are drawn but
// not made again. Half are of money play, half of matches up to 11 points; the cube is centred
// or owned by the player on roll. With of.jacoby all are of money play with the Jacoby rule and a centred
// cube.
func (m *Maker) cubes(ctx context.Context, of kind, h *held, n int, w io.Writer, show func(made int)) error {
	tag, stream := of.tag, uint64(0xc0be)
	plan, ok := train.ParsePlan(tag)
	if !ok {
		return fmt.Errorf("no plan %q", tag)
	}
	if of.jacoby {
		stream += 1 << 16
	}
	rng := rand.New(rand.NewPCG(m.Seed, uint64(plan)+stream))
	seen := train.KeySet{}
	for game := 0; h.count[of] < n; game++ {
		pos := train.StartOf(plan, rng)
		for turn := 0; pos.Result() == 0 && turn < 60; turn++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			st := match.Money(true, 0)
			if !of.jacoby {
				st = drawState(rng)
			}
			take := rng.IntN(4) == 0
			near, err := m.near(ctx, pos, st)
			if err != nil {
				return err
			}
			// Ends of games, where databases know the answer, are left out.
			if take && near && (pos.Contact() != (tag == "race")) && seen.Add(pos.Key()) {
				differ, err := m.differ(pos, st)
				if err != nil {
					return err
				}
				if differ && !h.asked[asked{position: pos.Key(), cube: st}] {
					d, err := m.rollCube(ctx, tag, pos, st)
					if err != nil {
						return err
					}
					made, err := h.keep(w, &d)
					if err != nil {
						return err
					}
					show(made)
				}
				break // one of a game
			}
			if pos, err = m.playOn(ctx, pos, rng, game); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawState draws money play or a score at which both need two points or more.
func drawState(rng *rand.Rand) match.State {
	st := match.Money(false, 0)
	if rng.IntN(2) == 0 {
		st.Length = 3 + rng.IntN(9)
		st.Score = [2]int{rng.IntN(st.Length - 1), rng.IntN(st.Length - 1)}
	}
	if rng.IntN(3) == 0 {
		st.Cube, st.Owner = 2, match.Mine
	}
	return st
}

// near reports whether the cube decision is close for the static evaluation.
func (m *Maker) near(ctx context.Context, p board.Position, st match.State) (bool, error) {
	d, err := m.Engine.Search().Cube(ctx, p, st, search.Settings{Cubeful: true})
	if err != nil || !d.Available() || d.Dead {
		return false, err
	}
	return math.Abs(d.NoDouble-min(d.DoubleTake, d.DoublePass)) < nearCube || math.Abs(d.DoubleTake-d.DoublePass) < nearCube, nil
}

// playOn rolls and plays, statically or as the host of the game does.
func (m *Maker) playOn(ctx context.Context, p board.Position, rng *rand.Rand, game int) (board.Position, error) {
	dice := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
	if hosts := m.hosts(); len(hosts) > 0 {
		play, ok, err := hosts[game%len(hosts)](p, dice)
		if !ok {
			play.Result = p
		}
		return play.Result.Swap(), err
	}
	list, err := m.Engine.Search().Plays(ctx, p, dice, match.Money(false, 0), search.Settings{})
	if err != nil || len(list) == 0 {
		return p.Swap(), err
	}
	return list[0].Play.Result.Swap(), nil
}

// rollCube rolls out both arms, cubeful.
func (m *Maker) rollCube(ctx context.Context, tag string, p board.Position, st match.State) (Reference, error) {
	s := m.settings(tag)
	out := Reference{Tag: tag, Position: p.ID(), Truncate: s.Truncate}
	s.Cubeful, s.StopJSD = true, 0
	s.Checker.Cubeful, s.Cube.Cubeful = true, true
	job, err := rollout.New(ctx, m.Engine.RolloutOptions(), p, st, s)
	if err != nil {
		return out, err
	}
	if err := job.AddCube(); err != nil {
		return out, err
	}
	if err := job.Run(ctx, nil); err != nil {
		return out, err
	}
	r := job.Results()
	value := func(r rollout.Result) Value {
		return Value{Equity: round(r.Equity), Error: round(r.EquityErr.Or(0)), Trials: r.Trials}
	}
	out.Cube = &Cube{CubeState: train.CubeStateOf(st), NoDouble: value(r[0]), DoubleTake: value(r[1])}
	return out, nil
}

// CubeChooser says whether the player on roll should double, and whether the
// opponent should take.
type CubeChooser func(p board.Position, st match.State) (double, take bool, err error)

// CubeByPreset decides as a preset does, with its rollouts.
func CubeByPreset(ctx context.Context, e *engine.Engine, pr preset.Preset) CubeChooser {
	pr.Cube.Cubeful = true
	return func(p board.Position, st match.State) (bool, bool, error) {
		d, err := e.CubeDecision(ctx, p, st, pr)
		return d.Action.Double(), takes(&d), err
	}
}

func takes(d *cube.Decision) bool { return d.DoubleTake <= d.DoublePass }

// Loss is the loss of a decision to double or not, and of the answer, both in points of EMG at
// the present cube.
func (c *Cube) Loss(double, take bool) (doubling, taking float64) {
	nd, dt := c.NoDouble.Equity, c.DoubleTake.Equity
	doubled := min(dt, rollout.Pass)
	chosen := nd
	if double {
		chosen = doubled
	}
	doubling = max(nd, doubled) - chosen
	if take {
		return doubling, max(dt-rollout.Pass, 0)
	}
	return doubling, max(rollout.Pass-dt, 0)
}

// CubeLoss is the loss of a judge on the cube decisions of one kind.
type CubeLoss struct {
	Tag       string  `json:"tag"`
	Decisions int     `json:"decisions"`
	Doubling  float64 `json:"doubling_millipoints"` // mean
	Taking    float64 `json:"taking_millipoints"`
	Error     float64 `json:"standard_error"` // of the sum of both
	Wrong     int     `json:"wrong"`          // decisions or answers that lose more than 1 millipoint
}

// CubeLosses measures a chooser on the cube decisions without the reserved ones, or on the
// reserved ones alone: all of them first, then money play without and with the Jacoby rule, matches, and
// each tag.
func CubeLosses(ds []Reference, reserved bool, choose CubeChooser) ([]CubeLoss, error) {
	type sums struct {
		doubling, taking, both train.Mean
		wrong                  int
	}
	by := map[string]*sums{}
	order := append([]string{"all", "money", "jacoby", "matches"}, train.Tags...)
	for i := range ds {
		d := &ds[i]
		if d.Cube == nil || d.Reserved != reserved {
			continue
		}
		p, err := board.ParseID(d.Position)
		if err != nil {
			return nil, fmt.Errorf("decision %d: %w", i+1, err)
		}
		st, err := d.Cube.State()
		if err != nil {
			return nil, fmt.Errorf("decision %d: %w", i+1, err)
		}
		double, take, err := choose(p, st)
		if err != nil {
			return nil, fmt.Errorf("decision %d: %w", i+1, err)
		}
		doubling, taking := d.Cube.Loss(double, take)
		kind := "money"
		switch {
		case st.Length > 0:
			kind = "matches"
		case st.Jacoby:
			kind = "jacoby"
		}
		for _, name := range []string{"all", kind, d.Tag} {
			s := by[name]
			if s == nil {
				s = new(sums)
				by[name] = s
			}
			s.doubling.Add(doubling * 1000)
			s.taking.Add(taking * 1000)
			s.both.Add((doubling + taking) * 1000)
			if doubling > 0.001 || taking > 0.001 {
				s.wrong++
			}
		}
	}
	var out []CubeLoss
	for _, name := range order {
		if s := by[name]; s != nil {
			out = append(out, CubeLoss{Tag: name, Decisions: s.both.N(), Doubling: s.doubling.Value(), Taking: s.taking.Value(), Error: s.both.StdErr(), Wrong: s.wrong})
		}
	}
	return out, nil
}
