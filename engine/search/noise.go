package search

import (
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// noise makes weaker players: it adds a normal deviate to every chance of a
// static evaluation. The deviate is a function of the position and the seed, so
// a decision can be repeated, for any number of threads.
type noise struct {
	deviation float64
	seed      uint64
}

// The shares of the winning chance's deviation that gammons and backgammons get,
// as in gnubg.
const (
	gammonShare     = 0.25
	backgammonShare = 0.01
)

// add disturbs pr, the chances of position p. The noise is centred: where a
// chance is so near 0 or 1 that the deviate would leave the range, it is cut on
// both sides alike, so that a sure thing stays one and the mean is not moved.
// Gammons keep their share of the disturbed wins and losses before their own
// deviate, which keeps the distribution valid.
func (n *noise) add(p *board.Position, pr *eval.Probs) {
	if n.deviation == 0 {
		return
	}
	a, b := hashPosition(p)
	h := mix(a, b, n.seed)
	var z [5]float64
	for i := range z {
		z[i] = deviate(mix(h, uint64(i), 1), mix(h, uint64(i), 2)) * n.deviation
	}
	win := float64(pr[eval.Win])
	w := symmetric(win, z[0], 1)
	scale := func(v, old, now float64) float64 {
		if old <= 0 {
			return 0
		}
		return v * now / old
	}
	wg := symmetric(scale(float64(pr[eval.WinGammon]), win, w), z[1]*gammonShare, w)
	lg := symmetric(scale(float64(pr[eval.LoseGammon]), 1-win, 1-w), z[3]*gammonShare, 1-w)
	wb := symmetric(scale(float64(pr[eval.WinBackgammon]), float64(pr[eval.WinGammon]), wg), z[2]*backgammonShare, wg)
	lb := symmetric(scale(float64(pr[eval.LoseBackgammon]), float64(pr[eval.LoseGammon]), lg), z[4]*backgammonShare, lg)
	*pr = eval.Probs{float32(w), float32(wg), float32(wb), float32(lg), float32(lb)}
}

// symmetric returns v+d with d cut so that v-d and v+d both lie in [0,hi].
func symmetric(v, d, hi float64) float64 {
	room := max(0, min(v, hi-v))
	return v + max(-room, min(room, d))
}

// deviate turns two random words into one standard normal number (Box and
// Muller 1958).
func deviate(a, b uint64) float64 {
	u := (float64(a>>11) + 0.5) / (1 << 53)
	v := float64(b>>11) / (1 << 53)
	return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
}
