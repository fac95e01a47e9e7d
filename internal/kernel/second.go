package kernel

import "unsafe"

// SecondUnits is how many units a second layer has.
const SecondUnits = 32

// Second is what follows a Layer in a net with a second layer of squared clipped units:
// that layer and the five outputs. Its sums are whole numbers, so no order of adding
// changes them; what comes after works in float32, each operation rounded as IEEE 754
// says and in one order, so every variant gives the same result to the bit.
type Second struct {
	tail
	units  int
	layout int // Layout() + 1 of the variant that it was made for
	// weights are, for amd64, rows of two units each, whose weights of one sum stand side by
	// side, for NEON one row a unit. packed is the same for plain Go: a row a unit,
	// two sums to a word.
	weights []int16
	packed  []int64
}

// tail says how the sums go on. The assembly knows where its fields lie.
type tail struct {
	// Scale and Bias turn a sum into what is clipped to [0,1] and squared.
	Scale, Bias [SecondUnits]float32
	// Out are the weights of the outputs, OutBias what they begin with.
	Out     [5][SecondUnits]float32
	OutBias [5]float32
}

// SecondState is the position that a Second saw last: its values and their sums. The zero
// value is a position whose values are all zero, from which any Second may go on.
type SecondState struct {
	sums [SecondUnits]int32
	_    [SecondPart]int16 // where the assembly puts what values differ by
	h    [MaxUnits]int16
}

// SecondPart is how many units the kernels compare at a time: a second layer sees a
// multiple of that.
const SecondPart = 128

// NewSecond lays a second layer out for the variant in use. units is how many values
// of the first layer it sees, a multiple of 128; of each sum the products of values up to 2^13
// and weights must add up to 32 bits whatever the values. weight is asked for that from unit u to
// sum k.
func NewSecond(units int, weight func(u, k int) int16) *Second {
	if units%SecondPart != 0 || units > MaxUnits {
		panic("kernel: units are not a multiple of 128")
	}
	s := &Second{units: units, layout: Layout() + 1}
	if level == levelGo {
		s.packed = make([]int64, units*SecondUnits/2)
		for i := range s.packed {
			u, k := i/(SecondUnits/2), i%(SecondUnits/2)*2
			s.packed[i] = int64(weight(u, k)) + int64(weight(u, k+1))<<32
		}
		return s
	}
	s.weights = make([]int16, units*SecondUnits)
	for u := range units {
		for k := range SecondUnits {
			s.weights[secondPlace(u, k)] = weight(u, k)
		}
	}
	return s
}

// Outputs sets x to the five chances of each position whose values of the first layer
// are in h, a row of units each. sums is room for SecondUnits numbers a position. Each
// position goes on from the one before, the first from last, which becomes the last of
// them: of siblings three in four values are the same.
// The length of x is that of all outputs; up to seven elements behind it are written to.
func (s *Second) Outputs(x []float32, h []int16, sums []int32, last *SecondState) {
	count := len(x) / 5
	if s.layout != Layout()+1 {
		panic("kernel: the layer is laid out for another variant")
	}
	if count == 0 {
		return
	}
	_, _, _ = h[count*s.units-1], sums[count*SecondUnits-1], x[:(len(x)+7)&^7]
	second(s, x, h, sums, last, count)
	copy(last.h[:s.units], h[(count-1)*s.units:])
}

// secondGo is Outputs in plain Go.
func secondGo(s *Second, x []float32, h []int16, sums []int32, last *SecondState, count int) {
	before := last.h[:s.units]
	var a [SecondUnits / 2]int64
	for k := range a {
		a[k] = int64(last.sums[2*k]) + int64(last.sums[2*k+1])<<32
	}
	for p := range count {
		now, row := h[p*s.units:][:s.units], sums[p*SecondUnits:][:SecondUnits]
		s.change(&a, before, now)
		for k, sum := range a {
			first := int32(sum)
			row[2*k], row[2*k+1] = first, int32((sum-int64(first))>>32)
		}
		s.logits(x[5*p:][:5], row)
		before = now
	}
	copy(last.sums[:], sums[(count-1)*SecondUnits:])
	logisticGo(x[:5*count])
}

// change adds to the sums, two to a word, the rows of the units that differ.
func (s *Second) change(a *[SecondUnits / 2]int64, before, now []int16) {
	before = before[:len(now)]
	for u, v := range now {
		d := int64(v) - int64(before[u])
		if d == 0 {
			continue
		}
		row := (*[SecondUnits / 2]int64)(s.packed[u*(SecondUnits/2):])
		for k := 0; k < len(a); k += 4 {
			a[k] += d * row[k]
			a[k+1] += d * row[k+1]
			a[k+2] += d * row[k+2]
			a[k+3] += d * row[k+3]
		}
	}
}

// logits sets x to the outputs before the sigmoid. Products are added as a register of
// eight does it: every eighth to one sum, then half to half.
func (t *tail) logits(x []float32, sums []int32) {
	var m [SecondUnits]float32
	for k := range m {
		v := float32(float32(sums[k])*t.Scale[k]) + t.Bias[k]
		v = min(max(v, 0), 1)
		m[k] = float32(v * v)
	}
	for o := range x {
		var a [8]float32
		w := &t.Out[o]
		for i := range a {
			v := float32(m[i] * w[i])
			v += float32(m[8+i] * w[8+i])
			v += float32(m[16+i] * w[16+i])
			a[i] = v + float32(m[24+i]*w[24+i])
		}
		for half := 4; half > 0; half /= 2 {
			for i := range half {
				a[i] += a[half+i]
			}
		}
		x[o] = a[0] + t.OutBias[o]
	}
}

// logisticGo takes the outputs through the sigmoid.
func logisticGo(x []float32) {
	for i, v := range x {
		x[i] = Sigmoid(v)
	}
}

// What the assembly counts on.
var (
	_ [384 - unsafe.Offsetof(SecondState{}.h)]struct{}
	_ [unsafe.Offsetof(SecondState{}.h) - 384]struct{}
	_ [896 - unsafe.Offsetof(tail{}.OutBias)]struct{}
	_ [unsafe.Offsetof(tail{}.OutBias) - 896]struct{}
)
