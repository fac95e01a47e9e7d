package engine

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/testsize"
)

// brute solves bearoffs with the cube by trying everything: an own generator of plays, own
// rules of the cube, and of the program nothing but what matches are worth between games.
type brute struct {
	table *match.Table // nil is money play without beavers
	away  [2]int       // what each of the two players needs, the one of place 0 first
	post  bool         // the Crawford game has been played
	no    bool         // it is the Crawford game
	top   int          // the largest cube: neither side doubles it
	known map[bruteKey]float64
}

// bruteHome is the checkers of a player on his six points, ace first.
type bruteHome [6]int8

// bruteKey is a position before the roll of player who, its value his to win.
type bruteKey struct {
	me, opp bruteHome
	who     int
	cube    int
	owner   int // -1 neither player, otherwise the player 0 or 1
}

// ended is what player who has when he wins points (negative: loses them): the chance to
// win the match, or points.
func (b *brute) ended(who, points int) float64 {
	if b.table == nil {
		return float64(points)
	}
	me, opp := b.away[who], b.away[1-who]
	if points > 0 {
		me = max(me-points, 0)
	} else {
		opp = max(opp+points, 0)
	}
	if me == 0 || opp == 0 {
		return float64(1 - min(me, 1))
	}
	return b.table.Equity(me, opp, b.post || b.no)
}

// other is what a player has where the other one has v.
func (b *brute) other(v float64) float64 {
	if b.table == nil {
		return -v
	}
	return 1 - v
}

// afterDie is every board that a die makes of h.
func afterDie(h bruteHome, die int) (out []bruteHome) {
	rear := -1
	for i, n := range h {
		if n > 0 {
			rear = i
		}
	}
	for from, n := range h {
		if n == 0 || from-die < 0 && from-die != -1 && from != rear {
			continue
		}
		next := h
		next[from]--
		if from-die >= 0 {
			next[from-die]++
		}
		out = append(out, next)
	}
	return out
}

// afterRoll is every board that a roll makes of h; with checkers at home alone every die
// can be played as long as there are any.
func afterRoll(h bruteHome, a, b int) (out []bruteHome) {
	orders := [][]int{{a, b}, {b, a}}
	if a == b {
		orders = [][]int{{a, a, a, a}}
	}
	for _, dice := range orders {
		at := []bruteHome{h}
		for _, die := range dice {
			var next []bruteHome
			for _, x := range at {
				if x == (bruteHome{}) {
					next = append(next, x)
				} else {
					next = append(next, afterDie(x, die)...)
				}
			}
			at = next
		}
		out = append(out, at...)
	}
	return out
}

// roll is what the player on roll has who does not double now.
func (b *brute) roll(k bruteKey) float64 {
	if v, ok := b.known[k]; ok {
		return v
	}
	sum := 0.0
	for x := 1; x <= 6; x++ {
		for y := 1; y <= 6; y++ {
			best := math.Inf(-1)
			for _, h := range afterRoll(k.me, x, y) {
				if h == (bruteHome{}) {
					best = max(best, b.ended(k.who, k.cube))
				} else {
					best = max(best, b.other(b.best(bruteKey{k.opp, h, 1 - k.who, k.cube, k.owner})))
				}
			}
			sum += best
		}
	}
	b.known[k] = sum / 36
	return sum / 36
}

// taken is what the player on roll has who doubled and was taken.
func (b *brute) taken(k bruteKey) float64 {
	k.cube, k.owner = 2*k.cube, 1-k.who
	return b.roll(k)
}

// best is what the player on roll has.
func (b *brute) best(k bruteKey) float64 {
	v := b.roll(k)
	if k.owner == 1-k.who || b.no || k.cube >= b.top {
		return v
	}
	return max(v, min(b.taken(k), b.ended(k.who, k.cube)))
}

// The equities of bearoffs with the cube are those that trying everything finds: in money
// play and at scores before, in and after the Crawford game, with the cube on either side.
func TestEngine_bearoffsAgainstBruteForce(t *testing.T) {
	testsize.Medium(t)
	e, err := Open(Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx, presets := context.Background(), []preset.Preset{named(t, "expert"), named(t, "worldclass")}
	table := match.DefaultTable()
	rng := rand.New(rand.NewPCG(17, 6))
	home := func() (c board.Checkers, h bruteHome) {
		for range 1 + rng.IntN(3) {
			i := rng.IntN(5)
			c[i]++
			h[i]++
		}
		return c, h
	}
	for _, s := range []match.State{
		{Cube: 1}, {Cube: 2, Owner: match.Mine}, {Cube: 4, Owner: match.Theirs},
		{Length: 5, Cube: 1},
		{Length: 7, Score: [2]int{4, 3}, Cube: 2, Owner: match.Mine},
		{Length: 7, Score: [2]int{3, 4}, Cube: 2, Owner: match.Theirs},
		{Length: 9, Score: [2]int{2, 7}, Cube: 2, Owner: match.Mine},
		{Length: 9, Score: [2]int{7, 2}, Cube: 1},
		{Length: 25, Score: [2]int{20, 1}, Cube: 1},
		{Length: 25, Score: [2]int{4, 11}, Cube: 4, Owner: match.Theirs},
		{Length: 5, Score: [2]int{4, 2}, Cube: 1, Crawford: true},
		{Length: 5, Score: [2]int{1, 4}, Cube: 1, Crawford: true},
		{Length: 5, Score: [2]int{4, 1}, Cube: 1},
		{Length: 7, Score: [2]int{2, 6}, Cube: 1},
		{Length: 7, Score: [2]int{2, 6}, Cube: 2, Owner: match.Theirs},
	} {
		b := &brute{top: 64, no: s.Crawford, known: map[bruteKey]float64{}}
		if s.Length > 0 {
			b.table, b.away = table, [2]int{s.Length - s.Score[0], s.Length - s.Score[1]}
			b.post = min(b.away[0], b.away[1]) == 1 && !s.Crawford
			b.top = 4 * max(b.away[0], b.away[1])
		}
		for range 2 {
			var p board.Position
			k := bruteKey{cube: s.Cube, owner: map[match.Owner]int{match.Centred: -1, match.Mine: 0, match.Theirs: 1}[s.Owner]}
			p.Me, k.me = home()
			p.Opp, k.opp = home()
			// In equity at the present cube.
			emg := func(v float64) float64 {
				if s.Length == 0 {
					return v / float64(s.Cube)
				}
				return table.EMG(s, v)
			}
			near := func(what, preset string, got, want float64) {
				if math.Abs(got-want) > 3e-4 {
					t.Errorf("%s at %+v, %s by %s: %.5f, by trying everything %.5f", p.ID(), s, what, preset, got, want)
				}
			}
			for _, pr := range presets {
				v, err := e.Evaluate(ctx, p, s, pr)
				if err != nil {
					t.Fatal(err)
				}
				near("cubeful", pr.Name, v.Cubeful, emg(b.best(k)))
				d, err := e.CubeDecision(ctx, p, s, pr)
				if err != nil {
					t.Fatal(err)
				}
				if !d.Available() {
					continue
				}
				near("no double", pr.Name, d.NoDouble, emg(b.roll(k)))
				near("double, take", pr.Name, d.DoubleTake, emg(b.taken(k)))
			}
		}
	}
}
