package search

import (
	"context"
	"fmt"
	"math"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/kernel"
)

// smallStep is how many steps of whole numbers a row of the small net has to 1. Rows of
// the net in the program stay below 5.
const smallStep = 512

// wholeSmall is a small net in whole numbers, so that it ranks plays alike on every
// processor.
type wholeSmall struct {
	net   *Small
	rows  []int16
	empty [SmallHidden]int16 // sums of a board without checkers
	// gates, by the kernels' layout, takes what is positive of the first
	// SmallContext sums to what they add to the factors, in steps of gateScale.
	gates [kernel.Layouts]struct {
		once  sync.Once
		layer kernel.Layer
	}
	gateStep, gateScale float32
}

func newWholeSmall(n *Small) *wholeSmall {
	w := &wholeSmall{net: n, rows: make([]int16, len(n.Rows))}
	for i, v := range n.Rows {
		w.rows[i] = steps(v, smallStep)
	}
	for k := range w.empty {
		w.empty[k] = steps(n.Bias[k], smallStep)
		for point := range 25 {
			for side := range 2 {
				w.empty[k] += w.rows[int(smallRow(side, point, 0))+k]
			}
		}
	}
	w.gateStep = w.gateGrid()
	w.gateScale = 1 / (smallStep * w.gateStep)
	return w
}

// steps is v in steps of 1/n, as far as 16 bits go.
func steps(v, n float32) int16 {
	return int16(max(min(math.RoundToEven(float64(v*n)), math.MaxInt16), math.MinInt16))
}

// gateGrid is how many steps the gates' weights may have to 1: so many that no board
// leaves 32 bits.
func (w *wholeSmall) gateGrid() float32 {
	n := w.net
	var most [SmallContext]float32 // the largest possible sums
	for j := range most {
		most[j] = max(n.Bias[j], 0)
		for first := 0; first < SmallInputs; first += smallCounts {
			top := float32(0)
			for c := range smallCounts {
				top = max(top, n.Rows[(first+c)*SmallHidden+j])
			}
			most[j] += top
		}
	}
	worst, largest := float32(0), float32(0)
	for k := range SmallHidden {
		sum := float32(0)
		for j, m := range most {
			g := float32(math.Abs(float64(n.Gate[j*SmallHidden+k])))
			sum, largest = sum+m*g, max(largest, g)
		}
		worst = max(worst, sum)
	}
	grid := float32(1 << 12)
	for grid > 1 && (worst*smallStep*grid > 1<<30 || largest*grid > math.MaxInt16) {
		grid /= 2
	}
	return grid
}

// gate is the layer of the gates for the kernels in use.
func (w *wholeSmall) gate() *kernel.Layer {
	width := kernel.BlockUnits()
	f := &w.gates[kernel.Layout()]
	f.once.Do(func() {
		units := max(SmallHidden, width)
		l := kernel.Layer{
			Units: units, BlockUnits: width, Shift: 8, SparseRows: 1, Pairs: SmallContext / 2,
			Sparse: make([]int16, units), Dense: make([]int16, SmallContext*units), One: make([]int16, units), Gain: make([]int16, units),
		}
		for j := range SmallContext {
			for u := range SmallHidden {
				block, at := u/width, u%width
				l.Dense[(block*l.Pairs+j/2)*2*width+2*kernel.DensePlace(at)+j%2] = steps(w.net.Gate[j*SmallHidden+u], w.gateStep)
			}
		}
		l.Finish()
		f.layer = l
	})
	return &f.layer
}

// wholeOfProgram is the program's small net, shared by all rankers.
var wholeOfProgram = sync.OnceValue(func() *wholeSmall { return newWholeSmall(smallNet()) })

type scored struct {
	index int
	u     float32
}

