package nn

import (
	"math"

	"fibsbot/engine/nn/kernel"
)

// Outputs are the five outcome chances as a net gives them: each within [0,1],
// not yet made consistent with one another. Order as in eval.Probs.
type Outputs [5]float32

// Scratch is the working memory of evaluations. It belongs to one goroutine; the
// zero value is ready.
type Scratch struct {
	sums   [MaxHidden]float32 // first-layer sums of the last position
	active [MaxHidden]float32
	middle [SecondWidth]float32
	rows   [2*MaxActive + max(NumDense, NumRaceDense)]kernel.Row
	last   Features // whose sums these are
	net    *Net     // nil when sums are of no position
}

// Forget drops the sums of the last position, so that the next evaluation
// starts from the bias.
func (s *Scratch) Forget() { s.net = nil }

// Evaluate returns the net's outputs for a position with features f, which must
// come from the encoder the net was made for. Where the last evaluation was by
// the same net, only the rows that differ are added: cheap for the plays of one
// decision. For contact nets the result does not depend on that (see
// InputSteps); race nets always start from the bias, for the same reason. It
// allocates nothing.
func (n *Net) Evaluate(s *Scratch, f *Features) Outputs {
	sums := s.sums[:n.padded]
	if s.net == n && !n.Race() {
		kernel.AccumulateBlocks(sums, sums, n.first, blockWidth, s.change(f))
	} else {
		kernel.AccumulateBlocks(sums, n.bias, n.first, blockWidth, s.all(n, f))
		s.net = n
	}
	if !n.Race() {
		s.last = *f
	}
	return n.finish(s, sums)
}

// finish takes the first-layer sums through the rest of the net.
func (n *Net) finish(s *Scratch, sums []float32) Outputs {
	h := s.active[:len(sums)]
	kernel.Activate(n.act, h, sums)
	out := n.outBias
	if n.second > 0 {
		s.middle = n.middleBias
		kernel.MatVec32(&s.middle, h, n.middle)
		h = s.middle[:]
		kernel.Activate(n.act, h, h)
	}
	kernel.Dot5(&out, h, n.out)
	for i, x := range out {
		out[i] = sigmoid(x)
	}
	return out
}

// all lists every row of f with its value.
func (s *Scratch) all(n *Net, f *Features) []kernel.Row {
	k := 0
	for _, r := range f.Active[:f.NActive] {
		s.rows[k] = kernel.Row{Offset: uint32(r) * blockWidth, Scale: 1}
		k++
	}
	sparse, dense := NumSparse, f.Dense[:NumDense]
	if n.Race() {
		sparse, dense = NumRaceSparse, f.Dense[:NumRaceDense]
	}
	for d, v := range dense {
		if v != 0 {
			s.rows[k] = kernel.Row{Offset: uint32(sparse+d) * blockWidth, Scale: v}
			k++
		}
	}
	return s.rows[:k]
}

// change lists the rows by which f differs from the last position.
func (s *Scratch) change(f *Features) []kernel.Row {
	k := 0
	a, b := s.last.Active[:s.last.NActive], f.Active[:f.NActive]
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		switch {
		case x == y:
			a, b = a[1:], b[1:]
		case x < y:
			s.rows[k] = kernel.Row{Offset: uint32(x) * blockWidth, Scale: -1}
			k++
			a = a[1:]
		default:
			s.rows[k] = kernel.Row{Offset: uint32(y) * blockWidth, Scale: 1}
			k++
			b = b[1:]
		}
	}
	for _, x := range a {
		s.rows[k] = kernel.Row{Offset: uint32(x) * blockWidth, Scale: -1}
		k++
	}
	for _, y := range b {
		s.rows[k] = kernel.Row{Offset: uint32(y) * blockWidth, Scale: 1}
		k++
	}
	for d := range f.Dense {
		v := f.Dense[d] - s.last.Dense[d]
		s.rows[k] = kernel.Row{Offset: uint32(NumSparse+d) * blockWidth, Scale: v}
		// Adds 1 unless v is zero, without a branch that the processor would guess
		// wrong half of the time.
		k += int((math.Float32bits(v)<<1>>1 + math.MaxInt32) >> 31)
	}
	return s.rows[:k]
}

// sigmoid is 1/(1+e^-x) within 2e-7. math.Exp would work in float64 and take
// three times as long; there are five of these for every position.
func sigmoid(x float32) float32 {
	x = min(max(x, -40), 40)
	// e^-x = 2^n * e^r with |r| <= ln2/2, ln 2 in two parts so that r is exact.
	const ln2Hi, ln2Lo = 0.693359375, -2.12194440e-4
	n := float32(math.Float32frombits(0x4b400000)) // 1.5 * 2^23 rounds to whole numbers
	k := float32(float32(-x*math.Log2E)+n) - n
	r := float32(-x-float32(k*ln2Hi)) - float32(k*ln2Lo)
	// Taylor's series to r^6: the next term is below 1e-7 of e^r there.
	e := 1 + r*(1+r*(0.5+r*(1./6+r*(1./24+r*(1./120+r*(1./720))))))
	return 1 / (1 + e*math.Float32frombits(uint32(int32(k)+127)<<23))
}
