package search

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// SmallHidden is the width of the small net.
const SmallHidden = 16

// smallCounts is how many checkers on a point the small net tells apart.
const smallCounts = 8

// Small is a net that only has to say which few plays of a roll could be the
// best. Its inputs are nothing but the checkers on each point after the play,
// each a row of weights, so that the plays of a roll differ in a handful of rows
// from the position before; one hidden layer; three linear outputs: the chances
// to win, to win a gammon and to lose one, each up to a constant that is the
// same for all plays of the roll. It is made by engine/search/prunefit.
type Small struct {
	// Rows holds the first layer by side (mover, opponent), point and checkers
	// there, seven counting for more.
	Rows [2][25][smallCounts][SmallHidden]float32
	Bias [SmallHidden]float32
	Out  [3][SmallHidden]float32
}

//go:embed small.bin
var smallFile []byte

// smallNet is the net in the binary; a test reads it.
var smallNet = sync.OnceValue(func() *Small {
	n, err := readSmall(smallFile)
	if err != nil {
		panic(err)
	}
	return n
})

func readSmall(b []byte) (*Small, error) {
	n := new(Small)
	if want := binary.Size(n); len(b) != want {
		return nil, fmt.Errorf("small net: %d bytes, want %d", len(b), want)
	}
	if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, n); err != nil {
		return nil, fmt.Errorf("small net: %w", err)
	}
	return n, nil
}

func (n *Small) row(side, point int, count uint8) *[SmallHidden]float32 {
	return &n.Rows[side][point][min(count, smallCounts-1)]
}

// Sum writes the first layer's sums for the position before any play, the mover
// being Me.
func (n *Small) Sum(p *board.Position, sum *[SmallHidden]float32) {
	*sum = n.Bias
	for i := range p.Me {
		a, b := n.row(0, i, p.Me[i]), n.row(1, i, p.Opp[i])
		for k := range sum {
			sum[k] += a[k] + b[k]
		}
	}
}

// After changes sum from the position p to that after play.
func (n *Small) After(p *board.Position, play *board.Play, sum *[SmallHidden]float32) {
	var touched uint32
	for _, s := range play.Steps[:play.N] {
		touched |= 1 << uint(s.From)
		if s.To >= 0 {
			touched |= 1 << uint(s.To)
		}
	}
	hit := p.Opp[board.Bar] != play.Result.Opp[board.Bar]
	if hit {
		n.shift(1, board.Bar, p.Opp[board.Bar], play.Result.Opp[board.Bar], sum)
	}
	for ; touched != 0; touched &= touched - 1 {
		i := bits.TrailingZeros32(touched)
		n.shift(0, i, p.Me[i], play.Result.Me[i], sum)
		if hit && i < board.Bar {
			n.shift(1, 23-i, p.Opp[23-i], play.Result.Opp[23-i], sum)
		}
	}
}

func (n *Small) shift(side, point int, from, to uint8, sum *[SmallHidden]float32) {
	if from == to {
		return
	}
	a, b := n.row(side, point, from), n.row(side, point, to)
	for k := range sum {
		sum[k] += b[k] - a[k]
	}
}

// merge folds the output layer and the weights of a utility into one row.
func (n *Small) merge(w *[6]float32) (out [SmallHidden]float32) {
	for k := range out {
		out[k] = w[eval.Win]*n.Out[0][k] + w[eval.WinGammon]*n.Out[1][k] + w[eval.LoseGammon]*n.Out[2][k]
	}
	return out
}

// score is the merged output for first-layer sums.
func score(out, sum *[SmallHidden]float32) (u float32) {
	for k, x := range sum {
		if x > 0 {
			u += out[k] * x
		}
	}
	return u
}

// How many replies go on to the full net: those within pruneMargin of the best
// (in units of the utility, a single game being worth 1 in money), at least
// pruneLeast and at most pruneMost.
const (
	pruneLeast  = 2
	pruneMost   = 6
	pruneMargin = 0.12
)

type scored struct {
	index int
	u     float32
}

// shortlist moves the plays of p that the small net likes best to the front of
// plays, best first, and returns how many are worth the full net. weights are
// the utility's; order is working memory for at most pruneMost entries.
func (n *Small) shortlist(p *board.Position, plays []board.Play, weights *[6]float32, order []scored) int {
	if len(plays) <= pruneLeast {
		return len(plays)
	}
	out := n.merge(weights)
	var base [SmallHidden]float32
	n.Sum(p, &base)
	order = order[:0]
	for i := range plays {
		sum := base
		n.After(p, &plays[i], &sum)
		s := scored{i, score(&out, &sum)}
		k := len(order)
		if k == pruneMost {
			if s.u <= order[k-1].u {
				continue
			}
			k--
		} else {
			order = append(order, s)
		}
		for k > 0 && order[k-1].u < s.u {
			order[k] = order[k-1]
			k--
		}
		order[k] = s
	}
	// The margin is in units of what winning instead of losing is worth.
	margin := weights[eval.Win] / 2 * pruneMargin
	keep := 1
	for keep < len(order) && (keep < pruneLeast || order[0].u-order[keep].u <= margin) {
		keep++
	}
	order = order[:keep]
	// Carry the chosen ones to the front; a later choice may sit where an
	// earlier one has to go, so follow it when it is swapped away.
	for to := range order {
		from := order[to].index
		plays[to], plays[from] = plays[from], plays[to]
		for k := to + 1; k < len(order); k++ {
			if order[k].index == to {
				order[k].index = from
			}
		}
	}
	return keep
}
