package puretd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/nn"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
)

// Comparison plays cubeless money games in which a net of PureTD and the program's nets make
// every second play, and rolls out both plays of every decision where they differ. A net that
// counts the cube is refused with ErrCube: cubeless rollouts would not judge what it plays for.
type Comparison struct {
	Net   *Net
	Plies int // of Net
	// Own plays the program's side at 0 plies, Judge rolls out, at 0 plies as well.
	Own, Judge *engine.Engine
	Games      int
	Trials     int // of a play
	Seed       uint64
}

// ErrCube means a net that cannot be compared without the cube.
var ErrCube = errors.New("the net counts the cube, plays are compared without one (use a net of five chances)")

// Difference is what differing in the decisions of one kind is worth. Positive is good for the
// program's nets.
type Difference struct {
	Kind      string // a plan as in nn.Plan, "race", or "all"
	Decisions int    // with a legal play
	Differ    int
	// Points is the equity of the program's plays above those of PureTD, per game for a player
	// who makes half of them, StdErr its standard error.
	Points, StdErr float64
	// OwnOff and TheirOff are the values that the program gives to its own and to the others'
	// plays, above what the rollouts say, on average over the decisions where they differ.
	OwnOff, TheirOff float64

	squares float64
}

// raceKind stands after the plans in the lists of one game.
const raceKind = nn.NumPlans

// rated is one decision where the players differ.
type rated struct {
	kind       nn.Plan
	points     float64
	own, their float64 // off the rollouts
}

// played is one game.
type played struct {
	decisions [raceKind + 1]int
	differ    []rated
}

// Run plays and returns the differences: the plans, races, and the sum of all. The result does
// not depend on the number of processors.
func (c *Comparison) Run(ctx context.Context, report func(done int)) ([]Difference, error) {
	if c.Net.cubeful {
		return nil, ErrCube
	}
	games := make([]played, c.Games)
	team, ctx := errgroup.WithContext(ctx) // an error ends the other games
	var next, done atomic.Int64
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		team.Go(func() error {
			theirs := &Player{Net: c.Net, Plies: c.Plies}
			for g := next.Add(1) - 1; g < int64(c.Games); g = next.Add(1) - 1 {
				var err error
				if games[g], err = c.game(ctx, theirs, int(g)); err != nil {
					return err
				}
				if report != nil {
					mu.Lock()
					report(int(done.Add(1)))
					mu.Unlock()
				}
			}
			return nil
		})
	}
	if err := team.Wait(); err != nil {
		return nil, err
	}
	return add(games), nil
}

// add sums games up.
func add(games []played) []Difference {
	out := make([]Difference, raceKind+2)
	all := &out[raceKind+1]
	all.Kind = "all"
	for k := range raceKind {
		out[k].Kind = k.String()
	}
	out[raceKind].Kind = "race"
	for i := range games {
		for k, n := range games[i].decisions {
			out[k].Decisions += n
			all.Decisions += n
		}
		for _, r := range games[i].differ {
			for _, d := range []*Difference{&out[r.kind], all} {
				d.Differ++
				d.Points += r.points
				d.squares += r.points * r.points
				d.OwnOff += r.own
				d.TheirOff += r.their
			}
		}
	}
	players := 2 * float64(max(len(games), 1))
	for i := range out {
		d := &out[i]
		d.Points, d.StdErr = d.Points/players, math.Sqrt(d.squares)/players
		n := float64(max(d.Differ, 1))
		d.OwnOff, d.TheirOff = d.OwnOff/n, d.TheirOff/n
	}
	return out
}

// game plays game number g; the sides of even and odd games are exchanged.
func (c *Comparison) game(ctx context.Context, theirs *Player, g int) (out played, err error) {
	rng := rand.New(rand.NewPCG(c.Seed, uint64(g)))
	own, err := preset.ByName("expert")
	if err != nil {
		return out, err
	}
	own.Checker.Cubeful = false
	state := match.Money(false, 0)
	throw := func() board.Dice { return board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))} }
	pos, d := board.Start, throw()
	for d.Double() {
		d = throw()
	}
	for turn := g; ; turn++ {
		mine, ok, err := c.Own.BestPlay(ctx, pos, d, state, own)
		if err != nil {
			return out, err
		}
		if ok {
			kind := raceKind
			if pos.Contact() {
				kind = nn.PlanOf(&pos)
			}
			out.decisions[kind]++
			other, _ := theirs.Play(pos, d, state)
			if mine.Play.Result != other.Result {
				r, err := c.rate(ctx, pos, mine.Play, other, rng.Uint64())
				if err != nil {
					return out, err
				}
				r.kind = kind
				out.differ = append(out.differ, r)
			}
			if turn%2 == 0 {
				pos = mine.Play.Result
			} else {
				pos = other.Result
			}
		}
		if pos.Result() != 0 {
			return out, nil
		}
		pos, d = pos.Swap(), throw()
	}
}

// rate rolls out two plays of a position with the same dice. A play that ends the game needs no
// rollout.
func (c *Comparison) rate(ctx context.Context, pos board.Position, mine, other board.Play, seed uint64) (r rated, err error) {
	s := rollout.Default()
	s.Trials, s.Seed, s.Cubeful = c.Trials, seed, false
	s.Checker.Cubeful, s.Cube.Cubeful = false, false
	values := c.Own.Model().Evaluator()
	var after, off [2]float64
	job, err := rollout.New(ctx, c.Judge.RolloutOptions(), pos, match.Money(false, 0), s)
	if err != nil {
		return r, err
	}
	for k, play := range []board.Play{mine, other} {
		if level := play.Result.Result(); level != 0 {
			after[k] = float64(level)
			continue
		}
		if err := job.AddPlay(board.FormatPlay(pos, play), play); err != nil {
			return r, err
		}
	}
	if err := job.Run(ctx, nil); err != nil {
		return r, err
	}
	results := job.Results()
	for k, play := range []board.Play{mine, other} {
		if play.Result.Result() != 0 {
			continue
		}
		after[k] = results[0].Cubeless
		results = results[1:]
		them := play.Result.Swap()
		chances := values.Eval(&them)
		off[k] = float64(chances.Invert().Money()) - after[k]
	}
	return rated{points: after[0] - after[1], own: off[0], their: off[1]}, nil
}

// Print writes a table of differences.
func Print(w io.Writer, list []Difference) error {
	for _, d := range list {
		share := 100 * float64(d.Differ) / float64(max(d.Decisions, 1))
		if _, err := fmt.Fprintf(w, "%-18s %7d decisions, %5.1f %% differ: %+.4f ± %.4f points a game; own plays valued %+.4f off, others %+.4f\n",
			d.Kind, d.Decisions, share, d.Points, d.StdErr, d.OwnOff, d.TheirOff); err != nil {
			return err
		}
	}
	return nil
}
