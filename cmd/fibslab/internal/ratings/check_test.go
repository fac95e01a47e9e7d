package ratings

import (
	"math"
	"strings"
	"testing"

	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// Orders are measured together, by judged losses, and from where a file ends.
func TestCheck(t *testing.T) {
	b := testBrain(t)
	s, err := tune.Measured()
	if err != nil {
		t.Fatal(err)
	}
	testsize.Large(t)
	sig, err := Signature(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	store := storeWith(t, Header{Signature: sig, Seed: 5, BlockSize: 50})
	trials := []Trial{{1700, 1}, {1500, 1}, {5000, 1}}
	m := Measurement{Interval: 1, MaxPairs: 100}
	left := 0
	got, err := Check(t.Context(), s, b, trials, "", m, store, func(error) { left++ })
	if err != nil || len(got) != 2 || left != 1 {
		t.Fatalf("%+v, %d left out, %v", got, left, err)
	}
	for _, a := range got {
		if math.Abs(a.Rating.Estimate-a.Trial.Rating) > 250 || !(a.Rating.High-a.Rating.Low > 5) || a.Pairs != m.MaxPairs {
			t.Errorf("%+v", a)
		}
	}
	spec, err := store.Spec()
	if err != nil {
		t.Fatal(err)
	}
	makeRunner, err := FromSpec(t.Context(), b, spec)
	if err != nil {
		t.Fatal(err)
	}
	m.Crew = &shard.Local{Threads: 2, New: makeRunner}
	for _, store := range []*Store{store, storeWith(t, store.Header)} { // resumed, and played again by a crew
		if again, err := Check(t.Context(), s, b, trials, "", m, store, func(error) {}); err != nil || again[0].Rating != got[0].Rating {
			t.Errorf("%+v, %v", again, err)
		}
	}
}

func TestPrintAchieved(t *testing.T) {
	list := []Achieved{{Trial: Trial{1500, 5}, Rating: rating.Interval{Estimate: 1520, Low: 1510, High: 1530}, Pairs: 40}, {Trial: Trial{1700, 3}, Rating: rating.Interval{Estimate: 1650}}}
	var b strings.Builder
	if err := PrintAchieved(&b, list, 25); err == nil || err.Error() != "1700 in matches of 3 points is missed by more than 25" {
		t.Error(err)
	}
	if text := b.String(); strings.Count(text, "\n") != 4 || !strings.Contains(text, "±10") || !strings.Contains(text, "+20") || !strings.HasSuffix(text, "1 of 2 within the tolerance\n") {
		t.Errorf("\n%s", text)
	}
	if err := PrintAchieved(&b, list[:1], 25); err != nil {
		t.Error(err)
	}
}

func (m *moments) add(x float64) {
	m.n++
	m.sum += x
	m.square += x * x
}
