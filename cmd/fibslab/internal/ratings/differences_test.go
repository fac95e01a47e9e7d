package ratings

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

var (
	testSupremo    = tune.Setting{Deep: "supremo"}
	testWorldclass = tune.Setting{Deep: "worldclass"}
	testDuel       = Differences{Seed: 205, Trials: 144}
)

// duelPairs are n pairs from first on with edges derived from their numbers.
func duelPairs(first, n int) map[int]Valued {
	out := map[int]Valued{}
	for k := first; k < first+n; k++ {
		out[k] = Valued{Edge: 0.001 * float64(k+1), Games: 10 + k}
	}
	return out
}

func TestAddDifferences(t *testing.T) {
	h := testHeader
	h.BlockSize = 60
	cell := Cell{A: testSupremo, B: testWorldclass, Length: 5}
	mirrored := func(pairs map[int]Valued) map[int]Valued {
		out := map[int]Valued{}
		for k, p := range pairs {
			out[k] = Valued{Edge: -p.Edge, Games: p.Games}
		}
		return out
	}
	other := duelPairs(0, 7)
	other[4] = Valued{Edge: 0.3, Games: 14}
	gap := duelPairs(0, 9)
	delete(gap, 4)
	for _, tt := range []struct {
		name         string
		have         int // of the duel's first pairs
		cell         Cell
		duel         Differences
		pairs        map[int]Valued
		added, there int
		err          error
	}{
		{"first", 0, cell, testDuel, duelPairs(0, 7), 7, 0, nil},
		{"again", 6, cell, testDuel, duelPairs(0, 7), 1, 6, nil},
		{"less of it", 6, cell, testDuel, duelPairs(1, 5), 0, 5, nil},
		{"seats exchanged", 6, Cell{A: cell.B, B: cell.A, Length: 5}, testDuel, mirrored(duelPairs(0, 7)), 1, 6, nil},
		{"seats exchanged, edges not", 6, Cell{A: cell.B, B: cell.A, Length: 5}, testDuel, duelPairs(0, 7), 0, 0, ErrDuplicate},
		{"other values", 6, cell, testDuel, other, 0, 0, ErrDuplicate},
		{"the same matches with more trials", 6, cell, Differences{Seed: 205, Trials: 500}, duelPairs(0, 7), 0, 0, ErrDuplicate},
		{"longer, a pair still being played", 3, cell, testDuel, gap, 5, 3, nil},
		{"longer", 9, cell, testDuel, duelPairs(0, 12), 3, 9, nil},
		{"another seed", 6, cell, Differences{Seed: 206, Trials: 144}, duelPairs(0, 3), 3, 0, nil},
		{"another length", 6, Cell{A: cell.A, B: cell.B, Length: 7}, testDuel, duelPairs(0, 3), 3, 0, nil},
		{"no trials", 0, cell, Differences{Seed: 205}, duelPairs(0, 3), 0, 0, ErrResults},
		{"more trials than can be", 0, cell, Differences{Trials: maxTrials + 1}, duelPairs(0, 3), 0, 0, ErrResults},
		{"against itself", 0, Cell{A: cell.A, B: cell.A, Length: 5}, testDuel, duelPairs(0, 3), 0, 0, ErrResults},
		{"negative pair", 0, cell, testDuel, duelPairs(-1, 3), 0, 0, ErrResults},
		{"no number", 0, cell, testDuel, map[int]Valued{0: {Edge: math.NaN(), Games: 9}, 1: {Games: 9}, 2: {Games: 9}}, 0, 0, ErrResults},
		{"no games", 0, cell, testDuel, map[int]Valued{0: {}, 1: {}, 2: {}}, 0, 0, ErrResults},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := storeWith(t, h)
			if _, err := s.AddDifferences(cell, testDuel, Fingerprints{}, duelPairs(0, tt.have)); err != nil {
				t.Fatal(err)
			}
			before := s.Len()
			got, err := s.AddDifferences(tt.cell, tt.duel, Fingerprints{}, tt.pairs)
			if !errors.Is(err, tt.err) {
				t.Fatal(err)
			}
			if err != nil && s.Len() != before {
				t.Errorf("%d blocks, %d before it failed", s.Len(), before)
			}
			if err == nil && (len(got.Added) != tt.added || got.There != tt.there || s.Len() != before+tt.added) {
				t.Errorf("added %d, there %d", len(got.Added), got.There)
			}
		})
	}
}

