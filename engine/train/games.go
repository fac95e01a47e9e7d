package train

import (
	"context"
	"math"
	"math/rand/v2"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// chooser plays by a judge's cubeless money equity.
type chooser struct {
	plays []board.Play
	probs []eval.Probs
}

// choose returns the judge's play; ok is false when there is no legal one. Of
// equal plays the first wins.
func (c *chooser) choose(j Judge, p board.Position, d board.Dice) (play board.Play, ok bool) {
	c.plays = board.AppendPlays(c.plays[:0], p, d)
	if len(c.plays) == 0 {
		return play, false
	}
	if cap(c.probs) < len(c.plays) {
		c.probs = make([]eval.Probs, 2*len(c.plays))
	}
	probs := c.probs[:len(c.plays)]
	j.EvalPlays(c.plays, probs)
	best := 0
	for k := range probs {
		if probs[k].Money() > probs[best].Money() {
			best = k
		}
	}
	return c.plays[best], true
}

// Player chooses a play; ok is false when there is no legal one.
type Player interface {
	Play(p board.Position, d board.Dice) (play board.Play, ok bool)
}

// JudgePlayer plays by a judge.
type JudgePlayer struct {
	Judge Judge
	c     chooser
}

// Play implements Player.
func (j *JudgePlayer) Play(p board.Position, d board.Dice) (board.Play, bool) {
	return j.c.choose(j.Judge, p, d)
}

// PubevalPlayer is Tesauro's benchmark player.
type PubevalPlayer struct {
	e     eval.Pubeval
	plays []board.Play
}

// Play implements Player.
func (u *PubevalPlayer) Play(p board.Position, d board.Dice) (board.Play, bool) {
	u.plays = board.AppendPlays(u.plays[:0], p, d)
	if len(u.plays) == 0 {
		return board.Play{}, false
	}
	return u.plays[u.e.Best(&p, u.plays)], true
}

// GamesResult is the outcome of cubeless money games.
type GamesResult struct {
	Games         int     `json:"games"`
	PointsPerGame float64 `json:"points_per_game"` // for the first player
	StandardError float64 `json:"standard_error"`  // from the pairs
}

// PlayGames plays pairs of cubeless money games between a and b, the two games of
// a pair with the same dice and the sides exchanged.
func PlayGames(ctx context.Context, a, b Player, pairs int, seed uint64) (GamesResult, error) {
	var sum, sum2 float64
	for k := range pairs {
		if err := ctx.Err(); err != nil {
			return GamesResult{}, err
		}
		v := float64(playGame(a, b, rand.New(rand.NewPCG(seed, uint64(k)))) - playGame(b, a, rand.New(rand.NewPCG(seed, uint64(k)))))
		sum += v / 2
		sum2 += v * v / 4
	}
	n := float64(max(pairs, 1))
	m := sum / n
	return GamesResult{Games: 2 * pairs, PointsPerGame: m, StandardError: math.Sqrt(max(sum2/n-m*m, 0) / n)}, nil
}

// playGame returns the points won by first, who may or may not have the first
// turn: the opening roll decides.
func playGame(first, second Player, rng *rand.Rand) int {
	p := board.Start
	d := board.Dice{}
	for d.A == d.B {
		d = board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
	}
	players := [2]Player{first, second}
	turn := 0
	if d.A < d.B {
		turn = 1
	}
	for range 10000 {
		if play, ok := players[turn].Play(p, d); ok {
			p = play.Result
		}
		if r := p.Result(); r != 0 {
			if turn == 1 {
				return -r
			}
			return r
		}
		p = p.Swap()
		turn = 1 - turn
		d = board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
	}
	return 0
}
