package tune

import "testing"

// A rating is the same at every reading, to the last bit: the losses of checker play
// and cube are added in a fixed order.
func TestSurface_readsTheSameEveryTime(t *testing.T) {
	table := &Table{Anchor: 1900, Ratings: []Point{{Setting: Setting{Style: Noise, Checker: 0.03, Cube: 0.03}, Length: 5, Rating: 1500}}}
	for k := range 4 {
		at := 0.1 / float64(4-k)
		table.Losses = append(table.Losses,
			LossPoint{Param: Param{Kind: NoiseChecker, At: at, Length: 5}, Loss: 1000.1 * at},
			LossPoint{Param: Param{Kind: NoiseCube, At: at, Length: 5}, Loss: 77.7 * at})
	}
	s, err := NewSurface(table)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 90 {
		x := Setting{Style: Noise, Checker: 0.001 * float64(k+1), Cube: 0.1 - 0.001*float64(k+1)}
		first, _, ok := s.estimate(x, 5)
		for range 20 {
			if r, _, _ := s.estimate(x, 5); !ok || r != first {
				t.Fatalf("%s: %v, then %v", x, first, r)
			}
		}
	}
}
