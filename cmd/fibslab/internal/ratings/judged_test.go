package ratings

import (
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

// judgedTotals are results of human settings against expert by the FIBS formula; the judged losses
// are the true ones over factor, with little noise.
func judgedTotals(seed uint64, pairs int, factor float64) (out []Total) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, n := range []int{1, 5} {
		for _, v := range []float64{0.02, 0.07} {
			c := NewCell(tune.Expert, tune.Setting{Style: tune.Human, Checker: v, Cube: v}, n)
			b := imagined(rng, c, 0, pairs)
			m := moments{n: pairs, sum: b.Sum, square: b.Square}
			t := Total{Cell: c, Pairs: pairs, Mean: m.mean(), Variance: m.variance()}
			share := rating.WinChance((truth(c.B, n)-truth(c.A, n))/factor, n)
			for range pairs {
				x := share + 0.1*rng.NormFloat64()
				t.Judged.n++
				t.Judged.sum += x
				t.Judged.square += x * x
			}
			out = append(out, t)
		}
	}
	return out
}

// Judged losses narrow the ratings, whatever they weigh, and the intervals still hold the truth.
func TestFit_judgedLosses(t *testing.T) {
	inside, all := 0, 0
	for seed := range uint64(20) {
		for _, factor := range []float64{0.9, 1.15} {
			totals := judgedTotals(seed, 2000, factor)
			judged, err := Fit(totals, 1900)
			if err != nil {
				t.Fatal(err)
			}
			for i := range totals {
				totals[i].Judged = moments{}
			}
			raw, err := Fit(totals, 1900)
			if err != nil {
				t.Fatal(err)
			}
			for i := range totals {
				s, n := totals[i].Cell.B, totals[i].Cell.Length
				r, se, _ := judged.estimate(s, n)
				if _, without, _ := raw.estimate(s, n); se > 0.9*without {
					t.Errorf("%s at %d: ±%.1f with judged losses, ±%.1f without", s, n, se, without)
				}
				all++
				if math.Abs(r-(1900-truth(s, n))) < tune.Z90*se {
					inside++
				}
			}
			for _, l := range judged.Table(Header{}).Losses {
				if l.Kind == judgedLoss {
					t.Error("the factor is in the table")
				}
			}
		}
	}
	if inside < all*8/10 {
		t.Errorf("%d of %d 90 %% intervals hold the truth", inside, all)
	}
}

// The judged share of a block is what the decisions of both sides lose: expert loses nothing.
func TestPlayBlock_judged(t *testing.T) {
	eng := testBrain(t)
	c := NewCell(tune.Expert, tune.Setting{Style: tune.Human, Checker: 0.2, Cube: 0.2}, 3)
	b, err := playBlock(t.Context(), eng, Header{BlockSize: 10, Seed: 3}, c, 0)
	if err != nil {
		t.Fatal(err)
	}
	if lost := b.Errors[1].Lost; lost <= 0 || b.Errors[0].Lost > 1e-3 || math.Abs(b.Judged-(5+lost/2)) > 1e-3 {
		t.Errorf("judged %v, lost %v and %v", b.Judged, b.Errors[0].Lost, lost)
	}
}
