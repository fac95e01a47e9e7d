package nn

import (
	"math"
	"math/bits"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/internal/kernel"
)

// Nets are evaluated in whole numbers: first-layer weights as 16-bit steps, computed inputs as steps of
// 1/InputSteps, values of units in steps of 2^-13, weights behind them as 16-bit steps. So a
// position has the same value to the bit from whichever sibling its sum was updated,
// on every processor.

// inputSet is how the inputs of one kind of net are laid out.
type inputSet struct {
	kinds, side, offRow, sparse, dense int
	// places says where Dense has the input of each row behind the sparse ones.
	places []int
	// shift is the exponent of the steps of computed inputs. Race nets answer to tenths
	// of a pip, for which the contact nets' steps are too coarse.
	shift int
}

var (
	inputsOfContact = inputSet{PointKinds, SideSparse, OffRow, NumSparse, NumDense, contactPlaces, 8}
	inputsOfRace    = inputSet{RacePointKinds, RaceSideSparse, RaceOffRow, NumRaceSparse, NumRaceDense, racePlaces, 12}
)

// whole is a net in whole numbers, laid out for one width of blocks.
type whole struct {
	inputs *inputSet
	layer  kernel.Layer
	start  kernel.Sums    // of a board without checkers
	second *kernel.Second // what follows, or nil where that is the outputs:
	out    []int16        // five rows
	// scale and bias turn the outputs' whole numbers into what goes through the
	// sigmoid, repeated for every position of a batch.
	scale, bias [kernelOutputs]float32
	steps       float32
}

// kernelOutputs are the outputs of a batch, in one row.
const kernelOutputs = 5 * BatchSize

// wholeForm is the net in whole numbers for the kernels in use. It is made when it is first asked
// for, which takes some milliseconds.
func (n *Net) wholeForm() *whole {
	f := &n.forms[kernel.Layout()]
	f.once.Do(func() { f.whole = n.makeWhole(kernel.BlockUnits()) })
	return f.whole
}

// Kernel names the arithmetic that this processor runs: "avx512", "avx2", "neon" or "go".
func Kernel() string { return kernel.Name() }

// Arithmetic names the way in which values are computed: results of equal nets are
// equal to the bit where it is the same.
const Arithmetic = "int16-1"

// The grids of units: a unit counts in steps of 2^-g, as fine as keeps all its sums
// within 16 bits, but no finer than weights are kept. Weights up to maxWeight fit in steps of 1.
const unitOne = 14 // Gain brings One to 2^14

// makeWhole lays the net out.
func (n *Net) makeWhole(width int) *whole {
	in, rest := &inputsOfContact, n.rest
	if n.Race() {
		in = &inputsOfRace
	}
	multiple := width
	if rest.Second > 0 {
		multiple = max(width, kernel.SecondPart)
	}
	units := (rest.Hidden + multiple - 1) / multiple * multiple
	pairs := (in.dense + 1) / 2
	w := &whole{inputs: in, steps: float32(int(1) << in.shift)}
	w.layer = kernel.Layer{
		Units: units, BlockUnits: width, Shift: in.shift, SparseRows: in.sparse, Pairs: pairs,
		Sparse: make([]int16, in.sparse*units), Dense: make([]int16, 2*pairs*units),
		One: make([]int16, units), Gain: make([]int16, units),
	}
	const together = 128 // units whose columns are read at a time
	column := make([]float32, rest.Inputs)
	rows := make([]float32, rest.Inputs*together)
	for u := range units {
		w.start.Dense[kernel.DensePlace(u)] = 1 << (in.shift - 1)
		w.layer.One[u], w.layer.Gain[u] = 1, 1<<unitOne
		if u >= rest.Hidden {
			continue
		}
		if u%together == 0 {
			for r := range rest.Inputs {
				n.row(r, u, rows[r*together:][:min(together, rest.Hidden-u)])
			}
		}
		for r := range column {
			column[r] = rows[r*together+u%together]
		}
		g := in.unitGrid(column, rest.Bias[u], n.grid)
		w.layer.One[u], w.layer.Gain[u] = 1<<g, 1<<(unitOne-g)
		w.start.Sparse[u] = steps16(rest.Bias[u], g)
		block, at := u/width, u%width
		for r, v := range column[:in.sparse] {
			w.layer.Sparse[(block*in.sparse+r)*width+at] = steps16(v, g)
		}
		for i, v := range column[in.sparse:] {
			d := in.places[i]
			w.layer.Dense[(block*pairs+d/2)*2*width+2*kernel.DensePlace(at)+d%2] = steps16(v, g)
		}
	}
	w.layer.Finish()
	if rest.Second > 0 {
		w.second = rest.wholeSecond(units)
	} else {
		rest.wholeOutputs(w)
	}
	return w
}

