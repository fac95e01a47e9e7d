package ratings

import (
	"context"
	"math"
	"sync"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/tune"
	"fibsbot/internal/testsize"
)

// The engine of all tests; building its databases takes a moment.
var testEngine = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.Open(engine.Options{Threads: 1, CacheMB: 4, Seed: 1})
})

func testBrain(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestPair_isAFunctionOfItsArguments(t *testing.T) {
	testsize.Medium(t)
	b := testBrain(t)
	ctx := context.Background()
	weak := tune.Setting{Style: tune.Noise, Checker: 0.06, Cube: 0.06}
	for _, off := range []bool{false, true} {
		if off && testsize.Race {
			continue
		}
		fresh := func(a, b2 tune.Setting) *sim {
			s, err := newSim(b, a, b2, 3, off)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		one := fresh(tune.Expert, weak)
		first, err := one.Pair(ctx, 9, 5)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := one.Pair(ctx, 9, 6); err != nil {
			t.Fatal(err)
		}
		again, _ := one.Pair(ctx, 9, 5)
		other, _ := fresh(tune.Expert, weak).Pair(ctx, 9, 5)
		if first != again || first != other {
			t.Errorf("luck off %v: %+v, then %+v, then %+v", off, first, again, other)
		}
		// A setting against itself gets half of every pair, luck or not.
		even, _ := fresh(tune.Expert, tune.Expert).Pair(ctx, 9, 7)
		if math.Abs(even.Won-0.5) > 1e-9 {
			t.Errorf("luck off %v: against itself %v", off, even.Won)
		}
	}
}

// TestPair_luckChangesTheSpreadNotTheMean plays the same pairs with and without luck. The seed is
// fixed: among 60 pairs one of two long games full of errors can make half of the remaining
// variance (seed 1 with the nets fibsbot-12).
func TestPair_luckChangesTheSpreadNotTheMean(t *testing.T) {
	testsize.Large(t)
	b := testBrain(t)
	var won, raw moments
	for off, m := range map[bool]*moments{true: &won, false: &raw} {
		s, err := newSim(b, tune.Expert, tune.Setting{Style: tune.Noise, Checker: 0.06, Cube: 0.06}, 1, off)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 60 {
			r, err := s.Pair(context.Background(), 2, uint64(k))
			if err != nil {
				t.Fatal(err)
			}
			m.add(r.Won)
		}
	}
	if won.variance() > 0.5*raw.variance() {
		t.Errorf("luck off: variance %.4f, with luck %.4f", won.variance(), raw.variance())
	}
	if gap := math.Abs(won.mean() - raw.mean()); gap > 4*math.Sqrt(raw.variance()/150) {
		t.Errorf("the means differ: %.4f and %.4f", won.mean(), raw.mean())
	}
}

func BenchmarkPair(b *testing.B) {
	eng := testBrain(b)
	for _, c := range []struct {
		name string
		off  bool
	}{{"judged", false}, {"luck off", true}} {
		b.Run(c.name, func(b *testing.B) {
			s, err := newSim(eng, tune.Expert, tune.Setting{Style: tune.Noise, Checker: 0.03, Cube: 0.03}, 5, c.off)
			if err != nil {
				b.Fatal(err)
			}
			var m moments
			b.ReportAllocs()
			b.ResetTimer()
			for k := range b.N {
				r, err := s.Pair(context.Background(), 1, uint64(k))
				if err != nil {
					b.Fatal(err)
				}
				m.add(r.Won)
			}
			b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "matches/s")
			b.ReportMetric(m.variance(), "variance")
		})
	}
}
