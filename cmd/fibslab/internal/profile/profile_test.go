package profile

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune/human"
)

// open returns an engine with one thread, and its analyst at 0 plies.
func open(t *testing.T) (*engine.Engine, *analyse.Analyst, preset.Preset) {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	a := analyse.New(e.RolloutOptions(), p)
	a.Skip.Luck = true
	return e, a, p
}

// A player who is judged by himself loses next to nothing, what the small net leaves out before he
// chooses; one who errs does, and the same seed gives the same counts.
func TestPlay(t *testing.T) {
	e, judge, p := open(t)
	m := Matches{Length: 3, Matches: 2, Seed: 5}
	clean, err := Play(context.Background(), e, judge, p, m)
	if err != nil {
		t.Fatal(err)
	}
	if len(clean) != 4 {
		t.Fatalf("%d players", len(clean))
	}
	for _, c := range clean {
		if c.Plays < 5 || c.Loss() > 2e-3*c.Counted {
			t.Errorf("expert judged by expert: %+v", c)
		}
	}
	p.Checker.Noise, p.Cube.Noise = 0.08, 0.08
	var noisy [2][]Counts
	for i := range noisy {
		if noisy[i], err = Play(context.Background(), e, judge, p, m); err != nil {
			t.Fatal(err)
		}
	}
	var sum Counts
	for i := range noisy[0] {
		if noisy[0][i] != noisy[1][i] {
			t.Errorf("player %d differs from run to run", i)
		}
		sum.addAll(&noisy[0][i])
	}
	if sum.PR() < 5 || sum.Bad == 0 || sum.VeryBad > sum.Bad || sum.Blunders > sum.VeryBad || sum.Refused > sum.Hits {
		t.Errorf("noise 0.08: PR %v, %+v", sum.PR(), sum)
	}
	phases := 0.0
	for _, x := range sum.Phases {
		phases += x.Loss
	}
	if math.Abs(phases-sum.PlayLoss) > 1e-9 {
		t.Errorf("phases lose %v of %v", phases, sum.PlayLoss)
	}
}

func TestHits(t *testing.T) {
	p := board.Start
	if hits(&p, []board.Step{{From: 12, To: 9}}) {
		t.Error("a play to an empty point hits")
	}
	p.Opp[23-9], p.Opp[5] = 1, 4
	if !hits(&p, []board.Step{{From: 12, To: 9}, {From: 9, To: 7}}) {
		t.Error("hit and run does not hit")
	}
}

// A figure is held to a third of the real one with enough events, else to two standard errors.
func TestCompare(t *testing.T) {
	name := "share of the loss by the cube"
	all := []Counts{{Counted: 40, Plays: 30, PlayLoss: 1, Cubes: 10, CubeLoss: 1}, {Counted: 40, Plays: 30, PlayLoss: 1.5, Cubes: 10, CubeLoss: 0.5}}
	for _, tt := range []struct {
		real    Value
		outside bool
	}{
		{Value{Value: 50, StdErr: 1, Events: 30}, false}, // 37.5 % is within a third
		{Value{Value: 57, StdErr: 30, Events: 30}, true},
		{Value{Value: 57, StdErr: 30, Events: 29}, false},
	} {
		found := false
		for _, f := range Compare(all, &Band{High: 5, Figures: map[string]Value{name: tt.real}}) {
			if f.Name != name {
				continue
			}
			found = true
			if f.Outside != tt.outside || math.Abs(f.Value.Value-37.5) > 1e-9 {
				t.Errorf("%+v: %+v", tt.real, f)
			}
		}
		if !found {
			t.Errorf("no figure %q", name)
		}
	}
}

