package nn

import (
	"math"

	"fibsbot/engine/nn/kernel"
)

// Outputs are the five outcome chances as a net gives them: each within [0,1],
// not yet made consistent with one another. Order as in eval.Probs.
type Outputs [5]float32

// BatchSize is how many positions Add takes before Run must be called.
const BatchSize = 16

// maxRows is the longest list of rows: all that can be active, or twice the
// sparse ones and every computed one in a difference.
const maxRows = 2*MaxActive + max(NumDense, NumRaceDense)

// Scratch is the working memory of evaluations by one net at a time. It belongs
// to one goroutine; the zero value is ready.
type Scratch struct {
	net   *Net     // nil when there is no last position
	last  Features // of the position added last
	base  [MaxHidden]float32
	count int // positions added and not yet run
	rows  [BatchSize][maxRows]kernel.Row
	used  [BatchSize]int
	sums  [BatchSize][MaxHidden]float32

	active [MaxHidden]float32
	middle [SecondWidth]float32
}

// Forget drops all positions, so that the next one starts from the bias.
func (s *Scratch) Forget() { s.net, s.count = nil, 0 }

// Evaluate returns the net's outputs for a single position with features f,
// which must come from the encoder the net was made for. It allocates nothing.
func (n *Net) Evaluate(s *Scratch, f *Features) Outputs {
	var out [1]Outputs
	s.Forget()
	n.Add(s, f)
	n.Run(s, out[:])
	return out[0]
}

// Add puts a position into s for Run to evaluate. Where the one before was for
// the same net, only the rows that differ will be added to its sums, which is
// cheap for the plays of one decision. For contact nets the result does not
// depend on that (see InputSteps); a race net always starts from the bias, for
// the same reason. When BatchSize positions are in, Run must come first.
func (n *Net) Add(s *Scratch, f *Features) {
	k := s.count
	if s.net == n && !n.Race() {
		s.used[k] = s.change(f, &s.rows[k])
	} else {
		if s.net != n {
			s.net, k = n, 0
		}
		s.used[k] = n.all(f, &s.rows[k])
		if k == 0 {
			copy(s.base[:n.padded], n.bias)
		}
	}
	s.last = *f
	s.count = k + 1
}

// Run evaluates the positions added since the last Run, in their order, and
// returns how many there were. out must be that long. It goes through the net
// block by block, because the rows that a decision's plays touch then stay in the
// nearest cache.
func (n *Net) Run(s *Scratch, out []Outputs) int {
	count := s.count
	if count == 0 || s.net != n {
		return 0
	}
	out = out[:count]
	size := n.inputs * blockWidth
	for b := range n.padded / blockWidth {
		at := b * blockWidth
		w := n.first[b*size:][:size]
		base := s.base[at:][:blockWidth]
		for k := range count {
			if n.Race() {
				base = n.bias[at:][:blockWidth]
			}
			dst := s.sums[k][at:][:blockWidth]
			kernel.Accumulate(dst, base, w, s.rows[k][:s.used[k]])
			base = dst
		}
	}
	for k := range out {
		out[k] = n.finish(s, s.sums[k][:n.padded])
	}
	copy(s.base[:n.padded], s.sums[count-1][:n.padded])
	s.count = 0
	return count
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

// all lists every row of f with its value and returns how many.
func (n *Net) all(f *Features, rows *[maxRows]kernel.Row) int {
	k := 0
	for _, r := range f.Active[:f.NActive] {
		rows[k] = kernel.Row{Offset: uint32(r) * blockWidth, Scale: 1}
		k++
	}
	sparse, dense := NumSparse, f.Dense[:NumDense]
	if n.Race() {
		sparse, dense = NumRaceSparse, f.Dense[:NumRaceDense]
	}
	for d, v := range dense {
		if v != 0 {
			rows[k] = kernel.Row{Offset: uint32(sparse+d) * blockWidth, Scale: v}
			k++
		}
	}
	return k
}

// change lists the rows by which f differs from the last position and returns how
// many.
func (s *Scratch) change(f *Features, rows *[maxRows]kernel.Row) int {
	k := 0
	a, b := s.last.Active[:s.last.NActive], f.Active[:f.NActive]
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		switch {
		case x == y:
			a, b = a[1:], b[1:]
		case x < y:
			rows[k] = kernel.Row{Offset: uint32(x) * blockWidth, Scale: -1}
			k++
			a = a[1:]
		default:
			rows[k] = kernel.Row{Offset: uint32(y) * blockWidth, Scale: 1}
			k++
			b = b[1:]
		}
	}
	for _, x := range a {
		rows[k] = kernel.Row{Offset: uint32(x) * blockWidth, Scale: -1}
		k++
	}
	for _, y := range b {
		rows[k] = kernel.Row{Offset: uint32(y) * blockWidth, Scale: 1}
		k++
	}
	for d := range f.Dense {
		v := f.Dense[d] - s.last.Dense[d]
		rows[k] = kernel.Row{Offset: uint32(NumSparse+d) * blockWidth, Scale: v}
		// Adds 1 unless v is zero, without a branch that the processor would guess
		// wrong half of the time.
		k += int((math.Float32bits(v)<<1>>1 + math.MaxInt32) >> 31)
	}
	return k
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
