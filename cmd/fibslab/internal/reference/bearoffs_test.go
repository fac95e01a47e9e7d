package reference

import (
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/testsize"
)

// A search knows bearoffs exactly at every score and loses nothing in any.
func TestBearoffs_aSearchKnowsThem(t *testing.T) {
	testsize.Large(t)
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ds, err := Bearoffs(t.Context(), e.Search().Table(), 7, 6, nil)
	if err != nil {
		t.Fatal(err)
	}
	world, err := preset.ByName("worldclass")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := CubeLosses(ds, false, CubeByPreset(t.Context(), e, world))
	if err != nil {
		t.Fatal(err)
	}
	if l := ours[0]; l.Decisions != 6 || l.Doubling > 0.001 || l.Taking > 0.001 {
		t.Errorf("%+v, want 6 decisions without a loss", l)
	}
	// Always doubling and always taking loses, or the decisions ask for nothing.
	fool, err := CubeLosses(ds, false, func(board.Position, match.State) (bool, bool, error) { return true, true, nil })
	if err != nil {
		t.Fatal(err)
	}
	if fool[0].Doubling+fool[0].Taking < 1 {
		t.Errorf("doubling and taking everything loses only %+v", fool[0])
	}
}
