package ratings

import (
	"errors"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/rating"
)

// TestSprt_errsAsRarelyAsPromised plays many tests of pairs whose truth is known.
// The seed is fixed; the bounds leave three standard errors.
func TestSprt_errsAsRarelyAsPromised(t *testing.T) {
	test := Sprt{Low: 0, High: 30, Alpha: 0.05, Beta: 0.05, Length: 5, Least: 50}
	if err := test.Validate(); err != nil {
		t.Fatal(err)
	}
	const runs = 400
	for _, tt := range []struct {
		name  string
		truth float64
		wrong Outcome
	}{{"no difference", 0, Stronger}, {"worse", -40, Stronger}, {"thirty points better", 30, NoBetter}, {"much better", 80, NoBetter}} {
		t.Run(tt.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 6))
			p := rating.WinChance(tt.truth, test.Length)
			errors, pairs := 0, 0
			for range runs {
				var m moments
				verdict := GoOn
				for verdict == GoOn && m.n < 20_000 {
					share := 0.0
					for range 2 {
						if rng.Float64() < p {
							share += 0.5
						}
					}
					m.add(share)
					if m.n%25 == 0 {
						verdict = test.Outcome(m.n, m.mean(), m.variance())
					}
				}
				if verdict == tt.wrong || verdict == GoOn {
					errors++
				}
				pairs += m.n
			}
			if share := float64(errors) / runs; share > 0.05+3*0.011 {
				t.Errorf("wrong in %.1f%% of %d tests", 100*share, runs)
			}
			t.Logf("wrong %d of %d, %d pairs on average", errors, runs, pairs/runs)
		})
	}
}

func TestSprt_refusesNonsense(t *testing.T) {
	for _, bad := range []Sprt{
		{Low: 5, High: 5, Alpha: 0.05, Beta: 0.05, Length: 5},
		{Low: 0, High: 5, Alpha: 0, Beta: 0.05, Length: 5},
		{Low: 0, High: 5, Alpha: 0.05, Beta: 0.6, Length: 5},
		{Low: 0, High: 5, Alpha: 0.05, Beta: 0.05, Length: 0},
	} {
		if err := bad.Validate(); !errors.Is(err, ErrSprt) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// add counts x.
func (m *moments) add(x float64) {
	m.n++
	m.sum += x
	m.square += x * x
}
