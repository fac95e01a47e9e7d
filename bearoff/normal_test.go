package bearoff

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fibsbot/engine/board"

	"pgregory.net/rapid"
)

// normal7 is 15 checkers on 7 points: it holds races that the standard database
// does not.
var normal7 = sync.OnceValue(func() *Normal {
	b, err := newBuilderN(7, 15, heap{})
	if err == nil {
		err = b.run(context.Background(), 0, nil)
	}
	if err != nil {
		panic(err)
	}
	return &Normal{extent: extent{points: 7, checkers: 15}, recs: trusted(b.recs)}
})

var exact7 = sync.OnceValue(func() *OneSided {
	o, err := BuildOneSided(context.Background(), 7, 15, 0, nil)
	if err != nil {
		panic(err)
	}
	return o
})

// Means and variances are those of the database of whole distributions: the same
// plays, only more exactly summed up.
func TestNormal_agreesWithTheDistributions(t *testing.T) {
	needsStandard(t)
	n, o := normal7(), exact7()
	if n.Len() != o.Len() {
		t.Fatalf("%d placements, want %d", n.Len(), o.Len())
	}
	var mean, variance float64
	for x := range n.Len() {
		off, first, ok := n.entry(x)
		e, _ := o.entry(x)
		if !ok {
			t.Fatalf("placement %d cannot be read", x)
		}
		if off.Mean != float64(e.mean) {
			t.Fatalf("placement %d: mean %v, want %v", x, off.Mean, e.mean)
		}
		mean = max(mean, math.Abs(first.Mean-e.first.Mean()))
		variance = max(variance, math.Abs(off.Variance-e.off.Variance()), math.Abs(first.Variance-e.first.Variance()))
	}
	// What is left is the 16-bit rounding of distributions made of distributions.
	if mean > 0.001 || variance > 0.003 {
		t.Errorf("means of the first checker differ by up to %.6f, variances by %.6f", mean, variance)
	}
}

// Against the exact chances of races of 15 checkers on 7 points.
func TestNormal_chancesAreNear(t *testing.T) {
	needsStandard(t)
	n, o := normal7(), exact7()
	r := rand.New(rand.NewPCG(7, 9))
	var sum, worst [3]float64
	const races = 20000
	for range races {
		// With all fifteen there are gammons.
		low := uint32(Size(7, 14))
		p := board.Position{Me: Placement(low+r.Uint32N(n.Len()-low), 7), Opp: Placement(low+r.Uint32N(n.Len()-low), 7)}
		want, ok1 := o.Race(&p)
		got, ok2 := n.Race(&p)
		if !ok1 || !ok2 {
			t.Fatalf("%v is not found", p)
		}
		for k, d := range [3]float64{got.Win - want.Win, got.WinGammon - want.WinGammon, got.LoseGammon - want.LoseGammon} {
			sum[k] += math.Abs(d) / races
			worst[k] = max(worst[k], math.Abs(d))
		}
	}
	t.Logf("win, gammon won and lost: off by %.5f on the mean, at most %.4f", sum, worst)
	// Boards drawn at random waste more than those of games: there it is 0.0006.
	if sum[0] > 0.0022 || sum[1] > 0.0001 || max(worst[0], worst[1], worst[2]) > 0.02 {
		t.Errorf("win, gammon won and lost: off by %.5f on the mean, at most %.4f", sum, worst)
	}
}

func TestBell_hasTheMomentsAskedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Moments{rapid.Float64Range(1, 40).Draw(t, "mean"), 0}
		part := m.Mean - math.Floor(m.Mean)
		// From one standard deviation above one roll on, every variance is possible.
		least := part * (1 - part)
		m.Variance = rapid.Float64Range(least, max(least, min(9, (m.Mean-1)*(m.Mean-1)/4))).Draw(t, "variance")
		chances := m.Chances()
		var sum, mean, square float64
		for n, p := range chances {
			if p < 0 || math.IsNaN(p) {
				t.Fatalf("chance of %d rolls is %v", n, p)
			}
			sum += p
			mean += float64(n) * p
			square += p * (float64(n) - m.Mean) * (float64(n) - m.Mean)
		}
		if math.Abs(sum-1) > 1e-4 || math.Abs(mean-m.Mean) > 1e-3 || math.Abs(square-m.Variance) > 2e-3 || chances[0] > 0 {
			t.Fatalf("sum %v, mean %v, variance %v of %v", sum, mean, square, m)
		}
	})
}

