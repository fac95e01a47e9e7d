package rating

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestUpdate_workedNumbers holds lines of a real FIBS log and of the help text.
func TestUpdate_workedNumbers(t *testing.T) {
	tests := []struct {
		name          string
		winner, loser Account
		length        int
		up, down      float64
	}{
		{"log of July 2020, 5 points", Account{2033.88, 1_200_000}, Account{1723.63, 10_000}, 5, 2.775, 2.775},
		{"log of July 2020, 1 point", Account{1498.92, 9999}, Account{891.29, 9999}, 1, 1.328, 1.328},
		{"specification", Account{1655.634835, 2761}, Account{1500, 187}, 3, 2.930831, 9.173502},
		{"new underdog wins", Account{1500, 0}, Account{1600, 1000}, 1, 10.575011, 2.115002},
		{"favourite beats a newcomer", Account{1600, 1000}, Account{1500, 0}, 1, 1.884998, 9.424989},
		{"underdog, 7 points", Account{1500, 200}, Account{1900, 50_000}, 7, 24.503390, 8.167797},
		{"equal", Account{1500, 450}, Account{1500, 450}, 1, 2, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, l := Update(tt.winner, tt.loser, tt.length)
			if math.Abs(w.Rating-tt.winner.Rating-tt.up) > 0.0006 || math.Abs(tt.loser.Rating-l.Rating-tt.down) > 0.0006 {
				t.Errorf("got +%f -%f, want +%f -%f", w.Rating-tt.winner.Rating, tt.loser.Rating-l.Rating, tt.up, tt.down)
			}
			if w.Experience != tt.winner.Experience+tt.length || l.Experience != tt.loser.Experience+tt.length {
				t.Errorf("experience %d and %d", w.Experience, l.Experience)
			}
		})
	}
	if w, l := Update(Account{1600, 5}, Account{1500, 5}, 0); w != (Account{1600, 5}) || l != (Account{1500, 5}) {
		t.Error("an unlimited match is not rated")
	}
}

func TestWinChance_andDifferenceAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := rapid.Float64Range(-800, 800).Draw(t, "d"), rapid.IntRange(1, 25).Draw(t, "n")
		if back := Difference(WinChance(d, n), n); math.Abs(back-d) > 1e-6 {
			t.Fatalf("%v became %v", d, back)
		}
		if s := WinChance(d, n) + WinChance(-d, n); math.Abs(s-1) > 1e-12 {
			t.Fatalf("both chances sum to %v", s)
		}
	})
}

// TestLoss_publishedCoefficients checks the table of the study, manual 2.13.
func TestLoss_publishedCoefficients(t *testing.T) {
	for n, want := range map[int][3]float64{
		1: {37916, 37916, 0}, 3: {19864.7, 17306.7, 690}, 5: {16707.2, 13903.2, 759.2}, 7: {15354.0, 12444.6, 788.9}, 25: {12918.2, 9819.0, 842.2},
	} {
		got := [3]float64{
			LossByDecision(ErrorRates{PerDecision: 1}, n),
			LossByMoveAndCube(ErrorRates{Checker: 1}, n),
			LossByMoveAndCube(ErrorRates{Cube: 1}, n),
		}
		for i := range got {
			if math.Abs(got[i]-want[i]) > 0.06 {
				t.Errorf("length %d: got %v, want %v", n, got, want)
				break
			}
		}
	}
}

func TestWord_limits(t *testing.T) {
	for rate, want := range map[float64]string{
		0: "Supernatural", 0.0019: "Supernatural", 0.002: "World class", 0.0079: "Expert",
		0.0119: "Advanced", 0.0179: "Intermediate", 0.0259: "Casual player", 0.0349: "Beginner", 0.035: "Awful!",
	} {
		if got := Word(rate); got != want {
			t.Errorf("%v: got %s, want %s", rate, got, want)
		}
	}
	for luck, want := range map[float64]string{0: "", 0.02: "", 0.03: "Lucky", -0.07: "Very unlucky", 0.2: "Outrageous luck", -0.2: "Cruel dice"} {
		if got := LuckWord(luck); got != want {
			t.Errorf("luck %v: got %q, want %q", luck, got, want)
		}
	}
}

// TestFromResults_coversTheTruth plays 300 players of known strength; the 90 %
// interval must hold the truth about nine times in ten. The seed is fixed.
func TestFromResults_coversTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	inside := 0
	const players = 300
	for range players {
		truth := 1400 + 500*rng.Float64()
		var rs []Result
		for range 200 {
			g := Result{Opponent: 1350 + 500*rng.Float64(), Length: 1 + 2*rng.IntN(4)}
			g.Won = rng.Float64() < WinChance(truth-g.Opponent, g.Length)
			rs = append(rs, g)
		}
		iv, err := FromResults(rs)
		if err != nil {
			t.Fatal(err)
		}
		if iv.Low <= truth && truth <= iv.High {
			inside++
		}
	}
	if share := float64(inside) / players; share < 0.85 || share > 0.95 {
		t.Errorf("the 90%% interval held the truth in %.1f%% of cases", 100*share)
	}
	if _, err := FromResults(nil); !errors.Is(err, ErrNoResults) {
		t.Errorf("no results: %v", err)
	}
	iv, err := FromResults([]Result{{Opponent: 1500, Length: 1, Won: true}})
	if err != nil || math.IsInf(iv.Estimate, 0) || iv.Estimate < 1500 || iv.High-iv.Low < 300 {
		t.Errorf("one win says little: %+v, %v", iv, err)
	}
}

// TestField_coversTheTruth draws meetings of five players of known strength: the 90 % intervals
// hold the truth about nine times in ten, in matches and in money play.
func TestField_coversTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for _, length := range []int{0, 7} {
		inside, all := 0, 0
		for range 200 {
			truth, mean := [5]float64{}, 0.0
			for i := range truth {
				truth[i] = rng.NormFloat64() * map[bool]float64{true: 0.2, false: 100}[length == 0]
				mean += truth[i] / 5
			}
			var list []Meeting
			for a := range truth {
				for b := range a {
					m := Meeting{A: a, B: b, Mean: truth[a] - truth[b], Stderr: 0.03}
					if length > 0 {
						m.Mean = WinChance(m.Mean, length)
					}
					m.Mean += m.Stderr * rng.NormFloat64()
					list = append(list, m)
				}
			}
			for i, iv := range Field(len(truth), length, list) {
				if all++; iv.Low <= truth[i]-mean && truth[i]-mean <= iv.High {
					inside++
				}
			}
		}
		if share := float64(inside) / float64(all); share < 0.86 || share > 0.94 {
			t.Errorf("length %d: the 90 %% interval held the truth in %.1f %% of cases", length, 100*share)
		}
	}
	alone := Field(3, 5, []Meeting{{A: 0, B: 1, Mean: 1, Stderr: 0.1}})
	if !math.IsNaN(alone[2].Estimate) || math.IsInf(alone[0].Estimate, 0) || alone[0].Estimate < 50 || math.Abs(alone[0].Estimate+alone[1].Estimate) > 1e-6 {
		t.Errorf("%+v", alone)
	}
}