// steps16 is v in steps of 2^-g, g from 0 to 62.
func steps16(v float32, g int) int16 {
	return int16(math.RoundToEven(float64(v) * float64(uint64(1)<<g)))
}

// unitGrid is the grid of a unit with these weights. The sums of the
// sparse rows and the bias must stay within 16 bits for every board with 15 checkers a
// side, the computed inputs' for every value of theirs within [0,1].
func (in *inputSet) unitGrid(column []float32, bias float32, finest int) int {
	var up, down float32
	for _, v := range column[in.sparse:] {
		up, down = up+max(v, 0), down+max(-v, 0)
	}
	computed := max(up, down)
	// What rounding adds: half a step for each row that is on.
	limit := func(g int) float32 {
		return (math.MaxInt16 - 0.5*float32(max(in.dense, 2*board.MaxCheckers+3))) / float32(int(1)<<g)
	}
	signs := [2]float32{1, -1}
	var bounds [2]float32
	var exact [2]bool
	for i, sign := range signs {
		bounds[i] = in.roughBound(column, bias, sign, limit(finest))
	}
	for g := finest; g > 0; g-- {
		limit := limit(g)
		if computed > limit {
			continue
		}
		for i, sign := range signs {
			if bounds[i] > limit && !exact[i] {
				bounds[i], exact[i] = in.exactBound(column, bias, sign), true
			}
		}
		if max(bounds[0], bounds[1]) <= limit {
			return g
		}
	}
	return 0
}

// points is how many points of a side have rows.
func (in *inputSet) points() int { return in.offRow / in.kinds }

// roughBound is more than any sum of sign times sparse weights and bias: the best of each
// point or, where that is above enough, of 15 points of a side, as many as 15 checkers stand
// on at most.
func (in *inputSet) roughBound(column []float32, bias, sign, enough float32) float32 {
	sum := sign * bias
	flip := math.Float32bits(sign) & (1 << 31)
	var best [2][board.Bar + 1]float32
	few := sum
	for side := range 2 {
		rows := column[side*in.side:][:in.side]
		points := best[side][:in.points()]
		for p := range points {
			top := int32(0) // the bits of numbers of 0 or more are in the order of the numbers
			for _, v := range rows[p*in.kinds:][:in.kinds] {
				top = max(top, int32(math.Float32bits(v)^flip))
			}
			points[p] = math.Float32frombits(uint32(top))
			sum += points[p]
		}
		off := float32(0)
		for _, v := range rows[in.offRow:] {
			off = max(off, sign*v)
		}
		sum += off
		few += off
	}
	if sum <= enough {
		return sum
	}
	for side := range 2 {
		points := best[side][:in.points()]
		slices.Sort(points)
		for _, v := range points[max(0, len(points)-board.MaxCheckers):] {
			few += v
		}
	}
	return few
}

// exactBound is the largest sum there is, by the best sums of any number of checkers
// on the points up to one after another.
func (in *inputSet) exactBound(column []float32, bias, sign float32) float32 {
	sum := sign * bias
	for side := range 2 {
		rows := column[side*in.side:][:in.side]
		var best, most [board.MaxCheckers + 1]float32
		for n := range best[1:] {
			best[n+1] = float32(math.Inf(-1))
		}
		for p := range in.points() {
			kinds := rows[p*in.kinds:][:in.kinds]
			// most[n] is the best sum of at most n checkers on the points before: the last
			// kind covers all larger counts too.
			top := best[0]
			for n, v := range best {
				if v > top {
					top = v
				}
				most[n] = top
			}
			for n := board.MaxCheckers; n > 0; n-- {
				top := best[n]
				for here, v := range kinds[:min(n, in.kinds-1)] {
					if sum := best[n-here-1] + sign*v; sum > top {
						top = sum
					}
				}
				if n >= in.kinds {
					if sum := most[n-in.kinds] + sign*kinds[in.kinds-1]; sum > top {
						top = sum
					}
				}
				best[n] = top
			}
		}
		top := best[board.MaxCheckers]
		for off := 1; off <= board.MaxCheckers; off++ {
			top = max(top, best[board.MaxCheckers-off]+sign*rows[in.offRow+off-1])
		}
		sum += top
	}
	return sum
}

// unitValues are the steps of a unit that is full.
const unitValues = 1 << 13

