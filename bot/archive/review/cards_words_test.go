package review

import (
	"testing"

	"fibsbot/engine/analyse/report"

	"github.com/google/go-cmp/cmp"
)

// The answer of a cube card says "redouble" for a redouble.
func TestFound_answerOfTheCube(t *testing.T) {
	f := Found{Row: report.Row{Played: "No redouble", Error: new(0.1), Phase: "race", Plan: "race",
		Cube: &report.CubeChoice{NoDouble: 0.8, DoubleTake: 0.9, DoublePass: 1, Action: "double_take", Redouble: true}}}
	want := []string{"Redouble, take", "no redouble +0.800, redouble and take +0.900, redouble and pass +1.000", "played: No redouble, lost 0.100 (race, race)"}
	if diff := cmp.Diff(want, f.answer()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