// TestTotals_differencesApart: results played in a cell and its differences are two totals,
// also after writing and reading; two duels are one.
func TestTotals_differencesApart(t *testing.T) {
	h := testHeader
	h.BlockSize = 40 // blocks of 2 where a setting looks ahead
	cell := Cell{A: testSupremo, B: testWorldclass, Length: 5}
	played := Block{Cell: cell, Luck: true, Pairs: 2, Sum: 1.2, Square: 0.8, Games: 12}
	s := storeWith(t, h, played)
	for seed := range uint64(2) {
		if _, err := s.AddDifferences(cell, Differences{Seed: seed, Trials: 36}, Fingerprints{}, duelPairs(2*int(seed), 2)); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := s.write(&b); err != nil {
		t.Fatal(err)
	}
	back, _, err := readStore(&b)
	if err != nil {
		t.Fatal(err)
	}
	got := back.Totals()
	if len(got) != 2 || got[0].Differences || got[0].Mean != 0.6 || !got[1].Differences || got[1].Luck || got[1].Pairs != 4 ||
		math.Abs(got[1].Mean-0.5025) > 1e-12 || math.Abs(got[1].Variance-5e-6/3) > 1e-12 {
		t.Errorf("%+v", got)
	}
	if name := got[1].Name(); name != "supremo v worldclass, 5 points, by differences" {
		t.Errorf("named %q", name)
	}
	// Where they are, Measure still finds nothing played, and merging finds duplicates.
	if back.played(cell) != 1 || back.Has(cell, 1) {
		t.Errorf("%d blocks played, the second there: %v", back.played(cell), back.Has(cell, 1))
	}
	if err := s.Merge(back); !errors.Is(err, ErrDuplicate) {
		t.Errorf("merged with itself: %v", err)
	}
	odd := played
	odd.Differences, odd.Index = testDuel, 9
	if err := s.Add(odd); !errors.Is(err, ErrResults) {
		t.Errorf("differences with luck taken off: %v", err)
	}
}

// imaginedDuel is a duel of pairs pairs in which each pair has about a dozen
// differences: most small, some large, worth edge (winning chance) a match in all.
func imaginedDuel(rng *rand.Rand, edge float64, pairs int) map[int]Valued {
	const n, size = 24, 0.0015
	out := map[int]Valued{}
	for k := range pairs {
		v := Valued{Edge: edge, Games: 12}
		for range n {
			if rng.Float64() < 0.5 {
				// Squares of exponentials: a tail as heavy as that of real differences.
				x := rng.ExpFloat64()
				v.Edge += size * x * x / 2 * float64(1-2*rng.IntN(2))
			}
		}
		out[k] = v
	}
	return out
}

// TestFit_knowsSettingsByTheirDifferences puts duels with a known edge beside played results
// and repeats that many times: the difference of the two ratings must be that of the edge, and
// within its 90 % interval about nine times in ten. supremo's edge over worldclass is the same
// at all lengths.
func TestFit_knowsSettingsByTheirDifferences(t *testing.T) {
	const ahead, runs = 25.0, 60
	lengths := []int{1, 5, 11}
	inside, all, sum, width := 0, 0, 0.0, 0.0
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 7))
		h := testHeader
		h.BlockSize = 100
		s := storeWith(t, h)
		for _, n := range lengths {
			c := Cell{A: testWorldclass, B: tune.Expert, Length: n}
			for i := range 20 { // truth: worldclass is 40 points ahead
				if err := s.Add(imagined(rng, c, i, h.Pairs(c))); err != nil {
					t.Fatal(err)
				}
			}
			edge := rating.WinChance(ahead, n) - 0.5
			if _, err := s.AddDifferences(Cell{A: testSupremo, B: testWorldclass, Length: n}, testDuel, Fingerprints{}, imaginedDuel(rng, edge, 30)); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Fit(s.Totals(), 1900)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range lengths {
			a, b := f.index[tune.Param{Kind: tune.DeepPreset, Preset: "supremo", Length: n}], f.index[tune.Param{Kind: tune.DeepPreset, Preset: "worldclass", Length: n}]
			d := f.Loss[b] - f.Loss[a]
			se := math.Sqrt(f.cov.At(a, a) + f.cov.At(b, b) - 2*f.cov.At(a, b))
			if math.Abs(d-ahead) <= tune.Z90*se {
				inside++
			}
			all, sum, width = all+1, sum+d, width+tune.Z90*se
		}
	}
	mean, half := sum/float64(all), width/float64(all)
	if math.Abs(mean-ahead) > 1.5 || half > 10 {
		t.Errorf("supremo is %.1f ±%.1f points ahead, want %v", mean, half, ahead)
	}
	if share := float64(inside) / float64(all); share < 0.84 || share > 0.97 {
		t.Errorf("the 90 %% interval held the truth in %.1f %% of %d cases", 100*share, all)
	}
}

