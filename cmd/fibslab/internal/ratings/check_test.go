package ratings

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
	"fibsbot/internal/israce"
)

// TestLikeliest_findsTheRating lets an imagined player of known rating meet opponents; the
// intervals must contain the truth about nine times in ten.
func TestLikeliest_findsTheRating(t *testing.T) {
	opponents := []tune.Strength{{Rating: rating.Interval{Estimate: 1430}}, {Rating: rating.Interval{Estimate: 1710}}}
	inside := 0
	const studies, truth, length = 200, 1560.0, 5
	for seed := range uint64(studies) {
		rng := rand.New(rand.NewPCG(seed, 8))
		scores := make([]moments, len(opponents))
		for i, o := range opponents {
			p := rating.WinChance(truth-o.Rating.Estimate, length)
			for range 400 {
				share := 0.0
				for range 2 {
					if rng.Float64() < p {
						share += 0.5
					}
				}
				scores[i].add(share)
			}
		}
		r, se := likeliest(opponents, scores, length, 1200)
		if math.Abs(r-truth) <= tune.Z90*se {
			inside++
		}
	}
	if share := float64(inside) / studies; share < 0.84 || share > 0.96 {
		t.Errorf("the 90 %% interval held the truth in %.1f %% of %d studies", 100*share, studies)
	}
}

func TestAchieve(t *testing.T) {
	_, b := testBrain(t)
	s, err := tune.Measured()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	o := Trials{Seed: 5, Interval: 1, MaxPairs: trialBlock, Jobs: 1}
	israce.Slow(t)
	if testing.Short() {
		t.Skip("plays some hundred matches")
	}
	one, err := Achieve(ctx, s, b, Trial{Rating: 1600, Length: 1, Style: tune.Noise}, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(one.Opponents) < 2 || one.Pairs != trialBlock*len(one.Opponents) {
		t.Errorf("%d opponents, %d pairs", len(one.Opponents), one.Pairs)
	}
	// 200 pairs of one-point matches determine a rating to some 150 points.
	if math.Abs(one.Rating.Estimate-1600) > 400 || !(one.Rating.High-one.Rating.Low > 50) {
		t.Errorf("achieved %+v", one.Rating)
	}
	for _, opponent := range one.Opponents {
		if opponent.Setting == one.Strength.Setting {
			t.Errorf("%s meets itself", opponent.Setting)
		}
	}
	// A wide interval is accepted only after some pairs, however alike the first ones ended.
	easy := o
	easy.Interval = 1e6
	if few, err := Achieve(ctx, s, b, Trial{Rating: 1903, Length: 1, Style: tune.Noise}, easy); err != nil || few.Pairs != leastTold*len(few.Opponents) || few.Strength.Setting.Share == 0 {
		t.Errorf("%+v after %d pairs, %v", few.Strength.Setting, few.Pairs, err)
	}
	o.Jobs = 3
	if again, err := Achieve(ctx, s, b, Trial{Rating: 1600, Length: 1, Style: tune.Noise}, o); err != nil || again.Rating != one.Rating {
		t.Errorf("with 3 jobs %+v, %v; with one %+v", again.Rating, err, one.Rating)
	}
}

// Orders of the style human are measured together, by judged losses, and from where a file ends.
func TestAchieveHuman(t *testing.T) {
	_, b := testBrain(t)
	s, err := tune.Measured()
	if err != nil {
		t.Fatal(err)
	}
	israce.Slow(t)
	if testing.Short() {
		t.Skip("plays some hundred matches")
	}
	o := Trials{Seed: 5, Interval: 1, MaxPairs: 2 * trialBlock, Jobs: 1}
	h, err := o.Header(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	store := storeWith(t, h)
	trials := []Trial{{1700, 1, tune.Human}, {1500, 1, tune.Human}, {5000, 1, tune.Human}}
	left := 0
	got, err := AchieveHuman(t.Context(), s, b, trials, o, store, nil, func(error) { left++ })
	if err != nil || len(got) != 2 || left != 1 {
		t.Fatalf("%+v, %d left out, %v", got, left, err)
	}
	for _, a := range got {
		if math.Abs(a.Rating.Estimate-a.Trial.Rating) > 250 || !(a.Rating.High-a.Rating.Low > 5) || a.Pairs != o.MaxPairs {
			t.Errorf("%+v", a)
		}
	}
	if again, err := AchieveHuman(t.Context(), s, b, trials, o, store, nil, func(error) {}); err != nil || again[0].Rating != got[0].Rating {
		t.Errorf("resumed: %+v, %v", again, err)
	}
}

func TestAchieve_refuses(t *testing.T) {
	_, b := testBrain(t)
	s, err := tune.Measured()
	if err != nil {
		t.Fatal(err)
	}
	good := Trials{Seed: 5, Interval: 10, MaxPairs: trialBlock}
	if _, err := Achieve(context.Background(), s, b, Trial{Rating: 9000, Length: 5, Style: tune.Noise}, good); !errors.Is(err, tune.ErrOutOfReach) {
		t.Errorf("rating 9000: %v", err)
	}
	for _, o := range []Trials{{Interval: 0, MaxPairs: 100}, {Interval: 10, MaxPairs: 1}, {Interval: 10, MaxPairs: 100, Jobs: -1}} {
		if _, err := Achieve(context.Background(), s, b, Trial{Rating: 1600, Length: 5, Style: tune.Noise}, o); !errors.Is(err, ErrTrials) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestOpenings_changeNothing compares remembered evaluations with fresh ones.
func TestOpenings_changeNothing(t *testing.T) {
	_, b := testBrain(t)
	pairs := 3
	if israce.Enabled {
		pairs = 1
	}
	play := func(eng *Engine) (out []PairResult) {
		for range 2 { // the second time everything is remembered
			s, err := newSim(eng, tune.Expert, tune.Setting{Style: tune.Noise, Checker: 0.03, Cube: 0.03}, 3, simOptions{Errors: true})
			if err != nil {
				t.Fatal(err)
			}
			for k := range pairs {
				r, err := s.Pair(context.Background(), 4, uint64(k))
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, r)
			}
		}
		return out
	}
	eng := &Engine{NewEvaluator: b.NewEvaluator, Exact: b.Exact, Search: b.Search}
	list := play(eng)
	for k := range pairs {
		if list[k] != list[pairs+k] {
			t.Errorf("pair %d: %+v, then %+v", k, list[k], list[pairs+k])
		}
	}
	if n := eng.openings.n.Load(); n < 10 || n > maxOpenings {
		t.Errorf("%d openings remembered", n)
	}
}

func (m *moments) add(x float64) {
	m.n++
	m.sum += x
	m.square += x * x
}
