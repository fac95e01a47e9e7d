package ratings

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// truth is an imagined engine: its loss at every setting and length, in points.
func truth(s tune.Setting, length int) float64 {
	if s.Deep != "" {
		return -40 * s.Ahead()
	}
	scale := 1 + 1.5/float64(length)
	if length == 1 {
		s.Cube = 0
	}
	if s.Style == tune.Human {
		return scale * (3800*s.Checker + 700*s.Cube)
	}
	return scale * (9000*s.Checker*math.Min(1, 0.35+20*s.Checker) + 900*s.Cube*s.Cube/(s.Cube+0.2))
}

// imagined plays a block by the FIBS formula. Half of all pairs share the luck of their dice, as
// mirrored ones do.
func imagined(rng *rand.Rand, c Cell, index, pairs int) Block {
	p := rating.WinChance(truth(c.B, c.Length)-truth(c.A, c.Length), c.Length)
	b := Block{Cell: c, Index: index, Pairs: pairs, Games: 2 * pairs}
	for range pairs {
		u := rng.Float64()
		share := 0.0
		if u < p {
			share += 0.5
		}
		if rng.Float64() < 0.5 {
			u = 1 - u // the mirrored match went the other way
		} else {
			u = rng.Float64()
		}
		if u < p {
			share += 0.5
		}
		b.Sum += share
		b.Square += share * share
	}
	return b
}

