package kernel

import (
	"math"
	"unsafe"
)

// plainBlock is the width of blocks of every variant but VNNI's.
const plainBlock = 64

func hiddenGo(l *Layer, base *Sums, changes []Change, h []int16) {
	sparseBlock, denseBlock := l.SparseRows*plainBlock, 2*l.Pairs*plainBlock
	for b := range l.Blocks() {
		at := b * plainBlock
		sums, dense := (*[plainBlock]int16)(base.Sparse[at:]), (*[plainBlock]int32)(base.Dense[at:])
		w, d := l.Sparse[b*sparseBlock:][:sparseBlock], l.Dense[b*denseBlock:][:denseBlock]
		one, gain := (*[plainBlock]int16)(l.One[at:]), (*[plainBlock]int16)(l.Gain[at:])
		for k := range changes {
			c := &changes[k]
			for _, o := range c.Off[:c.NOff] {
				for j, v := range (*[plainBlock]int16)(w[o/2:]) {
					sums[j] -= v
				}
			}
			for _, o := range c.On[:c.NOn] {
				for j, v := range (*[plainBlock]int16)(w[o/2:]) {
					sums[j] += v
				}
			}
			for _, p := range c.Pairs[:c.NPairs] {
				row := (*[2 * plainBlock]int16)(d[p.Offset/2:])
				x, y := int32(p.Steps[0]), int32(p.Steps[1])
				for j := range dense {
					dense[j] += x*int32(row[2*j]) + y*int32(row[2*j+1])
				}
			}
			out := (*[plainBlock]int16)(h[k*l.Units+at:])
			for j := range out {
				s := clip16(clip16(dense[DensePlace(j)]>>uint(l.Shift)) + int32(sums[j]))
				a := min(max(s, 0), int32(one[j])) * int32(gain[j])
				out[j] = int16((a*a + 1<<14) >> 15)
			}
		}
	}
}

// clip16 holds x within 16 bits.
func clip16(x int32) int32 { return min(max(x, math.MinInt16), math.MaxInt16) }

func dots5Go(out []int32, h, w []int16, n int) {
	for k := range len(out) / 5 {
		x := h[k*n:][:n]
		for o := range 5 {
			row := w[o*n:][:n]
			var a, b int32
			for j := 0; j < n; j += 2 {
				a += int32(x[j]) * int32(row[j])
				b += int32(x[j+1]) * int32(row[j+1])
			}
			out[5*k+o] = a + b
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
