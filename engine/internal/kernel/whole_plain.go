package kernel

import (
	"math"
	"unsafe"
)

// plainBlock is the width of blocks of every variant but VNNI's.
const plainBlock = 64

func hiddenGo(l *Layer, base *Sums, changes []Change, h []int16) {
	shift := uint(l.Shift) & 31
	sparseBlock, denseBlock := l.SparseRows*plainBlock, 2*l.Pairs*plainBlock
	for b := range l.Blocks() {
		at := b * plainBlock
		sums, dense := (*[plainBlock]int16)(base.Sparse[at:]), (*[plainBlock]int32)(base.Dense[at:])
		w, d := l.Sparse[b*sparseBlock:][:sparseBlock], l.Dense[b*denseBlock:][:denseBlock]
		one, gain := (*[plainBlock]int16)(l.One[at:]), (*[plainBlock]int16)(l.Gain[at:])
		for k := range changes {
			c := &changes[k]
			for _, o := range c.Off[:c.NOff] {
				subRow(sums, (*[plainBlock]int16)(w[o/2:]))
			}
			for _, o := range c.On[:c.NOn] {
				addRow(sums, (*[plainBlock]int16)(w[o/2:]))
			}
			addPairs(dense, d, c.Pairs[:c.NPairs])
			out := (*[plainBlock]int16)(h[k*l.Units+at:])
			for j := range out {
				s := clip16(clip16(dense[places[j]&(plainBlock-1)]>>shift) + int32(sums[j]))
				a := min(max(s, 0), int32(one[j])) * int32(gain[j])
				out[j] = int16((a*a + 1<<14) >> 15)
			}
		}
	}
}

// places are those of DensePlace in a block.
var places = func() (t [plainBlock]uint8) {
	for u := range t {
		t[u] = uint8(DensePlace(u))
	}
	return t
}()

// signs are the highest bits of four 16-bit numbers in a word.
const signs = 0x8000800080008000

// addRow adds w to sums, four numbers at a time: the lower bits cannot carry into the
// next number when the highest is left out, which is then an exclusive or.
func addRow(sums, w *[plainBlock]int16) {
	a, b := (*[plainBlock / 4]uint64)(unsafe.Pointer(sums)), (*[plainBlock / 4]uint64)(unsafe.Pointer(w))
	for i := range a {
		x, y := a[i], b[i]
		a[i] = (x&^signs + y&^signs) ^ (x^y)&signs
	}
}

// subRow subtracts w from sums in the same way.
func subRow(sums, w *[plainBlock]int16) {
	a, b := (*[plainBlock / 4]uint64)(unsafe.Pointer(sums)), (*[plainBlock / 4]uint64)(unsafe.Pointer(w))
	for i := range a {
		x, y := a[i], b[i]
		a[i] = ((x | signs) - y&^signs) ^ (x^^y)&signs
	}
}

// addPairs adds the rows of pairs, two pairs a pass, so that sums are loaded and stored
// half as often.
func addPairs(sums *[plainBlock]int32, w []int16, pairs []Pair) {
	row := func(p *Pair) *[plainBlock][2]int16 {
		return (*[plainBlock][2]int16)(unsafe.Pointer((*[2 * plainBlock]int16)(w[p.Offset/2:])))
	}
	for ; len(pairs) >= 2; pairs = pairs[2:] {
		a, b := row(&pairs[0]), row(&pairs[1])
		x0, y0 := int32(pairs[0].Steps[0]), int32(pairs[0].Steps[1])
		x1, y1 := int32(pairs[1].Steps[0]), int32(pairs[1].Steps[1])
		for j := range sums {
			sums[j] += x0*int32(a[j][0]) + y0*int32(a[j][1]) + x1*int32(b[j][0]) + y1*int32(b[j][1])
		}
	}
	if len(pairs) > 0 {
		a, x, y := row(&pairs[0]), int32(pairs[0].Steps[0]), int32(pairs[0].Steps[1])
		for j := range sums {
			sums[j] += x*int32(a[j][0]) + y*int32(a[j][1])
		}
	}
}

// clip16 holds x within 16 bits.
func clip16(x int32) int32 { return min(max(x, math.MinInt16), math.MaxInt16) }

func dots5Go(out []int32, h, w []int16, n int) {
	for k := range len(out) / 5 {
		x := h[k*n:][:n]
		for o := range 5 {
			row := w[o*n:][:len(x)]
			var sum int32
			for j, v := range x {
				sum += int32(v) * int32(row[j])
			}
			out[5*k+o] = sum
		}
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

// The sizes that the assembly counts on.
var (
	_ [920 - unsafe.Sizeof(Change{})]struct{}
	_ [unsafe.Sizeof(Change{}) - 920]struct{}
)
