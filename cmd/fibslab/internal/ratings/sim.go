package ratings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/duel"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/engine/tune"
)

// ErrMatch means a match that cannot be played.
var ErrMatch = errors.New("no such match")

// PairResult is the outcome for the first setting of two matches on the same dice with the seats
// exchanged.
type PairResult struct {
	// Won is the first setting's share of the two matches: 0, 1/2 or 1. With luck subtracted it may
	// be any number, mostly between 0 and 1.
	Won    float64
	Games  int
	Errors [2]Errors
}

// sim plays matches between two settings. It belongs to one goroutine.
type sim struct {
	rules   duel.Settings
	players [2]*player
}

// newSim makes a simulator of matches of length points between a and b; off subtracts the luck of all
// rolls except the first of each game from the results. A match then says several times as much and costs
// some fifteen times as much at 0 plies. Otherwise the losses of plays and cube actions are measured,
// against the evaluation without noise. The error wraps ErrSetting or ErrMatch.
func newSim(eng *engine.Engine, a, b tune.Setting, length int, off bool) (*sim, error) {
	if length < 1 || length > tune.MaxLength {
		return nil, fmt.Errorf("%w: %d points, 1 to %d can be played", ErrMatch, length, tune.MaxLength)
	}
	clear := search.Settings{Cubeful: true}
	s := &sim{rules: duel.Settings{Length: length, KeepOpening: true}}
	if off {
		s.rules.Luck = &luck.Meter{Search: eng.Search(), Settings: clear}
	}
	for i, set := range [2]tune.Setting{a, b} {
		if err := set.Validate(); err != nil {
			return nil, err
		}
		p, err := set.Preset(set.String())
		if err != nil {
			return nil, fmt.Errorf("%w: %w", tune.ErrSetting, err)
		}
		s.players[i] = &player{engine: eng, preset: p, judge: clear, judges: !off}
	}
	return s, nil
}

// Pair plays pair number pair of the stream seed: two matches on the same dice. The result
// depends on the arguments and the settings alone. The error is that of ctx, which ends the
// search of deep settings and is checked once a game.
func (s *sim) Pair(ctx context.Context, seed, pair uint64) (PairResult, error) {
	var out PairResult
	for i := range out.Errors {
		s.players[i].errors = &out.Errors[i]
	}
	for seat := range uint64(2) {
		dice := rand.NewPCG(0, 0)
		throws := rand.New(dice)
		chance := duel.Chance{
			Roll: func() board.Dice {
				n := throws.IntN(36)
				return board.Dice{A: uint8(1 + n/6), B: uint8(1 + n%6)}
			},
			Noise: rand.New(rand.NewPCG(seed^0x5bd1e9955bd1e995, pair<<1|seat)),
			// Each game has its own dice, so that the two matches of a pair meet again after games of
			// different lengths.
			Begin: func(game int) { dice.Seed(seed, pair<<16|uint64(game)) },
		}
		played, err := duel.PlayOne(ctx, [2]duel.Player{s.players[seat], s.players[1-seat]}, s.rules, chance)
		if err != nil {
			return out, err
		}
		out.Games += played.Games
		won := (1+played.Result)/2 - played.Luck/2
		if seat == 1 {
			won = 1 - won
		}
		out.Won += won / 2
	}
	return out, nil
}

// player plays a setting. It ranks all plays, as a list does; a search for the best alone leaves some out.
type player struct {
	engine *engine.Engine
	preset preset.Preset
	judge  search.Settings // without noise
	judges bool            // adds its decisions to errors
	errors *Errors
	trace  func(p *board.Position) // sees every position played to; may be nil
}

// Move implements duel.Player.
func (x *player) Move(ctx context.Context, p board.Position, d board.Dice, st match.State, _ bool, seed uint64) (board.Position, error) {
	after := p
	list, err := x.engine.RankPlays(ctx, p, d, st, x.preset.WithSeed(seed))
	if len(list) > 0 {
		after = list[0].Play.Result
	}
	if x.trace != nil {
		x.trace(&after)
	}
	if err == nil && x.judges && len(list) > 1 {
		err = x.judgeMove(ctx, p, d, st, list)
	}
	return after, err
}

// judgeMove counts the play that is the first of list.
func (x *player) judgeMove(ctx context.Context, p board.Position, d board.Dice, st match.State, list []search.Candidate) (err error) {
	made := list[0].Play.Result
	if x.preset.Checker.Noise > 0 {
		if list, err = x.engine.Search().Plays(ctx, p, d, st, x.judge); err != nil {
			return err
		}
	}
	best, chosen := 0.0, 0.0
	for _, c := range list {
		best = max(best, c.MWC)
		if c.Play.Result == made {
			chosen = c.MWC
		}
	}
	unit := x.unit(st)
	x.errors.move(2*(best-chosen)/unit, unit/2)
	return nil
}

// unit is what one EMG is worth, between -1 for a lost match and 1 for a won one.
func (x *player) unit(st match.State) float64 {
	won, lost := 2*x.engine.Table().After(st, st.Cube)-1, 2*x.engine.Table().After(st, -st.Cube)-1
	return (won - lost) / 2
}

// Double implements duel.Player.
func (x *player) Double(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error) {
	yes, d, err := x.engine.Double(ctx, p, st, x.preset.WithSeed(seed))
	if err != nil {
		return false, err
	}
	return yes, x.judgeCube(ctx, p, st, &d, yes, true)
}

// Take implements duel.Player.
func (x *player) Take(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error) {
	a, err := x.engine.TakeDecision(ctx, p, st, x.preset.WithSeed(seed))
	if err != nil {
		return false, err
	}
	return a.Take, x.judgeCube(ctx, p, st, &a.Decision, a.Take, false)
}

// judgeCube counts a double, or the answer to one; d is the decision with noise.
func (x *player) judgeCube(ctx context.Context, p board.Position, st match.State, d *cube.Decision, yes, doubling bool) error {
	if !x.judges {
		return nil
	}
	if x.preset.Cube.Noise > 0 {
		clear, err := x.engine.Search().Cube(ctx, p, st, x.judge)
		if err != nil {
			return err
		}
		d = &clear
	}
	hold, take, pass := d.MWC[0], d.MWC[1], d.MWC[2]
	gain := pass - take
	if doubling {
		gain = min(take, pass) - hold
	}
	unit := x.unit(st)
	x.errors.cube(2*gain/unit, unit/2, yes, doubling)
	return nil
}

// Close implements duel.Player.
func (x *player) Close() {}
