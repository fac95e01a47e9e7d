package efficiency

import (
	"math"
	"testing"

	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Equities made with a known x return that x, whoever owns the cube.
func TestFitLiveness_findsTheXThatMadeTheEquities(t *testing.T) {
	for _, want := range []float64{0, 0.35, 0.68, 1} {
		var points []cubePoint
		for i := range 40 {
			pr := eval.Probs{0.25 + 0.0125*float32(i), 0.1, 0.01, 0.12, 0.005}
			p, err := pointOf(i, [...]match.Owner{match.Centred, match.Mine, match.Theirs}[i%3], 20+i, &pr, 0)
			if err != nil {
				t.Fatal(err)
			}
			p.equity = want*p.live + (1-want)*p.dead
			points = append(points, p)
		}
		f := fitLiveness(points)
		if math.Abs(f.X-want) > 1e-9 || f.Err > 1e-9 || f.Residual > 1e-9 || f.Points != 40 {
			t.Errorf("x %v: fitted %+v", want, f)
		}
		l, ok := fitLine(points)
		if !ok || math.Abs(l.Base-want) > 1e-6 || math.Abs(l.PerPip) > 1e-8 {
			t.Errorf("x %v: line %+v, %v", want, l, ok)
		}
	}
}

// Exact lines are found and noise gives standard errors of its own size.
func TestFitLine_baseAndSlope(t *testing.T) {
	var points []cubePoint
	for i := range 2000 {
		x := 0.55 + 0.00125*float64(i%100)
		noise := 0.01 * float64(1-2*(i/100%2))
		points = append(points, cubePoint{position: i, pips: i % 100, dead: 0.4, live: 0.7, equity: 0.4 + 0.3*x + noise})
	}
	l, ok := fitLine(points)
	if !ok || math.Abs(l.Base-0.55) > 1e-6 || math.Abs(l.PerPip-0.00125) > 1e-6 {
		t.Errorf("line %+v, want 0.55 + 0.00125 a pip", l)
	}
	if l.BaseErr < 0.0005 || l.BaseErr > 0.005 {
		t.Errorf("standard error of the base %v", l.BaseErr)
	}
	if _, ok := fitLine(points[:1]); ok {
		t.Error("a line through one pip count")
	}
}

func TestCubeTruth_loss(t *testing.T) {
	for _, c := range []struct {
		name   string
		nd, dt float64
		action cube.Action
		take   bool // what the decision's own equities answer
		want   float64
	}{
		{"right double, right take", 0.6, 0.7, cube.DoubleTake, true, 0},
		{"missed double", 0.6, 0.7, cube.NoDoubleTake, true, 0.1},
		{"double too early", 0.6, 0.5, cube.DoubleTake, true, 0.1},
		{"wrong pass", 0.6, 0.7, cube.DoublePass, false, 0.3},
		{"wrong take", 0.8, 1.2, cube.DoubleTake, true, 0.2},
		{"right cash", 0.8, 1.2, cube.DoublePass, false, 0},
		{"cashed what was too good", 1.1, 1.4, cube.DoublePass, false, 0.1},
		{"played on when too good", 1.1, 1.4, cube.TooGoodPass, false, 0},
	} {
		d := cube.Decision{Action: c.action, DoublePass: 1, DoubleTake: 1.1}
		if c.take {
			d.DoubleTake = 0.9
		}
		truth := cubeTruth{c.nd, c.dt}
		if got := truth.loss(&d); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: loss %v, want %v", c.name, got, c.want)
		}
	}
}
