package main

import (
	"context"
	"errors"
	"math/rand/v2"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// maxTurns ends a game that does not end: far above anything real.
const maxTurns = 4000

// maxCube is the highest cube of a duel; nobody doubles beyond.
const maxCube = 1024

// player makes the decisions of one side of a duel. seed is different for each
// decision of a duel and the same in each run.
type player interface {
	move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, seed uint64) (board.Position, error)
	double(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error)
	take(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error)
	close()
}

type playerMaker func(ctx context.Context) (player, error)

// presetPlayer plays with the engine of this process.
type presetPlayer struct {
	engine *engine.Engine
	preset preset.Preset
}

func (x *presetPlayer) move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, seed uint64) (board.Position, error) {
	pr := x.preset.WithSeed(seed)
	if cubeless {
		pr.Checker.Cubeful = false
	}
	c, ok, err := x.engine.BestPlay(ctx, p, d, st, pr)
	if err != nil || !ok {
		return p, err
	}
	return c.Play.Result, nil
}

func (x *presetPlayer) double(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error) {
	double, _, err := x.engine.Double(ctx, p, st, x.preset.WithSeed(seed))
	return double, err
}

func (x *presetPlayer) take(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error) {
	a, err := x.engine.TakeDecision(ctx, p, st, x.preset.WithSeed(seed))
	return a.Take, err
}

func (x *presetPlayer) close() {}

// pairResult is what the two games or matches of a pair gave A: first with A in
// the first seat, then with the seats exchanged.
type pairResult struct {
	// Result is points of a money game, +1 or -1 of a match.
	Result [2]float64 `json:"result"`
	// Luck is A's luck in the same unit; zeros where nobody judges it.
	Luck  [2]float64 `json:"luck"`
	Games int        `json:"games"`
	// Edge is what A's choices are worth above B's in the same unit, and Differ at
	// how many decisions they were not the same; zeros without --differences.
	Edge   [2]float64 `json:"edge"`
	Differ int        `json:"differ"`
}

// playPair plays the same dice twice with the seats exchanged.
func playPair(ctx context.Context, two [2]player, set duelSettings, pair uint64) (out pairResult, err error) {
	for seat := range 2 {
		t := &duelTable{
			set:   set,
			dice:  rand.New(rand.NewPCG(set.seed, pair)),
			noise: rand.New(rand.NewPCG(set.seed^0x5bd1e995, pair<<1|uint64(seat))),
			side:  [2]player{two[seat], two[1-seat]},
		}
		result, n, err := t.play(ctx)
		if err != nil {
			return out, err
		}
		sign := float64(1 - 2*seat)
		out.Games += n
		out.Differ += t.differ
		out.Result[seat], out.Luck[seat], out.Edge[seat] = sign*result, sign*t.luck, sign*t.edge
	}
	return out, nil
}

// duelTable is one game or match in progress; side 0 has the first seat.
type duelTable struct {
	set         duelSettings
	dice, noise *rand.Rand
	side        [2]player
	// The first seat's so far, in the unit of results.
	luck, edge float64
	differ     int // decisions that the two would have made differently
}

func (t *duelTable) die() uint8 { return uint8(1 + t.dice.IntN(6)) }

// play returns the first seat's result and how many games it took.
func (t *duelTable) play(ctx context.Context) (float64, int, error) {
	if t.set.length == 0 {
		points, err := t.game(ctx, [2]int{}, false)
		return float64(points), 1, err
	}
	score, crawfordDone := [2]int{}, false
	for n := 1; ; n++ {
		crawford := !crawfordDone && t.set.length > 1 && (score[0] == t.set.length-1 || score[1] == t.set.length-1)
		points, err := t.game(ctx, score, crawford)
		if err != nil {
			return 0, n, err
		}
		crawfordDone = crawfordDone || crawford
		if points > 0 {
			score[0] += points
		} else {
			score[1] -= points
		}
		switch {
		case score[0] >= t.set.length:
			return 1, n, nil
		case score[1] >= t.set.length:
			return -1, n, nil
		}
	}
}

