package kernel

import (
	"math"
	"math/bits"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// vnniBlock is the block width of the VNNI variant, plainBlock that of all other variants.
// With them the rows that a decision's plays touch fit into the first-level cache.
const (
	plainBlock = 64
	vnniBlock  = 128
)

// Plain Go works on machine words that hold several numbers each: the words of a row of
// Sparse are w0 + w1<<16 + w2<<32 + w3<<48 of signed weights, those of Dense w0 + w1<<32,
// and as many of these as fit where a word has 32 bits. One addition of words adds all of
// their numbers, and a product with a number is that of each, as long as what comes out
// in the end fits into its place: what overflowed on the way has come back by then. Sums
// are kept with half of the range added, so that all are positive and a shift finds them.
const (
	sparseLanes = bits.UintSize / 16
	denseLanes  = bits.UintSize / 32
	sparseWords = plainBlock / sparseLanes
	denseWords  = plainBlock / denseLanes

	wordMask   = 1<<bits.UintSize - 1
	halfSparse = 0x8000800080008000 & wordMask
	halfDense  = 0x8000000080000000 & wordMask
)

// plainLayer are the weights of a Layer in words: the rows of Sparse, and those of Dense
// each input by itself, as half of the inputs of pairs that change do not.
type plainLayer struct {
	sparse, dense []uint
}

// newPlainLayer takes l's Sparse for itself: a copy would be garbage of a third of a
// megabyte a net when a program starts.
func newPlainLayer(l *Layer) *plainLayer {
	p := &plainLayer{
		unsafe.Slice((*uint)(unsafe.Pointer(unsafe.SliceData(l.Sparse))), len(l.Sparse)/sparseLanes),
		make([]uint, len(l.Dense)/denseLanes),
	}
	for i := range p.sparse {
		word := uint(0)
		for k, v := range l.Sparse[i*sparseLanes:][:sparseLanes] {
			word += uint(v) << (k * 16)
		}
		p.sparse[i] = word
	}
	for i, v := range l.Dense {
		row, unit := i/(2*plainBlock)*2+i%2, i%(2*plainBlock)/2
		p.dense[row*denseWords+unit/denseLanes] += uint(v) << (unit % denseLanes * 32)
	}
	return p
}

// step is a change of one computed input: where its row begins in a block of
// plainLayer.dense, and by how much it changes.
type step struct {
	row uint32
	by  int32
}

// steps lists the inputs of pairs that change and returns how many there are.
func steps(pairs []Pair, list *[2 * MaxPairs]step) int {
	n := 0
	for _, p := range pairs[:min(len(pairs), MaxPairs)] {
		row := p.Offset / (4 * plainBlock) * 2 * denseWords
		for i, by := range p.Steps {
			list[n] = step{row + uint32(i)*denseWords, int32(by)}
			if by != 0 {
				n++
			}
		}
	}
	return n
}

func hiddenGo(l *Layer, base *Sums, changes []Change, h []int16) {
	var lists [MaxChanges][2 * MaxPairs]step
	var counts [MaxChanges]int
	for k := range changes {
		counts[k] = steps(changes[k].Pairs[:changes[k].NPairs], &lists[k])
	}
	sparseSize, denseSize := l.SparseRows*sparseWords, 2*l.Pairs*denseWords
	var sums blockSums
	for b := range l.Blocks() {
		at := b * plainBlock
		sums.load(base, at)
		w, d := l.plain.sparse[b*sparseSize:][:sparseSize], l.plain.dense[b*denseSize:][:denseSize]
		for k := range changes {
			exchange(&sums.sparse, w, changes[k].Off[:changes[k].NOff], changes[k].On[:changes[k].NOn])
			addSteps(&sums.dense, d, lists[k][:counts[k]])
			sums.values((*[plainBlock]int16)(h[k*l.Units+at:]), (*[plainBlock]int16)(l.Gain[at:]), uint(l.Shift))
		}
		sums.store(base, at)
	}
}

// blockSums are the sums of a block, with half of their range added.
type blockSums struct {
	sparse [sparseWords]uint
	dense  [denseWords]uint
}

// load sets b to the sums of the block at unit at. In memory as most processors have it,
// numbers lie as they do in words.
func (b *blockSums) load(s *Sums, at int) {
	if cpu.IsBigEndian {
		b.pack(s, at)
		return
	}
	sparse, dense := wordsOf(s, at)
	for i, v := range sparse {
		b.sparse[i] = v ^ halfSparse
	}
	for i, v := range dense {
		b.dense[i] = v ^ halfDense
	}
}

// store is the inverse of load.
func (b *blockSums) store(s *Sums, at int) {
	if cpu.IsBigEndian {
		b.unpack(s, at)
		return
	}
	sparse, dense := wordsOf(s, at)
	for i, v := range b.sparse {
		sparse[i] = v ^ halfSparse
	}
	for i, v := range b.dense {
		dense[i] = v ^ halfDense
	}
}

func wordsOf(s *Sums, at int) (*[sparseWords]uint, *[denseWords]uint) {
	return (*[sparseWords]uint)(unsafe.Pointer((*[plainBlock]int16)(s.Sparse[at:]))),
		(*[denseWords]uint)(unsafe.Pointer((*[plainBlock]int32)(s.Dense[at:])))
}

// pack is load in whatever order memory has.
func (b *blockSums) pack(s *Sums, at int) {
	*b = blockSums{}
	for u := range plainBlock {
		b.sparse[u/sparseLanes] |= uint(uint16(s.Sparse[at+u])^1<<15) << (u % sparseLanes * 16)
		b.dense[u/denseLanes] |= uint(uint32(s.Dense[at+u])^1<<31) << (u % denseLanes * 32)
	}
}

// unpack is store in whatever order memory has.
func (b *blockSums) unpack(s *Sums, at int) {
	for u := range plainBlock {
		s.Sparse[at+u] = int16(uint16(b.sparse[u/sparseLanes]>>(u%sparseLanes*16)) ^ 1<<15)
		s.Dense[at+u] = int32(uint32(b.dense[u/denseLanes]>>(u%denseLanes*32)) ^ 1<<31)
	}
}

// exchange takes the rows off from sums and adds the rows on. The more rows a pass takes,
// the less often sums are loaded and stored. (Here and below, what is loaded before a
// loop is known not to be nil inside it; this is a fifth of the time.)
func exchange(sums *[sparseWords]uint, w []uint, off, on []uint32) {
	row := func(offset uint32) *[sparseWords]uint { return (*[sparseWords]uint)(w[offset/(bits.UintSize/8):]) }
	for ; len(off) >= 2 && len(on) >= 2; off, on = off[2:], on[2:] {
		exchange2(sums, row(off[0]), row(off[1]), row(on[0]), row(on[1]))
	}
	for ; len(off) >= 1 && len(on) >= 1; off, on = off[1:], on[1:] {
		a, b := row(off[0]), row(on[0])
		_, _ = a[0], b[0]
		for i := range sums {
			sums[i] += b[i] - a[i]
		}
	}
	for _, o := range off {
		a := row(o)
		for i := range sums {
			sums[i] -= a[i]
		}
	}
	for _, o := range on {
		a := row(o)
		for i := range sums {
			sums[i] += a[i]
		}
	}
}

// The functions that are not inlined have few enough values at once for the registers.

//go:noinline
func exchange2(sums, a, b, c, d *[sparseWords]uint) {
	_, _, _, _, _ = sums[0], a[0], b[0], c[0], d[0]
	for i := range sums {
		sums[i] += c[i] - a[i] + (d[i] - b[i])
	}
}

// addSteps adds the rows of list times their steps to sums.
func addSteps(sums *[denseWords]uint, w []uint, list []step) {
	row := func(s step) *[denseWords]uint { return (*[denseWords]uint)(w[s.row:]) }
	for ; len(list) >= 4; list = list[4:] {
		addSteps4(sums, row(list[0]), row(list[1]), row(list[2]), row(list[3]),
			uint(list[0].by), uint(list[1].by), uint(list[2].by), uint(list[3].by))
	}
	if len(list) >= 2 {
		addSteps2(sums, row(list[0]), row(list[1]), uint(list[0].by), uint(list[1].by))
		list = list[2:]
	}
	if len(list) > 0 {
		addSteps1(sums, row(list[0]), uint(list[0].by))
	}
}

//go:noinline
func addSteps4(sums, a, b, c, d *[denseWords]uint, x, y, z, u uint) {
	_, _, _, _, _ = sums[0], a[0], b[0], c[0], d[0]
	for i := range sums {
		sums[i] += x*a[i] + y*b[i] + z*c[i] + u*d[i]
	}
}

//go:noinline
func addSteps2(sums, a, b *[denseWords]uint, x, y uint) {
	_, _, _ = sums[0], a[0], b[0]
	for i := range sums {
		sums[i] += x*a[i] + y*b[i]
	}
}

//go:noinline
func addSteps1(sums, a *[denseWords]uint, x uint) {
	_, _ = sums[0], a[0]
	for i := range sums {
		sums[i] += x * a[i]
	}
}

// values sets out to the values of the block's units.
func (b *blockSums) values(out, gain *[plainBlock]int16, shift uint) {
	var totals [denseWords]uint
	if bits.UintSize == 64 {
		b.totals64(&totals, shift)
		square64(out, &totals, gain, totalHalf(shift))
	} else {
		b.totals32(&totals, shift)
		square32(out, &totals, gain, totalHalf(shift))
	}
}

// totalHalf is what the sums have added to them, once the computed ones are shifted.
func totalHalf(shift uint) int { return 1<<(31-shift&31) + 1<<15 }

// totals64 sets t to the sparse sums and what shift leaves of the computed ones, two in a
// word and in the order of units.
//
//go:noinline
func (b *blockSums) totals64(t *[denseWords]uint, shift uint) {
	shift &= 31
	left := uint(1)<<(32-shift) - 1
	left |= left << 16 << 16
	// Of 32 units the first four of each eight come first: see DensePlace.
	for half := range 2 {
		t, x, d := t[half*denseWords/2:][:16], b.sparse[half*sparseWords/2:][:8], b.dense[half*denseWords/2:][:16]
		for i := range 4 {
			x, y := x[2*i], x[2*i+1]
			t[4*i] = d[2*i]>>shift&left + spread(x)
			t[4*i+1] = d[2*i+1]>>shift&left + spread(x>>16>>16)
			t[4*i+2] = d[2*i+8]>>shift&left + spread(y)
			t[4*i+3] = d[2*i+9]>>shift&left + spread(y>>16>>16)
		}
	}
}

// spread sets the two lower numbers of 16 bits in a word apart.
func spread(x uint) uint { return (x&0xffffffff | x<<16) & (0x0000ffff0000ffff & wordMask) }

// totals32 is totals64 where a word holds one computed sum.
func (b *blockSums) totals32(t *[denseWords]uint, shift uint) {
	shift &= 31
	for u := range plainBlock {
		t[u&(denseWords-1)] = b.dense[places[u]&(denseWords-1)]>>shift + b.sparse[u/sparseLanes]>>(u%sparseLanes*16)&0xffff
	}
}

// square64 sets out to the squares of totals less half, in steps of 2^-13.
//
//go:noinline
func square64(out *[plainBlock]int16, totals *[denseWords]uint, gain *[plainBlock]int16, half int) {
	_, _, _ = out[0], totals[0], gain[0]
	for i := range plainBlock / 2 {
		t := totals[i]
		out[2*i] = square(int(uint32(t))-half, gain[2*i])
		out[2*i+1] = square(int(t>>16>>16)-half, gain[2*i+1])
	}
}

// square32 is square64 where a word holds one total.
func square32(out *[plainBlock]int16, totals *[denseWords]uint, gain *[plainBlock]int16, half int) {
	for u := range out {
		out[u] = square(int(totals[u&(denseWords-1)])-half, gain[u])
	}
}

// square is the value of a unit with this sum, by its Layer's Gain.
func square(sum int, gain int16) int16 {
	a := min(max(sum*int(gain), 0), 1<<unitOne)
	return int16((a*a + 1<<14) >> 15)
}

// unitOne is the exponent of One times Gain.
const unitOne = 14

// places are those of DensePlace in a block.
var places = func() (t [plainBlock]uint8) {
	for u := range t {
		t[u] = uint8(DensePlace(u))
	}
	return t
}()

func dots5Go(out []int32, h, w []int16, n int) {
	if bits.UintSize == 64 {
		for ; len(out) >= 10; out, h = out[10:], h[2*n:] {
			dots5Two((*[10]int32)(out), h[:n], h[n:][:n], w)
		}
	}
	for ; len(out) >= 5; out, h = out[5:], h[n:] {
		x := h[:n]
		for o := range 5 {
			row := w[o*n:][:len(x)]
			var sum int32
			for j, v := range x {
				sum += int32(v) * int32(row[j])
			}
			out[o] = sum
		}
	}
}

// dots5Two is dots5Go of two positions, whose values share a word.
func dots5Two(out *[10]int32, x, y, w []int16) {
	n := len(x)
	y = y[:n]
	a, b, c, d, e := w[:n], w[n:][:n], w[2*n:][:n], w[3*n:][:n], w[4*n:][:n]
	var sa, sb, sc, sd, se int64
	for j := range x {
		v := int64(x[j]) + int64(y[j])<<32
		sa += v * int64(a[j])
		sb += v * int64(b[j])
		sc += v * int64(c[j])
		sd += v * int64(d[j])
		se += v * int64(e[j])
	}
	for o, s := range [5]int64{sa, sb, sc, sd, se} {
		first := int32(s)
		out[o], out[5+o] = first, int32((s-int64(first))>>32)
	}
}

func sigmoidsGo(x []float32, sums []int32, scale, bias []float32) {
	for i := range x {
		x[i] = Sigmoid(float32(float32(sums[i])*scale[i]) + bias[i])
	}
}

// Sigmoid is 1/(1+e^-x) within 2e-7. math.Exp would work in float64 and take three
// times as long. The conversions keep the compiler from fusing a product with a sum,
// which some processors would round otherwise.
func Sigmoid(x float32) float32 {
	y := -min(max(x, -40), 40)
	// e^y = 2^n * e^r with |r| <= ln2/2, ln 2 in two parts so that r is exact.
	const ln2Hi, ln2Lo = 0.693359375, -2.12194440e-4
	const whole = float32(12582912) // 1.5 * 2^23 rounds to whole numbers
	n := float32(y*math.Log2E) + whole - whole
	r := y - float32(n*ln2Hi) - float32(n*ln2Lo)
	// Taylor's series to r^6: the next term is below 1e-7 of e^r there.
	e := float32(r*(1./720)) + 1./120
	e = float32(r*e) + 1./24
	e = float32(r*e) + 1./6
	e = float32(r*e) + 0.5
	e = float32(r*e) + 1
	e = float32(r*e) + 1
	return 1 / (1 + float32(e*math.Float32frombits(uint32(int32(n)+127)<<23)))
}

func diffPairsGo(last *[DenseInputs]int16, cur *[DenseInputs]float32, pairs *[MaxPairs]Pair, steps float32, rowBytes uint32) int {
	k := 0
	for i := range DenseInputs / 2 {
		a, b := whole16(cur[2*i]*steps), whole16(cur[2*i+1]*steps)
		x, y := a-last[2*i], b-last[2*i+1]
		last[2*i], last[2*i+1] = a, b
		pairs[k] = Pair{uint32(i) * rowBytes, [2]int16{x, y}}
		// Adds 1 unless both are zero, without a branch that the processor would guess
		// wrong half of the time.
		k += int((uint32(uint16(x|y)) + 0xffff) >> 16)
	}
	return k
}

// whole16 rounds x, below 2^22, to a whole number, halves to even.
func whole16(x float32) int16 { return int16(math.Float32bits(float32(x) + 12582912)) }
