package ratings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
)

// ErrMatch means a match that cannot be played.
var ErrMatch = errors.New("no such match")

// maxTurns ends a game that does not end: far above anything real.
const maxTurns = 4000

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
	eng    *engine.Engine
	sides  [2]side
	length int
	// off subtracts the luck of all rolls except the first of each game from the results. A match
	// then says several times as much and costs some fifteen times as much at 0 plies. Otherwise
	// the losses of plays and cube actions are measured, against the evaluation without noise.
	off     bool
	judge   *fastPlayer // evaluates luck, without noise
	source  *rand.PCG   // of dice
	dice    *rand.Rand
	noise   *rand.PCG
	ladders map[rung]ladders
	errors  [2]*Errors              // by seat
	luck    float64                 // seat 0's so far, in utility
	trace   func(p *board.Position) // sees every position played to; may be nil
}

// side is one of the two players.
type side struct {
	fast    *fastPlayer
	setting tune.Setting
	human   human.Style
	deep    preset.Preset
}

// rung identifies a ladder of a match, in the view of seat 0.
type rung struct {
	me, opp, cube  int
	crawford, post bool
}

// newSim makes a simulator of matches of length points between a and b; off subtracts the luck.
// The error wraps ErrSetting or ErrMatch.
func newSim(eng *engine.Engine, a, b tune.Setting, length int, off bool) (*sim, error) {
	if length < 1 || length > tune.MaxLength {
		return nil, fmt.Errorf("%w: %d points, 1 to %d can be played", ErrMatch, length, tune.MaxLength)
	}
	s := &sim{eng: eng, length: length, off: off, judge: newFastPlayer(eng), ladders: map[rung]ladders{}, source: rand.NewPCG(0, 0), noise: rand.NewPCG(0, 0)}
	s.dice = rand.New(s.source)
	for i, set := range [2]tune.Setting{a, b} {
		if err := set.Validate(); err != nil {
			return nil, err
		}
		x := side{fast: newFastPlayer(eng), setting: set}
		if set.Style == tune.Human {
			x.human = human.Style{Checker: set.Checker, Cube: set.Cube, Character: set.Character}
		}
		if set.Deep != "" {
			p, err := set.Preset(set.Deep)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", tune.ErrSetting, err)
			}
			x.deep = p
		}
		s.sides[i] = x
	}
	return s, nil
}

// Pair plays pair number pair of the stream seed: two matches on the same dice. The result
// depends on the arguments and the settings alone. The error is that of ctx, which ends the
// search of deep settings and is checked once a game.
func (s *sim) Pair(ctx context.Context, seed, pair uint64) (PairResult, error) {
	var out PairResult
	for seat := range 2 {
		// Seat 0 is a in the first match, b in the second.
		order := [2]int{seat, 1 - seat}
		for i := range 2 {
			s.errors[i] = &out.Errors[order[i]]
		}
		won, games, err := s.match(ctx, order, seed, pair, uint64(seat))
		if err != nil {
			return out, err
		}
		out.Games += games
		won -= s.luck / 2 // utility to match winning chance
		if seat == 1 {
			won = 1 - won
		}
		out.Won += won / 2
	}
	return out, nil
}

// match plays one match and returns 1 when seat 0 won it, else 0.
func (s *sim) match(ctx context.Context, order [2]int, seed, pair, seat uint64) (won float64, games int, err error) {
	s.luck = 0
	s.noise.Seed(seed^0x5bd1e9955bd1e995, pair<<1|seat)
	st := match.State{Length: s.length, Cube: 1}
	for games = 1; ; games++ {
		if err := ctx.Err(); err != nil {
			return 0, games, err
		}
		// Each game has its own dice, so that the two matches of a pair meet again after games of
		// different lengths.
		s.source.Seed(seed, pair<<16|uint64(games))
		points, err := s.game(ctx, order, st)
		if err != nil {
			return 0, games, err
		}
		st = st.NextGame(points, true)
		if st.Finished() {
			if points > 0 {
				return 1, games, nil
			}
			return 0, games, nil
		}
	}
}