func TestBands(t *testing.T) {
	few := Counts{Counted: 24, Plays: 24, PlayLoss: 1}
	good, bad := Counts{Counted: 100, Plays: 90, PlayLoss: 0.5}, Counts{Counted: 100, Plays: 90, PlayLoss: 3}
	bands := Bands([]Counts{few, good, bad, good})
	if len(bands) != 2 || bands[0].Players != 2 || bands[0].Decisions != 200 || bands[1].Low != 14 {
		t.Fatalf("%+v", bands)
	}
	for pr, low := range map[float64]float64{1: 0, 8: 0, 14: 14, 60: 14} {
		if b := nearest(bands, pr); b.Low != low {
			t.Errorf("PR %v is beside the band from %v", pr, b.Low)
		}
	}
}

// The bands in the program can be read and are in order.
func TestReal(t *testing.T) {
	decisions := map[string]int{}
	for _, part := range Parts() {
		bands, err := Real(part)
		if err != nil {
			t.Fatal(err)
		}
		if len(bands) < 4 {
			t.Errorf("%s: %d bands", part, len(bands))
		}
		for _, f := range figures() {
			if _, ok := bands[1].Figures[f.name]; !ok {
				t.Errorf("%s: no real figure %q", part, f.name)
			}
		}
		for _, b := range bands {
			decisions[part] += b.Decisions
		}
	}
	if decisions["all"] != decisions["fit"]+decisions["test"] {
		t.Errorf("decisions: %v", decisions)
	}
	if _, err := Real("none"); err == nil {
		t.Error("an unknown part was read")
	}
	for _, text := range []string{"", "[]", `[{"low":5,"high":3,"figures":{}}]`, `[{"low":0,"high":5}]`} {
		if _, err := ReadBands([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// The gradient of the cost of plays is that of its values.
func TestPlayCost(t *testing.T) {
	plays := board.AppendPlays(nil, board.Start, board.Dice{A: 6, B: 4})
	var results []*board.Position
	var losses []float64
	for i := range plays {
		results, losses = append(results, &plays[i].Result), append(losses, 0.03*float64(i))
	}
	list := []choice{
		{scene: human.NewScene(&board.Start, results, losses), chosen: 2, amount: 0.06},
		{scene: human.NewScene(&board.Start, results, losses), chosen: 0, amount: 0.2},
	}
	m := guess()
	to := numbers(&m.Checker)
	x := make([]float64, len(to))
	for i, p := range to {
		x[i] = *p + 0.1*math.Sin(float64(i))
	}
	have, want := make([]float64, len(x)), make([]float64, len(x))
	playCost(list, x, have)
	fd.Gradient(want, func(x []float64) float64 { return playCost(list, x, nil) }, x, &fd.Settings{Formula: fd.Central})
	for i := range x {
		if math.Abs(have[i]-want[i]) > 1e-5*(1+math.Abs(want[i])) {
			t.Errorf("number %d: %v instead of %v", i, have[i], want[i])
		}
	}
}

// addAll adds the counts of another match.
func (c *Counts) addAll(o *Counts) {
	for _, s := range [...]struct{ to, of *float64 }{
		{&c.Counted, &o.Counted}, {&c.Plays, &o.Plays}, {&c.PlayLoss, &o.PlayLoss}, {&c.Bad, &o.Bad}, {&c.VeryBad, &o.VeryBad},
		{&c.Blunders, &o.Blunders}, {&c.VeryBadLoss, &o.VeryBadLoss}, {&c.Hits, &o.Hits}, {&c.Refused, &o.Refused}, {&c.Cubes, &o.Cubes},
		{&c.CubeLoss, &o.CubeLoss}, {&c.WrongDoubles, &o.WrongDoubles}, {&c.MissedDoubles, &o.MissedDoubles}, {&c.Late, &o.Late},
		{&c.WrongTakes, &o.WrongTakes}, {&c.WrongPasses, &o.WrongPasses}, {&c.Doubles, &o.Doubles}, {&c.Absurd, &o.Absurd},
	} {
		*s.to += *s.of
	}
	for i := range c.Phases {
		c.Phases[i].Plays += o.Phases[i].Plays
		c.Phases[i].Loss += o.Phases[i].Loss
	}
}
