package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// onEach runs f once for every variant this processor has, plain Go first.
func onEach(t testing.TB, f func(name string)) {
	was := level
	t.Cleanup(func() { level = was })
	for l := range levelNames {
		if !has(l) {
			continue
		}
		level = l
		f(levelNames[l])
	}
	level = was
}

func randoms(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func randomRows(r *rand.Rand, n, width, size int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{Offset: uint32(r.IntN(size/width)) * uint32(width), Scale: float32(r.NormFloat64())}
	}
	return rows
}

// closeTo fails unless got and want agree within 1e-5 of the larger of 1 and want.
func closeTo(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if d := math.Abs(float64(got[i] - want[i])); !(d <= 1e-5*max(1, math.Abs(float64(want[i])))) {
			t.Fatalf("%s: element %d is %v, plain Go says %v", what, i, got[i], want[i])
		}
	}
}

// variants runs f for every variant on the same numbers and compares what it
// returns with plain Go's.
func variants(t *testing.T, f func(r *rand.Rand, width int) []float32) {
	for _, width := range []int{32, 64, 96, 128, 160, 256, 512} {
		var want []float32
		onEach(t, func(name string) {
			got := f(rand.New(rand.NewPCG(3, uint64(width))), width)
			if want == nil {
				want = got
			}
			closeTo(t, fmt.Sprintf("%s at width %d", name, width), got, want)
		})
	}
}

func TestAccumulate_everyVariantAgrees(t *testing.T) {
	variants(t, func(r *rand.Rand, width int) []float32 {
		w := randoms(r, 20*width)
		var all []float32
		for _, n := range []int{0, 1, 3, 4, 5, 30} {
			dst := make([]float32, width)
			Accumulate(dst, randoms(r, width), w, randomRows(r, n, width, len(w)))
			Accumulate(dst, dst, w, randomRows(r, 2, width, len(w)))
			all = append(all, dst...)
		}
		return all
	})
}

func TestAccumulate_sumsRows(t *testing.T) {
	w := make([]float32, 3*Width)
	for i := range w {
		w[i] = float32(i / Width)
	}
	base := make([]float32, Width)
	base[5] = 10
	onEach(t, func(name string) {
		dst := make([]float32, Width)
		Accumulate(dst, base, w, []Row{{Offset: Width, Scale: 3}, {Offset: 2 * Width, Scale: -0.5}})
		if dst[0] != 2 || dst[5] != 12 || dst[Width-1] != 2 {
			t.Errorf("%s: %v, want 2 everywhere and 12 at 5", name, dst)
		}
	})
}

func TestAddOuter_everyVariantAgrees(t *testing.T) {
	variants(t, func(r *rand.Rand, width int) []float32 {
		w := randoms(r, 9*width)
		AddOuter(w, randomRows(r, 7, width, len(w)), randoms(r, width))
		AddOuter(w, nil, randoms(r, width))
		return w
	})
}

func TestActivateAndSlope_everyVariantAgrees(t *testing.T) {
	variants(t, func(r *rand.Rand, width int) []float32 {
		x := randoms(r, width)
		copy(x, []float32{0, 1, -1, 0.5, 1e6, -1e6, 0.999999, 1e-7})
		y, g := make([]float32, width), randoms(r, width)
		Activate(y, x)
		Slope(g, x)
		return append(y, g...)
	})
}

func TestSlope_isTheDerivativeOfActivate(t *testing.T) {
	const h = 1e-3
	for x := float32(-2.05); x < 2.1; x += 0.1 {
		lo, hi, g := make([]float32, Width), make([]float32, Width), make([]float32, Width)
		pre := make([]float32, Width)
		for i := range pre {
			pre[i], lo[i], hi[i], g[i] = x, x-h, x+h, 3
		}
		Activate(lo, lo)
		Activate(hi, hi)
		Slope(g, pre)
		if want := 3 * (hi[7] - lo[7]) / (2 * h); math.Abs(float64(g[7]-want)) > 5e-3 {
			t.Errorf("slope at %v is %v, the curve has %v", x, g[7], want)
		}
	}
}

func TestAdam_everyVariantAgrees(t *testing.T) {
	variants(t, func(r *rand.Rand, width int) []float32 {
		w, m, v := randoms(r, width), make([]float32, width), make([]float32, width)
		for step := range 5 {
			g := randoms(r, width)
			c1, c2 := 1-math.Pow(0.9, float64(step+1)), 1-math.Pow(0.999, float64(step+1))
			Adam(w, m, v, g, &AdamStep{
				Rate: float32(0.01 * math.Sqrt(c2) / c1), NewMean: 0.1, NewSquare: 0.001,
				Epsilon: 1e-7, Keep: 0.9999, Scale: 0.25,
			})
			if g[0] != 0 || g[width-1] != 0 {
				t.Fatal("the gradient is not cleared")
			}
		}
		return append(append(w, m...), v...)
	})
}

func TestAdam_firstStepIsTheRate(t *testing.T) {
	// With both means corrected for their start, the first step moves every
	// weight by the learning rate against its gradient's sign.
	onEach(t, func(name string) {
		w, m, v, g := make([]float32, Width), make([]float32, Width), make([]float32, Width), make([]float32, Width)
		g[3], g[4] = 50, -0.01
		Adam(w, m, v, g, &AdamStep{Rate: float32(0.1 * math.Sqrt(0.001) / 0.1), NewMean: 0.1, NewSquare: 0.001, Keep: 1, Scale: 1, Epsilon: 1e-12})
		closeTo(t, name, w[3:6], []float32{-0.1, 0.1, 0})
	})
}

func TestAccumulate_refusesRowsOutside(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row past the end of the weights was read")
		}
	}()
	w := make([]float32, 64)
	Accumulate(make([]float32, Width), make([]float32, Width), w, []Row{{Offset: 33, Scale: 1}})
}

func BenchmarkAccumulate(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	w := randoms(r, 404*512)
	base, dst := randoms(r, 512), make([]float32, 512)
	lists := make([][]Row, 64)
	for i := range lists {
		lists[i] = randomRows(r, 32, 512, len(w))
	}
	onEach(b, func(name string) {
		b.Run(name+"/32rows512", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				Accumulate(dst, base, w, lists[i&63])
			}
		})
		b.Run(name+"/outer32rows512", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				AddOuter(w, lists[i&63], base)
			}
		})
	})
}

func BenchmarkRest(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x := randoms(r, 512)
	onEach(b, func(name string) {
		b.Run(name+"/activate", func(b *testing.B) {
			for b.Loop() {
				Activate(x, x)
			}
		})
	})
}
