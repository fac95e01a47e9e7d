package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func TestAddProduct_agreesWithPlainGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ m, k, n int }{{1, 1, 32}, {2, 3, 64}, {6, 75, 256}, {13, 7, 96}, {64, 75, 512}, {75, 64, 160}, {9, 1, 32}} {
		for _, transposed := range []bool{false, true} {
			step := c.n + 32
			a := Rows(random(rng, c.m*c.k), c.k)
			if transposed {
				a = Rows(a.Data, c.m).T()
			}
			b := random(rng, c.k*step)
			got := random(rng, c.m*step)
			want := append([]float32(nil), got...)
			AddProduct(got, step, a, b, step, c.m, c.k, c.n)
			addProductGo(want, step, a, b, step, c.m, c.k, c.n)
			for i := range got {
				if d := math.Abs(float64(got[i] - want[i])); d > 1e-4 {
					t.Fatalf("%v transposed %v: element %d is %v, want %v", c, transposed, i, got[i], want[i])
				}
			}
		}
	}
}

func TestAddProduct_refusesWhatDoesNotFit(t *testing.T) {
	for name, f := range map[string]func(){
		"columns": func() {
			AddProduct(make([]float32, 33), 33, Rows(make([]float32, 1), 1), make([]float32, 33), 33, 1, 1, 33)
		},
		"short a": func() {
			AddProduct(make([]float32, 64), 32, Rows(make([]float32, 1), 1), make([]float32, 32), 32, 2, 1, 32)
		},
		"short b": func() {
			AddProduct(make([]float32, 32), 32, Rows(make([]float32, 2), 2), make([]float32, 32), 32, 1, 2, 32)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func BenchmarkAddProduct(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, w, c := random(rng, 64*75), random(rng, 75*512), random(rng, 64*512)
	for b.Loop() {
		AddProduct(c, 512, Rows(x, 75), w, 512, 64, 75, 512)
	}
	b.ReportMetric(64*75*512*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gmul/s")
}
