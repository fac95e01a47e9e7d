package nn

import "fibsbot/internal/kernel"

// Outputs are the five outcome chances as a net gives them: each within [0,1],
// not yet made consistent with one another. Order as in eval.Probs.
type Outputs [5]float32

// BatchSize is how many positions Add takes before Run must be called.
const BatchSize = 16

// Scratch is the working memory of evaluations by one net at a time: what it keeps of the last
// position, and what waits. It belongs to one goroutine; the zero value is ready.
type Scratch struct {
	net     *whole // nil when there is no last position
	count   int    // positions added and not yet run
	words   [8]uint64
	off     [2]uint32
	dense   [kernel.DenseInputs]int16
	sums    kernel.Sums
	changes [BatchSize]kernel.Change
	h       [BatchSize * MaxHidden]int16
	dots    [kernelOutputs]int32
	values  [kernelOutputs]float32
	// of nets with a second layer
	last   kernel.SecondState
	second [BatchSize * SecondWidth]int32
}

// Forget drops all positions, so that the next one starts from the bias.
func (s *Scratch) Forget() { s.count, s.net = 0, nil }

// Evaluate returns the net's outputs for a single position with features f,
// which must come from the encoder the net was made for. It allocates nothing.
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
// cheap for the plays of one decision. The result does not depend on that: see whole. When
// BatchSize positions are in, Run must come first.
func (n *Net) Add(s *Scratch, f *Features) {
	w := n.wholeForm()
	if s.net != w {
		s.net, s.count, s.words, s.off, s.dense = w, 0, [8]uint64{}, [2]uint32{}, [kernel.DenseInputs]int16{}
		s.sums = w.start
		if w.second != nil {
			s.last = kernel.SecondState{}
		}
	}
	s.add(f, &s.changes[s.count])
	s.count++
}

// Run evaluates the positions added since the last Run, in their order, and
// returns how many there were. out must be that long. It goes through the net
// block by block, because the rows that a decision's plays touch then stay in the
// nearest cache.
func (n *Net) Run(s *Scratch, out []Outputs) int {
	count := s.count
	s.count = 0
	if count == 0 || s.net != n.wholeForm() {
		return 0
	}
	s.run(out[:count])
	return count
}
