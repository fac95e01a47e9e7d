package train

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"

	"golang.org/x/sync/errgroup"
)

// chooser plays by a judge's cubeless money equity.
type chooser struct {
	plays []board.Play
	probs []eval.Probs
}

// choose returns the judge's play, the first of equals; ok is false without a legal one.
func (c *chooser) choose(j Evaluator, p board.Position, d board.Dice) (play board.Play, ok bool) {
	play, _, ok = c.best(j, p, d)
	return play, ok
}

// best is choose with the equity of the play to the mover.
func (c *chooser) best(j Evaluator, p board.Position, d board.Dice) (play board.Play, equity float32, ok bool) {
	c.plays = board.AppendPlays(c.plays[:0], p, d)
	if len(c.plays) == 0 {
		return play, 0, false
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
	return c.plays[best], probs[best].Money(), true
}

// Player chooses a play; ok is false without a legal one.
type Player interface {
	Play(p board.Position, d board.Dice) (play board.Play, ok bool)
}

// NetPlayer plays by an evaluator at 0 plies.
type NetPlayer struct {
	Net Evaluator
	c   chooser
}

// Play implements Player.
func (n *NetPlayer) Play(p board.Position, d board.Dice) (board.Play, bool) {
	return n.c.choose(n.Net, p, d)
}

// TeacherPlayer plays by a teacher's labels at a fixed depth. After an error it has no play
// and Err returns the error.
type TeacherPlayer struct {
	Teacher Teacher
	Plies   int
	Err     error

	plays  []board.Play
	keys   []board.Key
	labels []Label
}

// Play implements Player.
func (t *TeacherPlayer) Play(p board.Position, d board.Dice) (board.Play, bool) {
	t.plays = board.AppendPlays(t.plays[:0], p, d)
	if len(t.plays) == 0 || t.Err != nil {
		return board.Play{}, false
	}
	t.keys = t.keys[:0]
	for i := range t.plays {
		t.keys = append(t.keys, t.plays[i].Result.Swap().Key())
	}
	t.labels = slices.Grow(t.labels[:0], len(t.keys))[:len(t.keys)]
	if t.Err = t.Teacher.Label(t.keys, t.Plies, t.labels); t.Err != nil {
		return board.Play{}, false
	}
	best := 0
	for i := range t.labels {
		if t.labels[i].Probs().Money() < t.labels[best].Probs().Money() { // the opponent's equity
			best = i
		}
	}
	return t.plays[best], true
}

// GamesResult is the outcome of cubeless money games. The adjusted figures are without the
// luck of the dice, as Contest.Luck values it, or 0 without Luck.
type GamesResult struct {
	Games         int     `json:"games"`
	PointsPerGame float64 `json:"points_per_game"` // for the first player
	StandardError float64 `json:"standard_error"`  // from the pairs
	Adjusted      float64 `json:"adjusted_points_per_game"`
	AdjustedError float64 `json:"adjusted_standard_error"`
}

// Contest is a series of games between two players.
type Contest struct {
	A, B Player // the two games of a pair have the same dice and the sides exchanged
	Seed uint64 // pair k of a seed always has the same dice
	// Luck, unless nil, values the luck of every roll: the equity of its best play less the mean
	// over all rolls. The mean of luck is zero whatever the judge, so the adjusted result is
	// unbiased; a good judge makes it precise.
	Luck Evaluator

	c chooser
}

// pairResult is half the difference of the points of a pair's games, and the same without
// luck.
type pairResult [2]float64

// PlayContest plays so many pairs, each goroutine with a contest of its own. report, unless nil,
// is called with the number of pairs played.
func PlayContest(ctx context.Context, contest func() *Contest, pairs int, report func(pairs int)) (GamesResult, error) {
	results := make([]pairResult, pairs)
	err := Parallel(ctx, pairs, report, func() func(k int) error {
		g := contest()
		return func(k int) error {
			p1, l1 := g.game(g.A, g.B, rand.New(rand.NewPCG(g.Seed, uint64(k))))
			p2, l2 := g.game(g.B, g.A, rand.New(rand.NewPCG(g.Seed, uint64(k))))
			v := float64(p1-p2) / 2
			results[k] = pairResult{v, v - (l1-l2)/2}
			return nil
		}
	})
	if err != nil {
		return GamesResult{}, err
	}
	var sum, sum2, adj, adj2 float64
	for _, p := range results {
		v, w := p[0], p[1]
		sum, sum2, adj, adj2 = sum+v, sum2+v*v, adj+w, adj2+w*w
	}
	n := float64(max(pairs, 1))
	r := GamesResult{Games: 2 * pairs, PointsPerGame: sum / n, StandardError: meanError(sum, sum2, n)}
	if contest().Luck != nil {
		r.Adjusted, r.AdjustedError = adj/n, meanError(adj, adj2, n)
	}
	return r, nil
}

// Parallel calls one function for each k below n, on all processors, each goroutine a function of
// its own. The first error ends it. report, unless nil, is called with the number done.
func Parallel(ctx context.Context, n int, report func(done int), of func() func(k int) error) error {
	team, ctx := errgroup.WithContext(ctx)
	var next, done atomic.Int64
	var mu sync.Mutex
	for range min(n, runtime.GOMAXPROCS(0)) {
		team.Go(func() error {
			do := of()
			for k := next.Add(1) - 1; k < int64(n); k = next.Add(1) - 1 {
				if err := cmp.Or(ctx.Err(), do(int(k))); err != nil {
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
	return team.Wait()
}

// meanError is the standard error of the mean of n values from their sums.
func meanError(sum, sum2, n float64) float64 {
	m := sum / n
	return math.Sqrt(max(sum2/n-m*m, 0) / n)
}

// game returns the points won by first and its luck. The opening roll decides
// who begins.
func (g *Contest) game(first, second Player, rng *rand.Rand) (points int, luck float64) {
	p := board.Start
	d := board.Dice{}
	for d.A == d.B {
		d = board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
	}
	players, sign := [2]Player{first, second}, [2]int{1, -1}
	turn := 0
	if d.A < d.B {
		turn = 1
	}
	for ply := range 10000 {
		if g.Luck != nil && ply > 0 { // the opening roll is the same for both games of a pair
			luck += float64(sign[turn]) * g.luck(p, d)
		}
		if play, ok := players[turn].Play(p, d); ok {
			p = play.Result
		}
		if r := p.Result(); r != 0 {
			return sign[turn] * r, luck
		}
		p = p.Swap()
		turn = 1 - turn
		d = board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
	}
	return 0, luck
}

// luck is the value of the roll to the player on roll above the mean of rolls.
func (g *Contest) luck(p board.Position, d board.Dice) float64 {
	var got, mean float64
	for _, r := range board.Rolls {
		v := g.worth(p, r.Dice)
		mean += float64(r.Weight) / 36 * v
		if r.Dice == d.Sorted() {
			got = v
		}
	}
	return got - mean
}

// worth is the equity after the best play of a roll, by the judge of luck.
func (g *Contest) worth(p board.Position, d board.Dice) float64 {
	_, best, ok := g.c.best(g.Luck, p, d)
	if !ok {
		// No legal play: the position as it is, the other side on roll, as if by one play that
		// changes nothing.
		g.c.plays = append(g.c.plays[:0], board.Play{Result: p})
		g.c.probs = slices.Grow(g.c.probs[:0], 1)[:1]
		g.Luck.EvalPlays(g.c.plays, g.c.probs)
		return float64(g.c.probs[0].Money())
	}
	return float64(best)
}
