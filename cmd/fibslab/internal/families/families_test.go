package families

import (
	"context"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

func TestEmbedded(t *testing.T) {
	ps, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	count, seen := map[string]int{}, map[string]bool{}
	hidden := train.KeySet{}
	if err := Hide(hidden); err != nil {
		t.Fatal(err)
	}
	for i := range ps {
		r := &ps[i]
		p, err := board.ParseID(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !hidden.Has(p.Key()) {
			t.Errorf("%s is not hidden from training", r.ID)
		}
		if p.Result() != 0 || !(r.Error >= 0 && r.Error <= 0.08 && r.WinError >= 0) || r.Equity < -3.01 || r.Equity > 3.01 || r.Trials < 36 {
			t.Errorf("%+v", r)
		}
		if seen[r.Family+r.ID] {
			t.Errorf("%s: %s twice", r.Family, r.ID)
		}
		seen[r.Family+r.ID] = true
		count[r.Family]++
	}
	if len(count) != len(All) {
		t.Errorf("families %v", count)
	}
	for _, f := range All {
		if count[f] < 150 {
			t.Errorf("%s: %d positions, want 150", f, count[f])
		}
	}
}

// A judge that is off by a constant has that as its root mean square, whatever the rollouts' noise.
func TestMeasure(t *testing.T) {
	ps, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for i := range ps {
		ps[i].Error, ps[i].WinError = 0.03, 0.04
		ps[i].Chances = [5]float64{0.5}
		ps[i].Equity = 0
		if i%2 == 0 { // off by 0.05 or -0.05, squares 0.0025
			ps[i].Equity, ps[i].Chances[0] = 0.1, 0.6
		}
	}
	judge := func(context.Context, board.Position) (eval.Probs, error) { return eval.Probs{0.525}, nil }
	list, err := Measure(t.Context(), ps, judge, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.Equity.Value < 0.039 || s.Equity.Value > 0.041 { // 0.05² - 0.03² = 0.04²
			t.Errorf("%s: %v", s.Family, s.Equity)
		}
	}
}
