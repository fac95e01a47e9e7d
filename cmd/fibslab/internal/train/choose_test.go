package train

import (
	"testing"

	"fibsbot/engine/nn"
	"fibsbot/internal/kernel"
	"fibsbot/internal/testsize"
	"fibsbot/weights"
)

// A good net is chosen and an ignorant one is not, whatever was chosen before; the reporting half
// agrees.
func TestChooseNets(t *testing.T) {
	testsize.Alone(t)
	all, err := BenchProblems()
	if err != nil {
		t.Fatal(err)
	}
	var ds []Problem
	for i := 0; i < len(all); i += 12 {
		ds = append(ds, all[i])
	}
	good, err := weights.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	flat, err := nn.NewNet(nn.NewWeights(nn.NumInputs, kernel.Width, 0))
	if err != nil {
		t.Fatal(err)
	}
	bearoff, holding := nn.ClassOfPlan(nn.PlanBearoff), nn.ClassOfPlan(nn.PlanHolding)
	base := good.With(bearoff, flat)
	if base == nil || good.With("nosuch", flat) != nil {
		t.Fatal("With knows classes it should not, or does not know one it should")
	}
	set, choices, err := ChooseNets(ds, base, nil, map[string]*nn.Net{bearoff: good.NetFor(bearoff), holding: flat, nn.ClassCrashed: flat}, 1)
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string]bool{}
	for _, c := range choices {
		taken[c.Class] = c.Taken
		if (c.Choosing < 0) != c.Taken || (c.Reporting < 0) != c.Taken || c.Decisions < 20 {
			t.Errorf("%+v", c)
		}
	}
	if len(choices) != 3 || !taken[bearoff] {
		t.Errorf("taken %v, want %s alone", taken, bearoff)
	}
	if set.NetFor(bearoff) != good.NetFor(bearoff) || set.NetFor(holding) != good.NetFor(holding) || set.NetFor(nn.ClassCrashed) != good.NetFor(nn.ClassCrashed) {
		t.Error("the set is not what was chosen")
	}
	a, b := Halves(ds)
	if len(a)+len(b) != len(ds) || len(a)-len(b) > 1 {
		t.Errorf("halves of %d and %d", len(a), len(b))
	}
}