// Where a number of rolls is certain, so is the outcome.
func TestNormal_certainRaces(t *testing.T) {
	needsStandard(t)
	n := normal7()
	ace, two := board.Checkers{0: 1}, board.Checkers{0: 2}
	late := board.Checkers{6: 15}
	for _, c := range []struct {
		me, opp board.Checkers
		want    Chances
	}{
		{ace, late, Chances{Win: 1, WinGammon: 1}},
		{two, ace, Chances{Win: 1}},
		{late, ace, Chances{LoseGammon: 1}},
	} {
		got, ok := n.Race(&board.Position{Me: c.me, Opp: c.opp})
		if !ok || got != c.want {
			t.Errorf("%v against %v: %v %v, want %v", c.me, c.opp, got, ok, c.want)
		}
	}
	if _, _, ok := n.Rolls(&board.Checkers{7: 1}); ok {
		t.Error("a checker on the 8 point is found")
	}
}

func TestNormal_fileIsProved(t *testing.T) {
	needsStandard(t)
	dir := t.TempDir()
	path := filepath.Join(dir, FileName(KindNormal, 5, 15))
	info, err := Build(context.Background(), BuildOptions{Kind: KindNormal, Points: 5, Checkers: 15, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if info.Kind != KindNormal || info.Version != 2 || info.Points != 5 || filepath.Base(path) != "approx-15x5.bearoff" {
		t.Errorf("info %+v, %s", info, path)
	}
	if err := Verify(context.Background(), path, 5000, 3, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenOneSided(path); !errors.Is(err, ErrForeign) {
		t.Errorf("opened as an exact database: %v", err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(b []byte) []byte{
		"an entry":  func(b []byte) []byte { b[headerSize+5000*normalRecord+2] ^= 4; return b },
		"header":    func(b []byte) []byte { b[24]++; return b },
		"sums":      func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		"cut":       func(b []byte) []byte { return b[:len(b)-5] },
		"version 1": func(b []byte) []byte { b[16] = 1; return b },
	} {
		bad := filepath.Join(dir, "bad")
		if err := os.WriteFile(bad, damage(append([]byte(nil), text...)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Verify(context.Background(), bad, 10, 1, nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		n, err := OpenNormal(bad)
		if err != nil {
			continue
		}
		if name != "an entry" {
			t.Errorf("%s: opened", name)
		}
		if _, _, ok := n.entry(5000); ok {
			t.Errorf("%s: read", name)
		}
		n.Close()
	}
}

// The exact databases come first, wherever they hold a position.
func TestSource_approximateComesLast(t *testing.T) {
	needsStandard(t)
	dir, cache := t.TempDir(), t.TempDir()
	if err := writeFile(filepath.Join(dir, "approx.bearoff"), Info{Kind: KindNormal, Points: 7, Checkers: 15}, [][]byte{normal7().recs.data}); err != nil {
		t.Fatal(err)
	}
	p := board.Position{Me: board.Checkers{6: 5, 3: 10}, Opp: board.Checkers{6: 3, 4: 12}}
	home := board.Position{Me: placed([6]uint8{3, 3, 3, 3, 0, 3}), Opp: placed([6]uint8{3, 3, 3, 3, 0, 3})}
	lookUp := func(dir string) (far, near float32) {
		s := NewSource(Options{Dir: dir, Cache: cache, Warn: func(text string) { t.Error(text) }})
		defer s.Close()
		a, exact, ok := s.Lookup(&p)
		if !ok || exact {
			t.Errorf("far: %v %v %v", a, exact, ok)
		}
		side, ok := s.Side(&p.Me)
		if mean, _ := exact7().MeanRolls(&p.Me); !ok || side.Mean != mean || math.Abs(side.EPC-mean*49/6) > 1e-9 || math.Abs(side.Wastage-side.EPC+75) > 1e-9 {
			t.Errorf("%+v %v, want mean rolls %v", side, ok, mean)
		}
		b, _, _ := s.Lookup(&home)
		return a[0], b[0]
	}
	approx, near := lookUp(dir)
	if err := exact7().Save(filepath.Join(dir, "one.bearoff")); err != nil {
		t.Fatal(err)
	}
	exact, again := lookUp(dir)
	want, _ := exact7().Race(&p)
	if exact != float32(want.Win) || approx == exact || math.Abs(float64(approx-exact)) > 0.005 {
		t.Errorf("exact %v, approximate %v, want %v", exact, approx, want.Win)
	}
	if w, _ := home15().Race(&home); near != again || near != float32(w.Win) {
		t.Errorf("at home %v and %v, want %v", near, again, w.Win)
	}
}

func BenchmarkNormalRace(b *testing.B) {
	n := normal7()
	p := board.Position{Me: board.Checkers{6: 5, 3: 10}, Opp: board.Checkers{6: 3, 4: 12}}
	for b.Loop() {
		if _, ok := n.Race(&p); !ok {
			b.Fatal("not found")
		}
	}
}