// game plays one game and returns the points of the first seat.
func (t *duelTable) game(ctx context.Context, score [2]int, crawford bool) (int, error) {
	st := match.State{
		Length: t.set.length, Score: score, Cube: 1, Crawford: crawford,
		Jacoby: t.set.jacoby && t.set.length == 0 && !t.set.cubeless,
	}
	p := board.Start
	d := board.Dice{A: t.die(), B: t.die()}
	for d.Double() {
		d = board.Dice{A: t.die(), B: t.die()}
	}
	turn, sign := 0, 1
	if d.B > d.A {
		turn, sign = 1, -1
		st = st.Swap()
	}
	for n := range maxTurns {
		if n > 0 {
			if t.mayDouble(st) {
				over, err := t.double(ctx, p, &st, turn)
				if err != nil {
					return 0, err
				}
				if over {
					return sign * st.Cube, nil
				}
			}
			d = board.Dice{A: t.die(), B: t.die()}
		}
		if t.set.luck != nil {
			if err := t.judge(ctx, p, st, d, n == 0, sign); err != nil {
				return 0, err
			}
		}
		after, err := t.move(ctx, p, d, st, turn)
		if err != nil {
			return 0, err
		}
		if points := after.Result(); points != 0 {
			if st.Jacoby && st.Owner == match.Centred {
				points = 1
			}
			return sign * points * st.Cube, nil
		}
		p, st, turn, sign = after.Swap(), st.Swap(), 1-turn, -sign
	}
	return 0, errors.New("a game does not end")
}

// mayDouble: the cube is in play, not the opponent's, and of use.
func (t *duelTable) mayDouble(st match.State) bool {
	if t.set.cubeless || st.Crawford || st.Owner == match.Theirs || st.Cube >= maxCube {
		return false
	}
	me, _ := st.Away()
	return st.Length == 0 || me > st.Cube
}

// move asks the player on turn for his play.
func (t *duelTable) move(ctx context.Context, p board.Position, d board.Dice, st match.State, turn int) (board.Position, error) {
	seed := t.noise.Uint64()
	after, err := t.side[turn].move(ctx, p, d, st, t.set.cubeless, seed)
	if err != nil || t.set.edge == nil {
		return after, err
	}
	return after, t.otherPlay(ctx, p, d, st, turn, seed, after)
}

// double asks the player on turn whether to double and the other whether to take;
// over tells that the double was dropped.
func (t *duelTable) double(ctx context.Context, p board.Position, st *match.State, turn int) (over bool, err error) {
	seed := t.noise.Uint64()
	yes, err := t.side[turn].double(ctx, p, *st, seed)
	if err != nil {
		return false, err
	}
	var take bool
	if yes {
		seed = t.noise.Uint64()
		if take, err = t.side[1-turn].take(ctx, p, *st, seed); err != nil {
			return false, err
		}
	}
	if t.set.edge != nil {
		if err := t.otherCube(ctx, p, *st, turn, seed, yes, take); err != nil {
			return false, err
		}
	}
	if !yes || !take {
		return yes, nil
	}
	st.Cube, st.Owner = 2*st.Cube, match.Theirs
	return false, nil
}

// judge adds the luck of roll d, thrown by the player on roll at p, to the first
// seat's; sign is -1 when the other seat threw it.
func (t *duelTable) judge(ctx context.Context, p board.Position, st match.State, d board.Dice, opening bool, sign int) error {
	of := t.set.luck.Roll
	if opening {
		of = t.set.luck.Opening
	}
	v, err := of(ctx, p, st, d)
	if err != nil {
		return err
	}
	t.luck += float64(sign) * unit(st) * v
	return nil
}

// unit is what one unit of the judges is worth as a result: equity at the present
// cube in points, match winning chance on the scale from -1 to 1.
func unit(st match.State) float64 {
	if st.Length == 0 {
		return float64(st.Cube)
	}
	return 2
}
