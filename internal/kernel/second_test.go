package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomSecond is a second layer for the variant in use and values of positions, the same
// numbers whatever that is. Sums are as large as 32 bits hold.
func randomSecond(seed uint64, units, positions int) (s *Second, weights, h []int16) {
	r := rand.New(rand.NewPCG(seed, 1))
	weights, h = make([]int16, units*SecondUnits), make([]int16, units*positions)
	for k := range SecondUnits {
		var up, down float64
		row := make([]float64, units)
		for u := range row {
			row[u] = r.NormFloat64()
			up, down = up+max(row[u], 0), down+max(-row[u], 0)
		}
		for u, v := range row {
			weights[u*SecondUnits+k] = int16(v * min((math.MaxInt32/8192-float64(units))/max(up, down), 6000))
		}
	}
	for i := range h {
		h[i] = int16(max(0, min(r.IntN(3*8192)-8192, 8192))) // a third is zero, a third full
		if i >= units && r.IntN(4) > 0 {
			h[i] = h[i-units]
		}
	}
	s = NewSecond(units, func(u, k int) int16 { return weights[u*SecondUnits+k] })
	for k := range SecondUnits {
		s.Scale[k], s.Bias[k] = float32(math.Exp(-19.5+r.Float64())), float32(r.NormFloat64())
		for o := range s.Out {
			s.Out[o][k] = float32(r.NormFloat64())
		}
	}
	for o := range s.OutBias {
		s.OutBias[o] = float32(r.NormFloat64())
	}
	return s, weights, h
}

func TestSecond_isTheDefinitionOnEveryVariant(t *testing.T) {
	for _, units := range []int{128, 256, 512, 1024} {
		for positions := range 17 {
			var want []float32
			onEach(t, func(name string) {
				s, weights, h := randomSecond(uint64(units), units, positions)
				sums, x := make([]int32, positions*SecondUnits), make([]float32, 5*positions, 5*positions+7)
				var last SecondState
				cut := positions / 3 // in two calls
				s.Outputs(x[:5*cut], h, sums, &last)
				s.Outputs(x[5*cut:], h[cut*units:], sums[cut*SecondUnits:], &last)
				for p := range positions {
					m := slowSecond(t, name, s, weights, h[p*units:][:units], sums[p*SecondUnits:][:SecondUnits])
					for o, got := range x[5*p:][:5] {
						z := float64(s.OutBias[o])
						for k, v := range m {
							z += v * float64(s.Out[o][k])
						}
						if want := 1 / (1 + math.Exp(-z)); math.Abs(float64(got)-want) > 2e-5 {
							t.Fatalf("%s, %d units: output %d of position %d is %v, want %v", name, units, o, p, got, want)
						}
					}
				}
				if want == nil {
					want = x
				}
				if !slices.Equal(x, want) {
					t.Fatalf("%s, %d units, %d positions: %v, plain Go says %v", name, units, positions, x, want)
				}
			})
		}
	}
}

// slowSecond checks the sums of a position and returns the values of the second layer.
func slowSecond(t *testing.T, name string, s *Second, weights, h []int16, sums []int32) (m [SecondUnits]float64) {
	t.Helper()
	for k := range m {
		sum := 0
		for u, v := range h {
			sum += int(v) * int(weights[u*SecondUnits+k])
		}
		if sum != int(sums[k]) {
			t.Fatalf("%s, %d units: sum %d is %d, want %d", name, len(h), k, sums[k], sum)
		}
		v := min(max(float64(sum)*float64(s.Scale[k])+float64(s.Bias[k]), 0), 1)
		m[k] = v * v
	}
	return m
}

func TestSecond_ofAnotherVariantIsRefused(t *testing.T) {
	made := map[int]*Second{}
	onEach(t, func(string) { made[Layout()], _, _ = randomSecond(1, 128, 1) })
	onEach(t, func(name string) {
		for layout, s := range made {
			if layout == Layout() {
				continue
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s works on what was laid out for another variant", name)
					}
				}()
				s.Outputs(make([]float32, 5, 12), make([]int16, 128), make([]int32, SecondUnits), new(SecondState))
			}()
		}
	})
}

func BenchmarkSecond(b *testing.B) {
	onEach(b, func(name string) {
		s, _, h := randomSecond(1, 512, 16)
		sums, x, last := make([]int32, 16*SecondUnits), make([]float32, 80), new(SecondState)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.Outputs(x, h, sums, last)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/position")
		})
	})
}