func (s *sim) roll() board.Dice {
	n := s.dice.IntN(36)
	return board.Dice{A: uint8(1 + n/6), B: uint8(1 + n%6)}
}

// ladder returns both views of the cube for state st of seat 0.
func (s *sim) ladder(st match.State) (ladders, error) {
	me, opp := st.Away()
	key := rung{me, opp, st.Cube, st.Crawford, st.PostCrawford()}
	if l, ok := s.ladders[key]; ok {
		return l, nil
	}
	l, err := cube.NewLadder(s.eng.Table(), st)
	if err != nil {
		return ladders{}, fmt.Errorf("%w: %w", ErrMatch, err)
	}
	both := ladders{l, l.Swap()}
	s.ladders[key] = both
	return both, nil
}

// game plays one game from state st of seat 0 and returns seat 0's points.
func (s *sim) game(ctx context.Context, order [2]int, st match.State) (int, error) {
	lad, err := s.ladder(st)
	if err != nil {
		return 0, err
	}
	p := board.Start
	d := s.roll()
	for d.Double() {
		d = s.roll()
	}
	turn, sign := 0, 1
	if d.B > d.A {
		turn, sign = 1, -1
		st, lad = st.Swap(), lad.swap()
	}
	for n := range maxTurns {
		if n > 0 {
			if lad[0].MayDouble(cube.Spot{Owner: st.Owner}) {
				answer, err := s.cube(ctx, order, turn, &p, &st, lad)
				if err != nil {
					return 0, err
				}
				if answer == dropped {
					return sign * st.Cube, nil
				}
				if answer == taken {
					st = st.Doubled()
					seat := st
					if turn == 1 {
						seat = st.Swap()
					}
					if lad, err = s.ladder(seat); err != nil {
						return 0, err
					}
					if turn == 1 {
						lad = lad.swap()
					}
				}
			}
			d = s.roll()
			if s.off {
				s.luck += float64(sign) * s.luckOf(&p, d, &st, lad)
			}
		}
		after, err := s.play(ctx, order[turn], turn, &p, d, &st, lad)
		if err != nil {
			return 0, err
		}
		if s.trace != nil {
			s.trace(&after)
		}
		if points := after.Result(); points != 0 {
			return sign * points * st.Cube, nil
		}
		p, st, lad, turn, sign = after.Swap(), st.Swap(), lad.swap(), 1-turn, -sign
	}
	return 0, fmt.Errorf("%w: a game does not end", ErrMatch)
}

// play returns the position after the play of the side on turn, in its own view.
func (s *sim) play(ctx context.Context, who, seat int, p *board.Position, d board.Dice, st *match.State, lad ladders) (board.Position, error) {
	x := &s.sides[who]
	seed := s.noise.Uint64()
	if x.setting.Deep != "" {
		list, err := s.eng.RankPlays(ctx, *p, d, *st, x.deep.WithSeed(seed))
		if err != nil || len(list) == 0 {
			return *p, err
		}
		return list[0].Play.Result, nil
	}
	l := x.fast
	noise := 0.0
	if x.setting.Style == tune.Noise {
		noise = x.setting.Checker
	}
	wantLoss := !s.off || x.setting.Style == tune.Human
	n := l.rank(p, d, st, lad, noise, seed, wantLoss)
	switch n {
	case 0:
		return *p, nil
	case 1:
		return l.plays[0].Result, nil
	}
	if !wantLoss {
		return l.plays[l.best(l.noisy, n, lad, st.Owner, noise, seed)].Result, nil
	}
	top := l.clean[0]
	for _, u := range l.clean[1:n] {
		top = max(top, u)
	}
	scale := lad.scale(st.Owner)
	for i := range n {
		l.losses[i] = (top - l.clean[i]) / scale
	}
	var chosen int
	if x.setting.Style == tune.Human && x.human.Checker > 0 {
		chosen = x.human.Choose(p, l.plays[:n], l.losses[:n], seed)
	} else {
		chosen = l.best(l.noisy, n, lad, st.Owner, noise, seed)
	}
	if !s.off {
		s.errors[seat].move(l.losses[chosen], scale/2)
	}
	return l.plays[chosen].Result, nil
}

