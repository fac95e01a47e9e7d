package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fibsbot/engine/nn"
	"fibsbot/internal/testsize"
)

// TestCoarsen: weights move by half a step of their input at most, rounded ones and those of the outputs
// stay, and the sums of the units stay on average.
func TestCoarsen(t *testing.T) {
	testsize.Alone(t)
	grids, err := coarseGrids()
	if err != nil {
		t.Fatal(err)
	}
	samples, err := coarseSamples()
	if err != nil {
		t.Fatal(err)
	}
	sample := samples[nn.ClassOfPlan(nn.PlanHolding)]
	if len(sample) < 500 {
		t.Fatalf("%d positions of holding games", len(sample))
	}
	s := Shape{Kind: KindContact, Hidden: 32, Second: nn.SecondWidth, Activation: "squared-clipped"}
	p := newParams(s)
	p.Randomise(s, rand.New(rand.NewPCG(7, 8)))
	old := p
	old.All = slices.Clone(p.All)
	n := len(p.First)
	first, second := meanSums(s, p, sample)
	coarsen(s, p, grids, sample)

	check := func(what string, old, now float32, g int) {
		t.Helper()
		step := math.Ldexp(1, -g)
		if now == 0 && math.Signbit(float64(now)) || math.Abs(float64(now-old)) > step/2 || math.Mod(float64(now), step) != 0 {
			t.Fatalf("%s %v became %v in steps of %v", what, old, now, step)
		}
	}
	for i, v := range p.First {
		check("weight", old.All[i], v, grids[i/s.Hidden])
	}
	at := n + len(p.Bias)
	for i, v := range p.Mid {
		check("weight of the second layer", old.All[at+i], v, middleGrid)
	}
	if at = len(p.All) - len(p.Out) - len(p.OutB); !slices.Equal(old.All[at:], p.All[at:]) {
		t.Error("weights of outputs have changed")
	}
	f, m := meanSums(s, p, sample)
	for i := range f {
		if math.Abs(f[i]-first[i]) > 0.0003 || math.Abs(m[i]-second[i]) > 1e-5 {
			t.Fatalf("unit %d adds up %v and %v on average, before %v and %v", i, f[i], m[i], first[i], second[i])
		}
	}
	again := slices.Concat(p.First, p.Mid)
	if coarsen(s, p, grids, sample); !slices.Equal(again, slices.Concat(p.First, p.Mid)) {
		t.Error("rounded again, weights have changed")
	}
}

// TestCoarseGrids: two checkers on the six point are common, six on the ace point of the opponent are not.
func TestCoarseGrids(t *testing.T) {
	grids, err := coarseGrids()
	if err != nil || len(grids) != nn.NumInputs {
		t.Fatal(len(grids), err)
	}
	common, rare := 5*nn.PointKinds+1, 23*nn.PointKinds+5
	if grids[common] < 8 || grids[rare] > 4 {
		t.Errorf("grids %d and %d", grids[common], grids[rare])
	}
	if m := slices.Max(grids); m > finestGrid {
		t.Errorf("a grid of %d is finer than weights are stored", m)
	}
}