// wholeRow returns the weights of a sum over units in steps as fine as keep weights within 16
// bits and sums within 32. A sum times scale is in the unit of the weights.
func wholeRow(row []float32) (steps []int16, scale float32) {
	var top, up, down float64
	for _, v := range row {
		top = max(top, math.Abs(float64(v)))
		up, down = up+max(float64(v), 0), down+max(-float64(v), 0)
	}
	f := 1.0
	if top > 0 {
		// Rounding may add half a step for each unit.
		f = min(math.MaxInt16/top, (math.MaxInt32/unitValues-float64(len(row)))/max(up, down))
	}
	steps = make([]int16, len(row))
	for j, v := range row {
		steps[j] = int16(math.RoundToEven(float64(v) * f))
	}
	return steps, float32(1 / (f * unitValues))
}

// wholeOutputs sets the output weights.
func (n *Weights) wholeOutputs(w *whole) {
	units := w.layer.Units
	w.out = make([]int16, 5*units)
	for o := range 5 {
		steps, scale := wholeRow(n.Out[o*n.Hidden:][:n.Hidden])
		copy(w.out[o*units:], steps)
		for k := range BatchSize {
			w.scale[5*k+o], w.bias[5*k+o] = scale, n.OutBias[o]
		}
	}
}

// wholeSecond is the second layer and the outputs, of a first layer of so many units.
func (n *Weights) wholeSecond(units int) *kernel.Second {
	var rows [SecondWidth][]int16
	var scale [SecondWidth]float32
	for k := range rows {
		row := make([]float32, n.Hidden)
		for j := range row {
			row[j] = n.Middle[j*SecondWidth+k]
		}
		rows[k], scale[k] = wholeRow(row)
	}
	s := kernel.NewSecond(units, func(u, k int) int16 {
		if u >= n.Hidden {
			return 0
		}
		return rows[k][u]
	})
	s.Scale, s.Bias, s.OutBias = scale, [SecondWidth]float32(n.MiddleBias), [5]float32(n.OutBias)
	for o := range s.Out {
		copy(s.Out[o][:], n.Out[o*SecondWidth:])
	}
	return s
}

// add lists by what f differs from the last position.
func (s *Scratch) add(f *Features, c *kernel.Change) {
	w := s.net
	s.sparse(w, f, c)
	c.NPairs = kernel.DiffPairs(&s.dense, &f.Dense, &c.Pairs, w.steps, uint32(4*w.layer.BlockUnits))
}

// sparse lists the rows that go and come, point by point that has changed.
func (s *Scratch) sparse(w *whole, f *Features, c *kernel.Change) {
	in, size := w.inputs, uint32(2*w.layer.BlockUnits)
	off, on := 0, 0
	for i := range f.words {
		a, b := s.words[i], f.words[i]
		x := a ^ b
		s.words[i] = b
		base := i>>2*in.side + i&3*8*in.kinds - 1
		for x != 0 {
			at := bits.TrailingZeros64(x) &^ 7
			x &^= 0xff << uint(at&63)
			r := base + at>>3*in.kinds
			was, is := min(int(a>>uint(at&63)&255), in.kinds), min(int(b>>uint(at&63)&255), in.kinds)
			// Each list grows unless the point is empty, without a branch.
			c.Off[off&(kernel.MaxRows-1)] = uint32(r+was) * size
			off += int(uint32(-was) >> 31)
			c.On[on&(kernel.MaxRows-1)] = uint32(r+is) * size
			on += int(uint32(-is) >> 31)
		}
	}
	if s.off != f.off {
		for side := range 2 {
			a, b := s.off[side], f.off[side]
			if a == b {
				continue
			}
			r := uint32(side*in.side + in.offRow - 1)
			if a > 0 {
				c.Off[off&(kernel.MaxRows-1)] = (r + a) * size
				off++
			}
			if b > 0 {
				c.On[on&(kernel.MaxRows-1)] = (r + b) * size
				on++
			}
		}
		s.off = f.off
	}
	c.NOff, c.NOn = off, on
}

// run evaluates the positions that wait.
func (s *Scratch) run(out []Outputs) {
	w := s.net
	kernel.Hidden(&w.layer, &s.sums, s.changes[:len(out)], s.h[:])
	if n := 5 * len(out); w.second != nil {
		w.second.Outputs(s.values[:n], s.h[:], s.second[:], &s.last)
	} else {
		kernel.Dots5(s.dots[:n], s.h[:], w.out, w.layer.Units)
		n = (n + 7) &^ 7
		kernel.Sigmoids(s.values[:n], s.dots[:], w.scale[:], w.bias[:])
	}
	for k := range out {
		out[k] = Outputs(s.values[5*k:])
	}
}
