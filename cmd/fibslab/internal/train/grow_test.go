package train

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
)

// TestFit_growsASecondLayer: a fit that starts from a net with one layer less begins with that net's
// output.
func TestFit_growsASecondLayer(t *testing.T) {
	from := Shape{Kind: KindContact, Hidden: 64, Activation: "squared-clipped"}
	p := NewParams(from)
	p.Randomise(from, rand.New(rand.NewPCG(1, 1)))
	for i := range p.OutB[:5] {
		p.OutB[i] = float32(i) - 2
	}
	to := from
	to.Second = 32
	recs := benchRecords(400)
	for i := range recs {
		recs[i].Group = uint32(1 + i/4)
	}
	f := Fit{Shape: to, Seed: 3, Sources: []*Source{{Records: recs}}}
	if err := f.StartFrom(from, p); err != nil {
		t.Fatal(err)
	}
	grown := NewParams(to)
	copy(grown.All, f.state.Weights)
	before, after := NewProbe(from, p), NewProbe(to, grown)
	rng := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		pos := StartOf(Scattered, rng)
		want, got := before.Eval(&pos), after.Eval(&pos)
		for o := range want {
			if math.Abs(float64(want[o]-got[o])) > 1e-5 {
				t.Fatalf("%s: output %d was %v and is %v", pos.ID(), o, want[o], got[o])
			}
		}
	}
	// Units that differ between siblings come last.
	order := quietFirst(from, p, f.Sources)
	w, differs := newWorker(from), make([]int, from.Hidden)
	w.p = p
	for i := range recs {
		pos, err := board.FromKey(recs[i].Key)
		if err != nil {
			t.Fatal(err)
		}
		w.encode(i%2, &pos)
		if i%4%2 == 1 {
			w.forward(2)
			for u := range differs {
				if w.hid[u] != w.hid[from.Hidden+u] {
					differs[u]++
				}
			}
		}
	}
	half := func(units []int) (n int) {
		for _, u := range units {
			n += differs[u]
		}
		return n
	}
	if a, b := half(order[:32]), half(order[32:]); a >= b {
		t.Errorf("the first half of the units differs %d times, the second %d times", a, b)
	}
	for _, bad := range []Shape{
		{Kind: KindContact, Hidden: 96, Second: 32, Activation: "squared-clipped"},
		{Kind: KindRace, Hidden: 64, Second: 32, Activation: "squared-clipped"},
		{Kind: KindContact, Hidden: 64, Second: 32, Activation: "clipped"},
	} {
		if err := (&Fit{Shape: bad}).StartFrom(from, p); err == nil {
			t.Errorf("a fit of %+v began with %+v", bad, from)
		}
	}
	if err := (&Fit{Shape: from}).StartFrom(to, grown); err == nil {
		t.Error("a fit without a second layer began with one")
	}
}

// TestFit_lastLayer: with Last nothing but the output layer learns.
func TestFit_lastLayer(t *testing.T) {
	f := smallFit(t, 1)
	f.Last = true
	before := NewParams(f.Shape)
	before.Randomise(f.Shape, rand.New(rand.NewPCG(f.Seed, 1)))
	valid := append([]Record(nil), f.Sources[0].Records...)
	after, err := f.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	inner := len(before.All) - len(before.Out) - len(before.OutB)
	for i := range inner {
		if math.Abs(float64(before.All[i]-after.All[i])) > 1e-6 { // rounding of the running average
			t.Fatalf("weight %d of %d was %v and is %v", i, inner, before.All[i], after.All[i])
		}
	}
	if e0, e1 := MeasureErrors(valid, NewProbe(f.Shape, before)), MeasureErrors(valid, NewProbe(f.Shape, after)); e1.Equity > e0.Equity*0.8 {
		t.Errorf("from %+v to %+v", e0, e1)
	}
}
