package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
)

// Nets in whole numbers give the same to the bit on every processor.
func TestWhole_everyVariantIsTheSame(t *testing.T) {
	for _, s := range shapes {
		n, err := NewNet(randomWeights(3, s.inputs, s.hidden, s.second))
		if err != nil {
			t.Fatal(err)
		}
		var want []Outputs
		onEach(t, func(t *testing.T) {
			var scratch Scratch
			var got []Outputs
			r := rand.New(rand.NewPCG(4, 4))
			for range 200 {
				p := naturalPosition(r)
				f := encode(&Weights{Inputs: s.inputs}, &p)
				got = append(got, n.Evaluate(&scratch, &f))
			}
			if want == nil {
				want = got
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%s: position %d is %v, plain Go says %v", s.name, i, got[i], want[i])
				}
			}
		})
	}
}

// A scratch goes on when the kernels are exchanged under it.
func TestWhole_survivesAnotherVariant(t *testing.T) {
	n, err := NewNet(randomWeights(3, NumInputs, 256, 0))
	if err != nil {
		t.Fatal(err)
	}
	f := encode(&Weights{Inputs: NumInputs}, &board.Start)
	var scratch Scratch
	var want *Outputs
	for range 2 {
		onEach(t, func(t *testing.T) {
			got := n.Evaluate(&scratch, &f)
			if want == nil {
				want = &got
			}
			if got != *want {
				t.Errorf("%v, want %v", got, *want)
			}
		})
	}
}

// sumsOf is what the sums of unit u of w reach in position p, of the sparse rows and
// of the computed inputs.
func sumsOf(w *Weights, u int, f *Features) (sparse, dense float64) {
	sparse = float64(w.Bias[u])
	for _, r := range f.Rows(nil, w.Inputs == NumRaceInputs) {
		sparse += float64(w.First[int(r)*w.Hidden+u])
	}
	rows := NumSparse
	if w.Inputs == NumRaceInputs {
		rows = NumRaceSparse
	}
	computed := make([]float32, w.Inputs-rows)
	f.Computed(computed)
	for d, v := range computed {
		dense += float64(v) * float64(w.First[(rows+d)*w.Hidden+u])
	}
	return sparse, dense
}

// With weights so large that units need coarse steps, no position leaves the bounds
// that the steps were chosen by, and values stay right.
func TestWhole_gridsHoldEverySum(t *testing.T) {
	for _, inputs := range []int{NumInputs, NumRaceInputs} {
		w := randomWeights(8, inputs, 64, 0)
		for i := range w.First {
			w.First[i] *= float32(1 + 3*(i%w.Hidden)/8) // up to 25 times
			w.First[i] = float32(math.Round(float64(w.First[i])*2048) / 2048)
		}
		for i := range w.Out {
			w.Out[i] /= 8
		}
		n, err := NewNet(w)
		if err != nil {
			t.Fatal(err)
		}
		form := n.wholeForm()
		r := rand.New(rand.NewPCG(9, 9))
		grids := map[int16]bool{}
		var scratch Scratch
		for range 300 {
			p := randomPosition(r)
			f := encode(w, &p)
			for u := range w.Hidden {
				one := form.layer.One[u]
				grids[one] = true
				sparse, dense := sumsOf(w, u, &f)
				if limit := 32768 / float64(one); math.Abs(sparse) >= limit || math.Abs(dense) >= limit {
					t.Fatalf("%s: unit %d sums to %v and %v, room is for %v", p.ID(), u, sparse, dense, limit)
				}
			}
			got, want := n.Evaluate(&scratch, &f), slowOutputs(w, &f)
			for o := range got {
				if math.Abs(float64(got[o])-want[o]) > 0.01 {
					t.Fatalf("%s: output %d is %v, by the formula %v", p.ID(), o, got[o], want[o])
				}
			}
		}
		if len(grids) < 3 {
			t.Errorf("only the grids %v were used, so little was tested", grids)
		}
	}
}

// The sums of the largest weights that a net may have fit into 16 bits.
func TestWhole_largestWeights(t *testing.T) {
	for _, inputs := range []int{NumInputs, NumRaceInputs} {
		w := NewWeights(inputs, 64, 0)
		for _, p := range w.parts() {
			for i := range p.values {
				p.values[i] = maxWeight
			}
		}
		n, err := NewNet(w)
		if err != nil {
			t.Fatal(err)
		}
		form := n.wholeForm()
		column := make([]float32, inputs)
		for r := range column {
			column[r] = maxWeight
		}
		sparse, dense := form.inputs.exactBound(column, maxWeight, 1), float32(form.inputs.dense)*maxWeight
		if limit := 32767 / float32(form.layer.One[7]); sparse > limit || dense > limit {
			t.Errorf("a unit sums to %v and %v, room is for %v", sparse, dense, limit)
		}
	}
}

func TestUnitBounds(t *testing.T) {
	in := &inputsOfContact
	column := make([]float32, NumInputs)
	row := func(side, point, count int) *float32 { return &column[side*SideSparse+point*PointKinds+count-1] }
	// Fifteen checkers on fifteen of the twenty points where one is worth 1, or five and
	// ten more where three are worth 3.5: 5 * 3.5 is more than 15.
	for p := range 20 {
		*row(0, p, 1) = 1
	}
	for p := range 8 {
		*row(0, p, 3) = 3.5
	}
	*row(1, 4, 6) = 2
	column[SideSparse+OffRow+8] = 0.25 // nine off and six on the point: both count
	*row(1, 5, 1) = -1
	if got := in.exactBound(column, 0.5, 1); got != 0.5+17.5+2.25 {
		t.Errorf("the largest sum is %v, want 20.25", got)
	}
	if got := in.exactBound(column, 0.5, -1); got != -0.5+1 {
		t.Errorf("the least sum is %v, want -0.5", -got)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		for i := range column {
			column[i] = float32(r.NormFloat64())
		}
		for _, sign := range []float32{1, -1} {
			exact := in.exactBound(column, 1, sign)
			rougher, rough := in.roughBound(column, 1, sign, float32(math.Inf(1))), in.roughBound(column, 1, sign, 0)
			if rough < exact || rougher < rough {
				t.Fatalf("the rough bounds %v and %v are below the exact one %v", rougher, rough, exact)
			}
		}
	}
}