// TestFit_doubtsFewDifferences: pairs that happen to agree, or never differed, are not a
// certainty; with more of them the interval becomes smaller.
func TestFit_doubtsFewDifferences(t *testing.T) {
	half := func(pairs int, more ...Total) float64 {
		totals := []Total{
			{Cell: Cell{A: testWorldclass, B: tune.Expert, Length: 5}, Pairs: 1_000_000, Mean: 0.56, Variance: 0.002, Luck: true},
			{Cell: Cell{A: testSupremo, B: testWorldclass, Length: 5}, Pairs: pairs, Mean: 0.501, Differences: true},
		}
		f, err := Fit(append(totals, more...), 1900)
		if err != nil {
			t.Fatal(err)
		}
		iv, _ := f.rating(testSupremo, 5)
		return iv.High - iv.Estimate
	}
	few, some, many := half(15), half(60), half(600_000)
	if few < 3 || few > 20 || some < 0.7 || some > few/2 || many > some/2 {
		t.Errorf("±%.1f by 15 pairs, ±%.1f by 60, ±%.1f by 600,000", few, some, many)
	}
	// The variance of results says nothing about that of differences.
	played := Total{Cell: Cell{A: testSupremo, B: testWorldclass, Length: 5}, Pairs: 20, Mean: 0.501, Variance: 0.004, Luck: true}
	if both := half(60, played); both > some {
		t.Errorf("±%.1f by 60 pairs and some played ones, ±%.1f without", both, some)
	}
}

// TestFit_lengthsHelpDifferences: a preset known by differences is smoothed over the match
// lengths like one that was played.
func TestFit_lengthsHelpDifferences(t *testing.T) {
	total := func(a, b tune.Setting, n, pairs int, ahead float64) Total {
		return Total{Cell: Cell{A: a, B: b, Length: n}, Pairs: pairs, Mean: rating.WinChance(ahead, n), Variance: 0.0001, Differences: a == testSupremo, Luck: a != testSupremo}
	}
	var totals []Total
	for _, n := range Lengths {
		totals = append(totals, total(testWorldclass, tune.Expert, n, 100_000, 60))
		switch n {
		case 1:
			totals = append(totals, total(testSupremo, testWorldclass, n, 1, -120))
		case 5:
			totals = append(totals, total(testSupremo, testWorldclass, n, 1, 160))
		default:
			totals = append(totals, total(testSupremo, testWorldclass, n, 5000, 20))
		}
	}
	f, err := Fit(totals, 1900)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range Lengths {
		if iv, ok := f.rating(testSupremo, n); !ok || math.Abs(iv.Estimate-1980) > 40 {
			t.Errorf("at %d points %+v, want about 1980", n, iv)
		}
	}
	// Orders above worldclass get the nearer preset.
	s, err := tune.NewSurface(f.Table(testHeader))
	if err != nil {
		t.Fatal(err)
	}
	if s.Table.Differences != 2*(3*5000+2) {
		t.Errorf("%d matches by differences", s.Table.Differences)
	}
	for want, preset := range map[float64]string{1955: "worldclass", 1966: "worldclass", 1975: "supremo", 1980: "supremo"} {
		if found, err := s.Find(tune.Order{Rating: want, Length: 7, Cube: -1}); err != nil || found.Setting.Deep != preset {
			t.Errorf("ordered %.0f: %s, %v; want %s", want, found.Setting, err, preset)
		}
	}
}

// TestFit_believesOnce: the gain of one preset at one length is evidence for another length. A
// second preset just above it adds no evidence.
func TestFit_believesOnce(t *testing.T) {
	totals := []Total{
		{Cell: Cell{A: testWorldclass, B: tune.Expert, Length: 1}, Pairs: 10, Mean: 0.53, Variance: 0.003, Luck: true},
		{Cell: Cell{A: testWorldclass, B: tune.Expert, Length: 3}, Pairs: 200, Mean: 0.53, Variance: 0.003, Luck: true},
		{Cell: Cell{A: testWorldclass, B: tune.Expert, Length: 5}, Pairs: 10, Mean: 0.56, Variance: 0.003, Luck: true},
		{Cell: Cell{A: testWorldclass, B: tune.Expert, Length: 11}, Pairs: 200, Mean: 0.55, Variance: 0.003, Luck: true},
	}
	fit := func(totals []Total) *Fitted {
		f, err := Fit(totals, 1900)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	alone := fit(totals)
	for _, n := range []int{1, 3, 5, 11} {
		totals = append(totals, Total{Cell: Cell{A: testSupremo, B: testWorldclass, Length: n}, Pairs: 1000, Mean: rating.WinChance(20, n), Variance: 0.0001, Differences: true})
	}
	both := fit(totals)
	for _, n := range []int{1, 3, 5, 11} {
		a, _ := alone.rating(testWorldclass, n)
		b, _ := both.rating(testWorldclass, n)
		if wide := (b.High - b.Low) / (a.High - a.Low); wide < 0.98 || wide > 1.02 || math.Abs(a.Estimate-b.Estimate) > 1 {
			t.Errorf("at %d points %+v, with supremo above it %+v", n, a, b)
		}
		if s, _ := both.rating(testSupremo, n); math.Abs(s.Estimate-b.Estimate-20) > 2 {
			t.Errorf("at %d points supremo %+v, worldclass %+v", n, s, b)
		}
	}
}
