package tune

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/rating"
)

// pool is a server of players: each has a true strength, a rating that follows it by the FIBS
// formula, and habits.
type pool struct {
	rng     *rand.Rand
	truth   []float64
	account []rating.Account
	drops   []float64 // chance to leave a lost match
}

func newPool(rng *rand.Rand, n int, inflation float64) *pool {
	p := &pool{rng: rng}
	for range n {
		t := 1550 + 160*rng.NormFloat64()
		p.truth = append(p.truth, t)
		p.account = append(p.account, rating.Account{Rating: t + inflation + 45*rng.NormFloat64(), Experience: rng.IntN(3000)})
		d := 0.0
		if rng.Float64() < 0.1 {
			d = 0.5
		}
		p.drops = append(p.drops, d)
	}
	return p
}

// opponent picks a player who wants to play an account of that rating: people prefer those near
// them, and those who think they are underrated.
func (p *pool) opponent(account float64) int {
	for {
		i := p.rng.IntN(len(p.truth))
		gap := (p.account[i].Rating - account + 30) / 250
		if p.rng.Float64() < math.Exp(-gap*gap) {
			return i
		}
	}
}

// playsAt is the real strength of the setting that the table in the program has for a strength:
// there are steps above expert, and ends.
func playsAt(t *testing.T, length int) func(strength float64) float64 {
	known := map[float64]float64{}
	return func(strength float64) float64 {
		key := math.Round(strength)
		r, ok := known[key]
		if !ok {
			st, err := PresetForRating(key, length, Noise)
			if err != nil && !errors.Is(err, ErrOutOfReach) {
				t.Fatal(err)
			}
			r = st.Rating.Estimate
			known[key] = r
		}
		return r
	}
}

// TestHold_keepsTheRating lets accounts play in pools whose ratings are inflated or deflated
// against the measured scale, with droppers and picky opponents, by the table in the program. The
// long-run mean must be within 30 points of the target. Seeds are fixed.
func TestHold_keepsTheRating(t *testing.T) {
	surface, err := Measured()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name                      string
		target, inflation, offset float64 // offset: by how much our scale is wrong
		length                    int
	}{
		{"as measured", 1600, 0, 0, 5},
		{"inflated server", 1700, 60, 0, 3},
		{"deflated, and the bot stronger than measured", 1500, -80, 70, 7},
		{"bot weaker than measured, long matches", 1800, 0, -90, 11},
		{"one-pointers", 1600, 40, 30, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(tt.target)))
			p := newPool(rng, 3000, tt.inflation)
			me := rating.Account{Rating: 1500}
			low, high := surface.Range(tt.length, Noise)
			h := NewHold(tt.target, low, high)
			plays := playsAt(t, tt.length)
			matches := 40_000 / tt.length
			var seen, asked sample
			for k := range matches {
				i := p.opponent(me.Rating)
				h = h.Begin(me.Rating)
				strength := h.Strength
				// Nothing that happens inside a match changes it.
				if again := h.Begin(me.Rating + 500); again != h {
					t.Fatal("the strength changed inside a match")
				}
				won := rng.Float64() < rating.WinChance(plays(strength)+tt.offset-p.truth[i], tt.length)
				if won && rng.Float64() < p.drops[i] {
					h = h.End(me, 0) // saved, never finished
					continue
				}
				if won {
					me, p.account[i] = rating.Update(me, p.account[i], tt.length)
				} else {
					p.account[i], me = rating.Update(p.account[i], me, tt.length)
				}
				h = h.End(me, tt.length)
				if k > matches/3 {
					seen.add(me.Rating)
					asked.add(h.Strength)
				}
			}
			if gap := seen.mean() - tt.target; math.Abs(gap) > 30 {
				t.Errorf("mean rating %.0f, target %.0f", seen.mean(), tt.target)
			}
			if sd := math.Sqrt(seen.variance()); sd > 60 {
				t.Errorf("the rating wanders: standard deviation %.0f", sd)
			}
			if sd := math.Sqrt(asked.variance()); sd > 70 {
				t.Errorf("the strength wanders: standard deviation %.0f", sd)
			}
			t.Logf("mean %.1f, spread %.1f, strength asked %.0f, spread %.1f", seen.mean(), math.Sqrt(seen.variance()), asked.mean(), math.Sqrt(asked.variance()))
		})
	}
}

func TestHold_boundsAndNonsense(t *testing.T) {
	h := NewHold(2500, 1300, 2000)
	if h.Strength != 2000 {
		t.Errorf("strength %v beyond the bound", h.Strength)
	}
	for range 2000 {
		h = h.Begin(1900).End(rating.Account{Rating: 1900, Experience: 1000}, 5)
	}
	if h.Strength != 2000 || h.Bias != 0 {
		t.Errorf("an unreachable target wound up the bias: %+v", h)
	}
	for _, r := range []float64{math.NaN(), math.Inf(1), 0, -5} {
		if g := h.Begin(r); g.Strength != h.Strength || !g.Playing {
			t.Errorf("rating %v: %+v", r, g)
		}
		if g := h.End(rating.Account{Rating: r}, 5); g.Bias != h.Bias {
			t.Errorf("rating %v taught %+v", r, g)
		}
	}
	// A streak of bad luck moves the strength by a bounded amount.
	h = NewHold(1600, 1300, 2000).Begin(1200)
	if h.Strength > 1600+maxLean {
		t.Errorf("strength %v after a streak", h.Strength)
	}
}

// sample gathers mean and variance of numbers.
type sample struct{ n, sum, square float64 }

func (m *sample) add(x float64) { m.n, m.sum, m.square = m.n+1, m.sum+x, m.square+x*x }

func (m *sample) mean() float64 { return m.sum / m.n }

func (m *sample) variance() float64 { return (m.square - m.n*m.mean()*m.mean()) / (m.n - 1) }
