package tune

import "testing"

// A rating is the same at every reading, to the last bit: the losses of checker play and cube are
// added in a fixed order.
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

// TestFind_aboveTakesTheCheaperOfEquals: of presets at about the wanted rating it is the fastest;
// the steps between them are smaller than the errors of their ratings.
func TestFind_aboveTakesTheCheaperOfEquals(t *testing.T) {
	table := Table{Anchor: 1900}
	for name, r := range map[string]float64{"worldclass": 1950, "supremo": 1955.2, "champion": 1954.8, "grandmaster": 1961, "legend": 1955.6} {
		table.Ratings = append(table.Ratings, Point{Setting: Setting{Deep: name}, Length: 5, Rating: r})
	}
	s, err := NewSurface(&table)
	if err != nil {
		t.Fatal(err)
	}
	for want, preset := range map[float64]string{1950: "worldclass", 1955: "supremo", 1956: "supremo", 1957.5: "supremo", 1959: "grandmaster", 1961: "grandmaster"} {
		if got, err := s.Find(Order{Rating: want, Length: 5, Cube: -1}); err != nil || got.Setting.String() != preset {
			t.Errorf("%v is played by %v, want %s (%v)", want, got.Setting, preset, err)
		}
	}
}

func FuzzReadSurface(f *testing.F) {
	f.Add(measuredJSON)
	f.Add([]byte(`{"anchor":1900,"ratings":[{"setting":"beginner","length":5,"rating":1500,"stderr":30}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadSurface(data)
		if err != nil {
			return
		}
		if found, err := s.Find(Order{Rating: 1700, Length: 5, Cube: -1}); err == nil && !finite(found.Rating.Estimate) {
			t.Fatalf("%+v", found)
		}
	})
}