func imaginedTotals(t *testing.T, seed uint64, lengths []int, pairs int, plans ...string) []Total {
	t.Helper()
	var cells []Cell
	for _, plan := range plans {
		if plan == "human" { // against expert, as it is measured
			for _, n := range lengths {
				for _, v := range humanSteps[1:] {
					cells = append(cells, NewCell(tune.Expert, tune.Setting{Style: tune.Human, Checker: v, Cube: v}, n))
				}
			}
			continue
		}
		more, err := Plan(plan, lengths)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range more {
			if !slices.Contains(cells, c) {
				cells = append(cells, c)
			}
		}
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	h := testHeader
	h.BlockSize = pairs
	s := storeWith(t, h)
	for _, c := range cells {
		if err := s.Add(imagined(rng, c, 0, h.Pairs(c))); err != nil {
			t.Fatal(err)
		}
	}
	return s.Totals()
}

// TestFit_recoversKnownRatings repeats a small study many times: the 90 % intervals must contain
// the truth about nine times in ten. Seeds are fixed.
func TestFit_recoversKnownRatings(t *testing.T) {
	lengths := []int{1, 5, 11}
	inside, all := 0, 0
	var worst, squares, freedom float64
	for seed := range uint64(20) {
		f, err := Fit(imaginedTotals(t, seed, lengths, 2000, "presets"), 1900)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cells {
			squares += c.Z * c.Z
		}
		freedom += f.Freedom
		for _, n := range lengths {
			for _, v := range []float64{0.015, 0.03, 0.05, 0.06} {
				s := tune.Setting{Style: tune.Noise, Checker: v, Cube: v}
				iv, ok := f.rating(s, n)
				if !ok {
					t.Fatalf("no rating of %s at %d", s, n)
				}
				want := 1900 - truth(s, n)
				all++
				if iv.Low <= want && want <= iv.High {
					inside++
				}
				worst = math.Max(worst, math.Abs(iv.Estimate-want)/(iv.High-iv.Low))
			}
		}
	}
	if share := float64(inside) / float64(all); share < 0.84 || share > 0.96 {
		t.Errorf("the 90 %% interval held the truth in %.1f %% of %d cases", 100*share, all)
	}
	// The residuals are as large as chance makes them; 20 studies show it to 10 %.
	if freedom < 200 || math.Abs(squares/freedom-1) > 0.3 {
		t.Errorf("sum of z² %.0f at %.0f degrees of freedom", squares, freedom)
	}
	if worst > 1.5 {
		t.Errorf("an estimate is %.1f interval widths off", worst)
	}
}

func TestFit_tellsWhatItCannot(t *testing.T) {
	if _, err := Fit(nil, 1900); !errors.Is(err, ErrFit) {
		t.Errorf("nothing: %v", err)
	}
	// A side that won everything has a finite rating and a wide interval.
	f, err := Fit([]Total{{Cell: testCell, Pairs: 10, Mean: 1}}, 1900)
	if err != nil {
		t.Fatal(err)
	}
	iv, ok := f.rating(testCell.B, 5)
	if !ok || math.IsNaN(iv.Estimate) || iv.Estimate > 1800 || iv.High-iv.Low < 200 {
		t.Errorf("%+v, %v", iv, ok)
	}
	if _, ok := f.rating(testCell.B, 7); ok {
		t.Error("a rating at a length without matches")
	}
}

// TestFind_hitsTargetsInAnIndependentGame fits an imagined study and orders ratings from it; the
// imagined engine must play within 25 points of them, at measured lengths and between them.
func TestFind_hitsTargetsInAnIndependentGame(t *testing.T) {
	f, err := Fit(imaginedTotals(t, 99, Lengths, 40_000, "noise", "cube", "human"), 1900)
	if err != nil {
		t.Fatal(err)
	}
	s, err := tune.NewSurface(f.Table(testHeader))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, style := range []tune.Style{tune.Noise, tune.Human} {
		for _, n := range []int{1, 2, 3, 5, 7, 9, 11} {
			low, high := s.Range(n, style)
			for want := math.Max(1000, low); want <= high; want += 37 {
				found, err := s.Find(tune.Order{Rating: want, Length: n, Style: style, Cube: -1})
				if err != nil {
					t.Fatal(err)
				}
				real := 1900 - truth(found.Setting, n)
				if n == 2 {
					continue // not on the curve
				}
				checked++
				if math.Abs(real-want) > 25 {
					t.Errorf("%s, %d points: ordered %.0f, got %s which plays at %.0f", style, n, want, found.Setting, real)
				}
			}
		}
	}
	if checked < 150 {
		t.Errorf("only %d targets", checked)
	}
	// The cube apart: a fixed cube error, and checker play that makes up for it.
	found, err := s.Find(tune.Order{Rating: 1600, Length: 5, Cube: 0.2})
	if err != nil || found.Setting.Cube != 0.2 || math.Abs(1900-truth(found.Setting, 5)-1600) > 25 {
		t.Errorf("%+v, %v: plays at %.0f", found, err, 1900-truth(found.Setting, 5))
	}
	for _, o := range []tune.Order{{Rating: 2400, Length: 5, Cube: -1}, {Rating: 300, Length: 5, Cube: -1}, {Rating: 1880, Length: 5, Cube: 0.8}, {Rating: 1930, Length: 5, Cube: 0.1}} {
		if _, err := s.Find(o); !errors.Is(err, tune.ErrOutOfReach) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, o := range []tune.Order{{Rating: math.NaN(), Length: 5}, {Rating: 1700, Length: 5, Style: "odd"}} {
		if _, err := s.Find(o); !errors.Is(err, tune.ErrSetting) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestMeasure_sameForAnyNumberOfJobs plays real matches with 1 and 3 jobs, and a third time in
// two runs; the results must be equal.
func TestMeasure_sameForAnyNumberOfJobs(t *testing.T) {
	b := testBrain(t)
	h := testHeader
	h.BlockSize = 1
	cells := []Cell{{A: tune.Expert, B: tune.Setting{Style: tune.Noise, Checker: 0.06}, Length: 1}, {A: tune.Expert, B: tune.Setting{Style: tune.Human, Checker: 0.1}, Length: 1}}
	run := func(jobs int, maxPairs ...int) []Block {
		s := storeWith(t, h)
		for _, n := range maxPairs {
			var kept []Block
			m := Measurement{Cells: cells, Interval: 1, MaxPairs: n, Crew: local(b, h, jobs), Keep: func(b ...Block) error { kept = append(kept, b...); return nil }}
			before := s.Len()
			if err := Measure(context.Background(), b, s, m); err != nil {
				t.Fatal(err)
			}
			if len(kept) != s.Len()-before {
				t.Errorf("%d of %d blocks were kept", len(kept), s.Len()-before)
			}
		}
		return s.Blocks()
	}
	one := run(1, 4)
	if len(one) != 8 {
		t.Fatalf("%d blocks", len(one))
	}
	if d := cmp.Diff(one, run(3, 4)); d != "" {
		t.Errorf("3 jobs: %s", d)
	}
	if d := cmp.Diff(one, run(2, 2, 4)); d != "" {
		t.Errorf("in two runs: %s", d)
	}
}

func local(eng *engine.Engine, h Header, jobs int) shard.Crew {
	return &shard.Local{Threads: jobs, New: func() (shard.Runner, error) { return &blockRunner{eng, h}, nil }}
}

// TestMeasure_mergesToTheWhole: measurements of two cells stop only when the intervals are narrow
// enough, and merge.
func TestMeasure_mergesToTheWhole(t *testing.T) {
	testsize.Medium(t)
	b := testBrain(t)
	h := testHeader
	h.BlockSize = 1
	var parts [2]*Store
	for i := range parts {
		cell := Cell{A: tune.Expert, B: tune.Setting{Style: tune.Noise, Checker: 0.08, Cube: 0.08 * float64(i)}, Length: 1}
		parts[i] = storeWith(t, h)
		if err := Measure(t.Context(), b, parts[i], Measurement{Cells: []Cell{cell}, Interval: 400}); err != nil {
			t.Fatal(err)
		}
		f, err := Fit(parts[i].Totals(), 1900)
		if err != nil {
			t.Fatal(err)
		}
		if iv, ok := f.rating(cell.B, 1); !ok || iv.High-iv.Low > 800.001 {
			t.Errorf("cell %d stopped at %+v", i, iv)
		}
	}
	n := parts[0].Len() + parts[1].Len()
	if err := parts[0].Merge(parts[1]); err != nil || parts[0].Len() != n {
		t.Errorf("%v, %d of %d blocks", err, parts[0].Len(), n)
	}
	for _, bad := range []Measurement{{Interval: 5}, {Cells: []Cell{{A: tune.Expert}}}} {
		if err := Measure(t.Context(), b, parts[0], bad); !errors.Is(err, ErrMeasurement) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// TestFit_shareOfAPreset: results of a preset that looks ahead in half of its decisions show its
// gain in all of them.
func TestFit_shareOfAPreset(t *testing.T) {
	half := tune.Setting{Deep: "worldclass", Share: 0.5}
	f, err := Fit([]Total{{Cell: Cell{A: half, B: tune.Expert, Length: 5}, Pairs: 50_000, Mean: rating.WinChance(30, 5), Variance: 0.003, Luck: true}}, 1900)
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[tune.Setting]float64{half: 1930, testWorldclass: 1960, {Deep: "worldclass", Share: 0.1}: 1906} {
		if iv, ok := f.rating(x, 5); !ok || math.Abs(iv.Estimate-want) > 1 {
			t.Errorf("%s: %+v, want %.0f", x, iv, want)
		}
	}
	// Orders use the whole preset, which the table has as well.
	s, err := tune.NewSurface(f.Table(testHeader))
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Find(tune.Order{Rating: 1945, Length: 5, Cube: -1})
	if err != nil || found.Setting.Deep != "worldclass" || math.Abs(found.Setting.Share-0.75) > 0.01 || math.Abs(found.Rating.Estimate-1945) > 0.5 {
		t.Errorf("ordered 1945: %+v, %v", found, err)
	}
}

// TestFit_lengthsHelpEachOther leaves one length almost unplayed: the lengths around it must
// determine its ratings; those of one point must stay on their own.
func TestFit_lengthsHelpEachOther(t *testing.T) {
	x := tune.Setting{Style: tune.Noise, Checker: 0.03, Cube: 0.03}
	rng := rand.New(rand.NewPCG(4, 4))
	var totals []Total
	for _, n := range Lengths {
		h := testHeader
		h.BlockSize = 20_000
		if n == 1 || n == 5 {
			h.BlockSize = 50
		}
		s := storeWith(t, h)
		if err := s.Add(imagined(rng, NewCell(tune.Expert, x, n), 0, h.BlockSize)); err != nil {
			t.Fatal(err)
		}
		totals = append(totals, s.Totals()...)
	}
	f, err := Fit(totals, 1900)
	if err != nil {
		t.Fatal(err)
	}
	five, _ := f.rating(x, 5)
	if half := five.High - five.Estimate; half > 20 || math.Abs(five.Estimate-1900+truth(x, 5)) > 2*half {
		t.Errorf("at 5 points %+v, want %v", five, 1900-truth(x, 5))
	}
	if one, _ := f.rating(cubeless(x), 1); one.High-one.Low < 200 {
		t.Errorf("at 1 point %+v: the interval is too narrow without data", one)
	}
}

// TestFit_knowsHowLittleLuckIsLeft: ten pairs a length, luck subtracted, are few for a variance;
// those of the other lengths help.
func TestFit_knowsHowLittleLuckIsLeft(t *testing.T) {
	cell := func(n int) Total {
		return Total{Cell: Cell{A: tune.Setting{Deep: "worldclass"}, B: tune.Expert, Length: n}, Pairs: 10, Mean: 0.54, Variance: 0.002, Luck: true}
	}
	half := func(totals ...Total) float64 {
		f, err := Fit(totals, 1900)
		if err != nil {
			t.Fatal(err)
		}
		iv, _ := f.rating(tune.Setting{Deep: "worldclass"}, 5)
		return iv.High - iv.Estimate
	}
	alone := half(cell(5))
	others := half(cell(5), cell(1), cell(25))
	raw := cell(5)
	raw.Luck = false
	if others > 0.9*alone || alone > 70 || half(raw) < 2*alone {
		t.Errorf("±%.0f alone, ±%.0f with other lengths, ±%.0f with usual variance", alone, others, half(raw))
	}
}

// rating returns the fitted rating of s in matches of length points, with its 90 % interval
// against the anchor. ok is false without results about it.
func (f *Fitted) rating(s tune.Setting, length int) (iv rating.Interval, ok bool) {
	r, se, ok := f.estimate(s, length)
	return rating.Interval{Estimate: r, Low: r - tune.Z90*se, High: r + tune.Z90*se}, ok
}
