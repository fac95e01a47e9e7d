package bearoff

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"testing"

	"fibsbot/engine/board"
)

var home6 = sync.OnceValue(func() *TwoSided {
	t, err := BuildTwoSided(context.Background(), 6, 6, 0, nil)
	if err != nil {
		panic(err)
	}
	return t
})

func TestTwoSided_agreesWithGnubg(t *testing.T) {
	needsStandard(t)
	db := home6()
	worst := 0
	for _, r := range readReference(t, "two") {
		var idx [2]uint32
		if err := json.Unmarshal(r.Idx, &idx); err != nil {
			t.Fatal(err)
		}
		me, opp := placed(r.Me), placed(r.Opp)
		if got := [2]uint32{Index(&me, 6), Index(&opp, 6)}; got != idx {
			t.Fatalf("indices of %s: %v, want %v", r.ID, got, idx)
		}
		raw, ok := db.Raw(idx[0], idx[1])
		if !ok {
			t.Fatalf("%s is not in the database", r.ID)
		}
		for i := range raw {
			d := int(raw[i]) - r.Raw[i]
			if d < 0 {
				d = -d
			}
			worst = max(worst, d)
			// gnubg cuts off fractions at each step, always towards 0 equity; an
			// independent solution is up to 0.00008 = 2.6 steps away from it too
			// (reference/README.md).
			if d > 3 {
				t.Errorf("%s value %d: %d, gnubg %d", r.ID, i, raw[i], r.Raw[i])
			}
		}
	}
	t.Logf("largest difference: %d of 65535", worst)
}

// The manual's example, X on its 5 and 2 points on roll against 3 and 2.
func TestTwoSided_manualExample(t *testing.T) {
	needsStandard(t)
	p := board.Position{Me: placed([6]uint8{0, 1, 0, 0, 1}), Opp: placed([6]uint8{0, 1, 1})}
	e, ok := home6().Equities(&p)
	if !ok {
		t.Fatal("not in the database")
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"win", (e.Cubeless + 1) / 2, 0.671125},
		{"owned", e.Owned, 0.344136},
		{"centred", e.CentredBest(), 0.320988},
		{"opponent's", e.OppOwned, 0.160494},
		{"owned with the right to redouble", e.OwnedBest(), 0.344136},
	} {
		if math.Abs(c.got-c.want) > 0.00003 {
			t.Errorf("%s: %.6f, want %.6f", c.name, c.got, c.want)
		}
	}
}

func BenchmarkBuildTwoSided(b *testing.B) {
	for b.Loop() {
		if _, err := BuildTwoSided(context.Background(), 6, 6, 0, nil); err != nil {
			b.Fatal(err)
		}
	}
}
