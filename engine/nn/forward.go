package nn

import (
	"math"

	"fibsbot/internal/kernel"
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
	count int // positions added and not yet run
	whole wholeScratch
	float *floatScratch // made for the first net that needs it
}

// floatScratch is what evaluation in float32 works on.
type floatScratch struct {
	net  *Net     // nil when there is no last position
	last Features // of the position added last
	base [MaxHidden]float32
	rows [BatchSize][maxRows]kernel.Row
	used [BatchSize]int
	sums [BatchSize][MaxHidden]float32

	active [MaxHidden]float32
	middle [SecondWidth]float32
}

// Forget drops all positions, so that the next one starts from the bias.
func (s *Scratch) Forget() {
	s.count, s.whole.net = 0, nil
	if s.float != nil {
		s.float.net = nil
	}
}

// Evaluate returns the net's outputs for a single position with features f,
// which must come from the encoder the net was made for. It allocates nothing, but for
// the first net in float32.
func (n *Net) Evaluate(s *Scratch, f *Features) Outputs {
	var out [1]Outputs
	if s.count > 0 {
		s.Forget()
	}
	n.Add(s, f)
	n.Run(s, out[:])
	return out[0]
}

// Add puts a position into s for Run to evaluate. Where the one before was for
// the same net, only the rows that differ will be added to its sums, which is
// cheap for the plays of one decision. The result does not depend on that: see
// InputSteps, and whole; a race net in float32 always starts from the bias. When
// BatchSize positions are in, Run must come first.
func (n *Net) Add(s *Scratch, f *Features) {
	if w := n.wholeForm(); w != nil {
		if s.whole.net != w {
			s.count = 0
		}
		s.whole.add(w, f, s.count)
	} else {
		if s.float == nil {
			s.float = new(floatScratch)
		}
		if s.float.net != n {
			s.count = 0
		}
		s.float.add(n, f, s.count)
		s.whole.net = nil
	}
	s.count++
}

// add lists the rows of position k.
func (s *floatScratch) add(n *Net, f *Features, k int) {
	if !n.Race() {
		own := *f
		own.round()
		if own.NActive == 0 {
			own.list()
		}
		f = &own
	}
	if s.net == n && !n.Race() {
		s.used[k] = s.change(f, &s.rows[k])
	} else {
		s.net = n
		s.used[k] = n.all(f, &s.rows[k])
		if k == 0 {
			copy(s.base[:n.padded], n.bias)
		}
	}
	s.last = *f
}

// Run evaluates the positions added since the last Run, in their order, and
// returns how many there were. out must be that long. It goes through the net
// block by block, because the rows that a decision's plays touch then stay in the
// nearest cache.
func (n *Net) Run(s *Scratch, out []Outputs) int {
	count := s.count
	s.count = 0
	switch {
	case count == 0:
		return 0
	case s.whole.net != nil && s.whole.net == n.wholeForm():
		s.whole.run(out[:count])
	case s.float != nil && s.float.net == n:
		s.float.run(n, out[:count])
	default:
		return 0
	}
	return count
}

// run is Run in float32.
func (s *floatScratch) run(n *Net, out []Outputs) {
	size, first := n.inputs*blockWidth, n.first()
	for b := range n.padded / blockWidth {
		at := b * blockWidth
		w := first[b*size:][:size]
		base := s.base[at:][:blockWidth]
		for k := range out {
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
	copy(s.base[:n.padded], s.sums[len(out)-1][:n.padded])
}

// finish takes the first-layer sums through the rest of the net.
func (n *Net) finish(s *floatScratch, sums []float32) Outputs {
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
		out[i] = kernel.Sigmoid(x)
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
	sparse, places := NumSparse, contactPlaces
	if n.Race() {
		sparse, places = NumRaceSparse, racePlaces
	}
	for d, place := range places {
		if v := f.Dense[place]; v != 0 {
			rows[k] = kernel.Row{Offset: uint32(sparse+d) * blockWidth, Scale: v}
			k++
		}
	}
	return k
}

// change lists the rows by which f differs from the last position and returns how
// many.
func (s *floatScratch) change(f *Features, rows *[maxRows]kernel.Row) int {
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
	for d, place := range contactPlaces {
		v := f.Dense[place] - s.last.Dense[place]
		rows[k] = kernel.Row{Offset: uint32(NumSparse+d) * blockWidth, Scale: v}
		// Adds 1 unless v is zero, without a branch that the processor would guess
		// wrong half of the time.
		k += int((math.Float32bits(v)<<1>>1 + math.MaxInt32) >> 31)
	}
	return k
}
