package kernel

// Everything in this file works on whole numbers, so every variant gives the same
// result to the bit, in whatever order it adds: what overflows on the way comes back.
// What it comes to in the end must fit: a Layer's sums, as Layer says, and those of Dots5.

// The most units of a Layer and positions of one call of Hidden.
const (
	MaxUnits   = 1024
	MaxChanges = 16
)

// Pair is a change of two neighbouring computed inputs, in steps.
type Pair struct {
	Offset uint32 // where their rows begin in Layer.Dense, in bytes
	Steps  [2]int16
}

// The most rows and pairs that two positions differ in, with room for a store that is
// wider than what it has to say.
const (
	MaxRows  = 64
	MaxPairs = 48
	// DenseInputs is how many computed inputs DiffPairs can compare.
	DenseInputs = 80
)

// Change is by what the inputs of one position differ from those of the one before:
// sparse rows that are gone and come, by their offset in Layer.Sparse in bytes, and
// computed inputs.
type Change struct {
	Off, On [MaxRows]uint32
	Pairs   [MaxPairs]Pair

	NOff, NOn, NPairs int
}

// Layer is a first layer of squared clipped units in whole numbers. Unit u counts in
// steps of 1/One[u]. Its sum is that of the sparse rows plus that of the computed inputs
// shifted right by Shift, each of which must lie within 16 bits for every position (the
// variants differ where one does not); its value is the square of the sum clipped to the
// range 0 to One, in steps of 2^-13. Gain is 2^14/One.
//
// Units are stored in blocks of BlockUnits: in Sparse and Dense the rows of a block are
// contiguous. A row of Dense holds two inputs, with their weights of one unit adjacent. Of
// each 32 units, the first four of every eight come first, then the last four of every eight
// (DensePlace); packing instructions undo this order.
type Layer struct {
	Units, BlockUnits int
	Shift             int
	Sparse, Dense     []int16
	SparseRows, Pairs int // rows a block
	One, Gain         []int16

	layout int         // Layout() + 1 of the variant that Finish made it for
	plain  *plainLayer // what it made of Sparse and Dense for plain Go
}

// Blocks is how many blocks of BlockUnits a layer has.
func (l *Layer) Blocks() int { return l.Units / l.BlockUnits }

// Sums are the sums of one position: the sparse rows and the bias, and the computed
// inputs with half a step of what Shift cuts off, in DensePlace's order.
type Sums struct {
	_      [0]uint64 // plain Go takes several at a time
	Sparse [MaxUnits]int16
	Dense  [MaxUnits]int32
}

// DensePlace is where among the computed sums that of unit u stands.
func DensePlace(u int) int {
	return u&^31 | u>>2&1<<4 | u>>3&3<<2 | u&3
}

// Layouts is how many ways there are to lay out a Layer, Layout which of them the variant
// in use works on. A Layer made for another one must not be used.
const Layouts = 3

// Layout is that of the variant in use, from 0 on.
func Layout() int {
	switch {
	case level == levelGo:
		return 0
	case BlockUnits() == plainBlock:
		return 1
	}
	return 2
}

// Finish makes a Layer whose fields are set ready for the variant in use. Plain Go has a
// layout of its own, so Sparse and Dense may be gone afterwards.
func (l *Layer) Finish() {
	_, _ = l.Sparse[l.SparseRows*l.Units-1], l.Dense[2*l.Pairs*l.Units-1]
	if l.BlockUnits != BlockUnits() {
		panic("kernel: the layer is laid out for another variant")
	}
	l.layout = Layout() + 1
	if level == levelGo {
		l.plain = newPlainLayer(l)
		l.Sparse, l.Dense = nil, nil
	}
}

// BlockUnits is the width of blocks that the variant in use works on.
func BlockUnits() int {
	if level == levelAVX512 && hasVNNI {
		return vnniBlock
	}
	return 64
}

// Hidden computes the units of one position for each of changes. The first position is base
// plus the first change; each later one adds its change to the position before it. The sums of
// the last position remain in base. h gets Units values a position. The offsets in changes
// must be inside the layer: checking them in every block for every position is too slow.
func Hidden(l *Layer, base *Sums, changes []Change, h []int16) {
	if len(changes) > MaxChanges || l.Units > MaxUnits || l.Units%l.BlockUnits != 0 {
		panic("kernel: too many changes or units")
	}
	_, _ = l.One[l.Units-1], l.Gain[l.Units-1]
	_ = h[len(changes)*l.Units-1]
	if l.layout != Layout()+1 {
		panic("kernel: the layer is laid out for another variant")
	}
	hidden(l, base, changes, h)
}

// Dots5 sets out[5*k+o] to the product of h's k-th row, of n values, with the o-th row
// of w, which must fit into 32 bits. n is a multiple of 64.
func Dots5(out []int32, h, w []int16, n int) {
	count := len(out) / 5
	if n%64 != 0 {
		panic("kernel: row length is not a multiple of 64")
	}
	_, _ = h[count*n-1], w[5*n-1]
	dots5(out, h, w, n)
}

// Sigmoids sets x[i] to 1/(1+e^-y) with y = sums[i]*scale[i] + bias[i], within 2e-7.
// Each operation rounds to float32 as IEEE 754 says, so that all variants agree. The
// length must be a multiple of 8, at most that of scale and bias.
func Sigmoids(x []float32, sums []int32, scale, bias []float32) {
	n := len(x)
	if n == 0 || n%8 != 0 {
		panic("kernel: length is not a multiple of 8")
	}
	_, _, _ = sums[n-1], scale[n-1], bias[n-1]
	sigmoids(x, sums, scale, bias)
}

// DiffPairs turns the computed inputs cur, each within [0,1], into steps of 1/steps,
// rounded to even, and lists the pairs that differ from last, which becomes the new
// one. The row of pair i begins at i*rowBytes. It returns how many there are.
func DiffPairs(last *[DenseInputs]int16, cur *[DenseInputs]float32, pairs *[MaxPairs]Pair, steps float32, rowBytes uint32) int {
	return diffPairs(last, cur, pairs, steps, rowBytes)
}
