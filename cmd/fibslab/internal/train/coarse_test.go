package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/nn"
	"fibsbot/internal/kernel"
)

// TestCoarsen: weights move by half a step at most, those of the second layer by a part of their
// size; rounded weights stay.
func TestCoarsen(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	w := nn.NewWeights(nn.NumInputs, 32, 32, kernel.SquaredClipped)
	for _, list := range [][]float32{w.First, w.Middle, w.Out} {
		for i := range list {
			list[i] = float32(rng.NormFloat64())
		}
	}
	first, middle, out := append([]float32(nil), w.First...), append([]float32(nil), w.Middle...), append([]float32(nil), w.Out...)
	Coarsen(w)
	for i, v := range w.First {
		if math.Abs(float64(v-first[i])) > 1./1024 || math.Mod(float64(v), 1./512) != 0 {
			t.Fatalf("weight %v became %v", first[i], v)
		}
	}
	for i, v := range w.Middle {
		if math.Abs(float64(v-middle[i])) > math.Abs(float64(middle[i]))/512 || math.Float32bits(v)<<17 != 0 {
			t.Fatalf("weight %v of the second layer became %v", middle[i], v)
		}
	}
	for i, v := range w.Out {
		if v != out[i] {
			t.Fatalf("output weight %v became %v", out[i], v)
		}
	}
	again := append([]float32(nil), append(append([]float32(nil), w.First...), w.Middle...)...)
	Coarsen(w)
	for i, v := range append(append([]float32(nil), w.First...), w.Middle...) {
		if v != again[i] {
			t.Fatalf("%v became %v when rounded again", again[i], v)
		}
	}
}
