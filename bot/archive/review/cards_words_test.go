package review

import (
	"fmt"
	"testing"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record/sgf"

	"github.com/google/go-cmp/cmp"
)

// A card has the player who decides at the bottom with the light checkers, at a double of the
// opponent too.
func TestErrors_cardsHaveTheDeciderBelow(t *testing.T) {
	m, _, err := sgf.ReadFile("../../../engine/analyse/testdata/gnubg/match7.sgf")
	if err != nil {
		t.Fatal(err)
	}
	s, kinds := analyse.Summarise(m, nil, analyse.DefaultLimits), map[string]int{}
	for i := range m.Games {
		for _, d := range report.Rows(m, s, i, nil) {
			drawn := foundIn(&index.Match{}, m, i, &d).drawn
			below, light := drawn.Names[0], !drawn.Dark // of the player on roll
			if drawn.Turned {
				below, light = drawn.Names[1], drawn.Dark
			}
			if below != m.Players[d.Player].Name || !light {
				t.Errorf("%s of %s: %s is below, light %v", d.Kind, m.Players[d.Player].Name, below, light)
			}
			kinds[fmt.Sprint(d.Kind, d.Player)]++
		}
	}
	if kinds["take0"] == 0 || kinds["take1"] == 0 || kinds["checker0"] == 0 {
		t.Errorf("decisions %v", kinds)
	}
}

// The answer of a cube card says "redouble" for a redouble.
func TestFound_answerOfTheCube(t *testing.T) {
	f := Found{Row: report.Row{Played: "No redouble", Error: new(0.1), Phase: "race", Plan: "race",
		Cube: &report.CubeChoice{NoDouble: 0.8, DoubleTake: 0.9, DoublePass: 1, Action: "double_take", Redouble: true}}}
	want := []string{"Redouble, take", "no redouble +0.800, redouble and take +0.900, redouble and pass +1.000", "played: No redouble, lost 0.100 (race, race)"}
	if diff := cmp.Diff(want, f.answer(nil)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