// Ranker applies a small net. It has working memory of its own: one for each
// goroutine.
type Ranker struct {
	net *wholeSmall
	// Of the present position: the first layer's sums before any play, and the
	// output row, with the utility's weights and the gates in it. They hold for
	// all rolls of the position, which is what searches and rollouts ask about. A score
	// times scale is a utility.
	base, out [SmallHidden]int16
	scale     float32
	before    board.Position // empty at first
	// merged is the output row for weights before the gates.
	weights [6]float32
	merged  [SmallHidden]float32

	swaps  []kernel.Swap
	scores []int32
	change [1]kernel.Change
	sums   kernel.Sums
	h      [256]int16
	order  [pruneMost]scored
}

// NewRanker returns a ranker that uses n, which must not change meanwhile. If n is nil, it uses
// [SmallNet].
func NewRanker(n *Small) *Ranker {
	if n == nil || n == smallNet() {
		return &Ranker{net: wholeOfProgram()}
	}
	return &Ranker{net: newWholeSmall(n)}
}

// begin prepares for the plays of p under a utility's weights. It has nothing to do
// where the last call said the same.
func (r *Ranker) begin(p *board.Position, weights *[6]float32) {
	if *p == r.before && *weights == r.weights {
		return
	}
	n := r.net.net
	if *weights != r.weights {
		r.weights = *weights
		for k := range r.merged {
			// The conversions keep processors from fusing products and sums.
			r.merged[k] = float32(weights[eval.Win]*n.Out[0][k]) + float32(weights[eval.WinGammon]*n.Out[1][k]) +
				float32(weights[eval.LoseGammon]*n.Out[2][k])
		}
	}
	if *p != r.before {
		r.before = *p
		r.sum(p)
	}
	r.voice()
}

// sum sets base to the sums of p, and sums to what they add to the factors.
func (r *Ranker) sum(p *board.Position) {
	swaps := r.swaps[:0]
	for i := range p.Me {
		if c := p.Me[i]; c > 0 {
			swaps = append(swaps, kernel.Swap{Off: 2 * smallRow(0, i, 0), On: 2 * smallRow(0, i, c)})
		}
		if c := p.Opp[i]; c > 0 {
			swaps = append(swaps, kernel.Swap{Off: 2 * smallRow(1, i, 0), On: 2 * smallRow(1, i, c)})
		}
	}
	r.swaps = swaps
	r.base = r.net.empty
	kernel.AddSwaps(&r.base, r.net.rows, swaps)
	l := r.net.gate()
	c := &r.change[0]
	c.NPairs = SmallContext / 2
	for i := range c.NPairs {
		c.Pairs[i] = kernel.Pair{Offset: uint32(4 * i * l.BlockUnits), Steps: [2]int16{max(r.base[2*i], 0), max(r.base[2*i+1], 0)}}
	}
	clear(r.sums.Dense[:l.Units])
	kernel.Hidden(l, &r.sums, r.change[:], r.h[:l.Units])
}

// places are where the gates' sums lie.
var places = func() (out [SmallHidden]uint8) {
	for k := range out {
		out[k] = uint8(kernel.DensePlace(k))
	}
	return out
}()

// voice sets the output row: the merged one with the gates in it, in steps as fine as
// keep all scores within 32 bits.
func (r *Ranker) voice() {
	var row [SmallHidden]float32
	top, scale, dense := float32(1e-9), r.net.gateScale, &r.sums.Dense
	var sums [4]float32 // an addition waits for the last one of its sum, so there are four
	for k := range row {
		gate := 1 + float32(float32(dense[places[k]])*scale)
		v := float32(gate * r.merged[k])
		row[k] = v
		a := math.Float32frombits(math.Float32bits(v) &^ (1 << 31))
		if a > top {
			top = a
		}
		// A play moves a unit's sum by less than 8.
		sums[k&3] += float32(a * float32(int32(max(r.base[k], 0))+8*smallStep))
	}
	sum := sums[0] + sums[1] + (sums[2] + sums[3])
	f := min(2047/top, float32(1<<31-1<<24)/sum)
	for k, v := range row {
		r.out[k] = nearest(v * f)
	}
	r.scale = 1 / (f * smallStep)
}

