package quiz

import (
	"math"
	"testing"

	"fibsbot/engine/cube"
	"fibsbot/engine/preset"
)

// A question about a take asks whether the double was right too; each half of the answer costs what
// it gives up, and take or drop alone is judged alone.
func TestJudge_takeAsksTheDoubleToo(t *testing.T) {
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	p, err := preset.ByName("beginner")
	if err != nil {
		t.Fatal(err)
	}
	q := Question{Kind: Take, Known: &Known{Depth: "2-ply", Decision: &cube.Decision{NoDouble: 0.5, DoubleTake: 0.4, DoublePass: 1, Action: cube.NoDoubleTake}}}
	q.Situation.State.Cube = 1
	for answer, loss := range map[string]float64{rollTake: 0, doubleTake: 0.1, doublePass: 0.7, rollPass: 0.6, take: 0, drop: 0.6} {
		v, err := Judge(t.Context(), e, p, &q, answer)
		if err != nil || math.Abs(v.Loss-loss) > 1e-9 || v.Best != rollTake || len(v.Choices) != 4 || v.Choices[0].Equity != -0.4 {
			t.Errorf("%s: %+v %v", answer, v, err)
		}
	}
}