// The outcomes of the moment before a roll.
const (
	rolled = iota
	taken
	dropped
)

// cube asks the side on turn whether to double, and the other whether to take.
func (s *sim) cube(ctx context.Context, order [2]int, turn int, p *board.Position, st *match.State, lad ladders) (int, error) {
	double, err := s.ask(ctx, order[turn], turn, p, st, lad, true)
	if err != nil || !double {
		return rolled, err
	}
	take, err := s.ask(ctx, order[1-turn], 1-turn, p, st, lad, false)
	if err != nil || take {
		return taken, err
	}
	return dropped, nil
}

// ask puts one cube decision to side who: to double, as the player on roll at p,
// or to take, as the other.
func (s *sim) ask(ctx context.Context, who, seat int, p *board.Position, st *match.State, lad ladders, doubling bool) (bool, error) {
	x := &s.sides[who]
	seed := s.noise.Uint64()
	if x.setting.Deep != "" {
		set := x.deep
		set.Cube.Seed = seed
		d, err := s.eng.CubeDecision(ctx, *p, *st, set)
		if doubling {
			return err == nil && d.Action.Double(), err
		}
		return err == nil && d.DoubleTake <= d.DoublePass, err
	}
	noise := 0.0
	if x.setting.Style == tune.Noise {
		noise = x.setting.Cube
	}
	seen := x.fast.weigh(p, st, lad, noise, seed)
	gain := seen.take
	if doubling {
		gain = seen.gain
	}
	var yes bool
	switch {
	case x.setting.Style == tune.Human && doubling:
		yes = x.human.Doubles(&seen.view, seed)
	case x.setting.Style == tune.Human:
		yes = x.human.Takes(&seen.view, seed)
	case doubling:
		yes = gain > 1e-7
	default:
		yes = gain >= 0
	}
	if !s.off {
		if noise > 0 {
			clean := x.fast.weigh(p, st, lad, 0, 0)
			if gain = clean.take; doubling {
				gain = clean.gain
			}
		}
		s.errors[seat].cube(gain, lad.scale(st.Owner)/2, yes, doubling)
	}
	return yes, nil
}

// luckOf is the value of roll d above the average roll to the player on roll at p: utility after
// its best play, without noise.
func (s *sim) luckOf(p *board.Position, d board.Dice, st *match.State, lad ladders) float64 {
	d = d.Sorted()
	mean, mine := 0.0, 0.0
	for i := range board.Rolls {
		r := &board.Rolls[i]
		u := s.afterBest(p, r.Dice, st, lad)
		mean += float64(r.Weight) / 36 * u
		if r.Dice.Sorted() == d {
			mine = u
		}
	}
	return mine - mean
}

// afterBest is the mover's utility after the best play of d.
func (s *sim) afterBest(p *board.Position, d board.Dice, st *match.State, lad ladders) float64 {
	l := s.judge
	n := l.rank(p, d, st, lad, 0, 0, false)
	if n >= 2 {
		top := l.noisy[0]
		for _, u := range l.noisy[1:n] {
			top = max(top, u)
		}
		return top
	}
	next := p.Swap()
	if n == 1 {
		next = l.plays[0].Result.Swap()
	}
	if points := next.Result(); points != 0 {
		return -lad[1].Result(cube.Spot{Owner: st.Owner}.Swap(), points)
	}
	opponent := st.Swap()
	return -l.worth(&next, &opponent, lad.swap())
}