// nearest is the whole number nearest to v, the even one of two, for v of 15 bits: added to 1.5 * 2^52 it lies in the
// last bits. math.RoundToEven asks first what the processor can do.
func nearest(v float32) int16 {
	return int16(math.Float64bits(float64(v) + 3<<51))
}

// rate sets scores to those of the plays of the position given to begin: in steps of
// scale the utility, up to a constant that is the same for all its plays.
func (r *Ranker) rate(p *board.Position, plays []board.Play) {
	if cap(r.scores) < len(plays) {
		r.scores = make([]int32, 2*len(plays))
	}
	r.scores = r.scores[:len(plays)]
	kernel.Rank(r.scores, &r.base, &r.out, r.net.rows, p, plays)
}

// Shortlist moves the plays of p that the small net likes best to the front of
// plays, best first, and returns how many are worth the full net. weights are
// the utility's, in the order of eval.Probs, with a constant last.
func (r *Ranker) Shortlist(p *board.Position, plays []board.Play, weights *[6]float32, by Narrowing) int {
	most := min(by.Most, pruneMost)
	if len(plays) <= by.Least {
		return len(plays)
	}
	r.begin(p, weights)
	r.rate(p, plays)
	order := r.order[:0]
	for i := range plays {
		s := scored{i, float32(r.scores[i]) * r.scale}
		k := len(order)
		if k == most {
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
	margin := weights[eval.Win] / 2 * by.Margin
	keep := 1
	for keep < len(order) && (keep < by.Least || order[0].u-order[keep].u <= margin) {
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

// Rolls values what p is worth to the player on roll in state st once each of
// board.Rolls was thrown and answered with the play that looks best statically,
// s.Plies (0 to MaxPlies-1) more turns being looked at from there. The values
// are equities at the present cube in money play and match winning chances in
// matches. They are what a search of s.Plies+1 plies averages over, so their
// mean by weight is that search's value of p before any double.
//
// Settings with Reduced rolls have no such values; the error wraps ErrSettings.
// Other errors are those of Plays.
func (e *Engine) Rolls(ctx context.Context, p board.Position, st match.State, s Settings) (out [len(board.Rolls)]float64, err error) {
	if err := e.check(&p, &st, &s); err != nil {
		return out, err
	}
	switch {
	case s.Plies >= MaxPlies:
		return out, fmt.Errorf("%w: rolls valued at %d plies, %d is the most", ErrSettings, s.Plies, MaxPlies-1)
	case s.Reduced != 0:
		return out, fmt.Errorf("%w: every roll valued from %d of them", ErrSettings, s.Reduced)
	}
	l, other, err := e.ladders(st)
	if err != nil {
		return out, err
	}
	j := e.begin(ctx, &s)
	defer j.end()
	depth := s.Plies + 1
	spots := []cube.Spot{{Owner: st.Owner}}
	if s.Cubeful && l.MayDouble(spots[0]) {
		// As the search of the cube and of the play before do, whose nodes the cache has then.
		spots = append(spots, cube.Spot{Rung: 1, Owner: match.Theirs})
	}
	q := question{mover: l, other: other, spots: spots, settings: &s, cubeful: s.Cubeful, money: st.Length == 0}
	q.bearoffs = j.bearoffs(&p, l, &st, &s, depth, s.Cubeful)
	w := e.borrow(j.ctx, e.newPlan(q, depth))
	defer e.giveBack(w)
	w.danced[depth].known = false
	ok := w.replies(&p, depth)
	for i := range out {
		var v value
		if !ok || !w.answered(&w.answers[depth][i], depth, &v) {
			if err := j.failed(); err != nil {
				return out, err
			}
			return out, fmt.Errorf("rolls valued: %w", context.DeadlineExceeded)
		}
		out[i] = float64(v.u[0])
		if st.Length > 0 {
			out[i] = (out[i] + 1) / 2
		}
	}
	return out, nil
}
