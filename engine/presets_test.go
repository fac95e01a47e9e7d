package engine

import (
	"context"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/testsize"
)

// TestPresets_depth holds the presets to what their summaries promise in a
// decision with several close plays, an opening 2-1.
func TestPresets_depth(t *testing.T) {
	testsize.Medium(t)
	e := open(t, Options{})
	for _, c := range []struct {
		name       string
		depth      int // of the best play
		least, all int // how many plays are judged that deep
	}{
		{"expert", 0, 15, 100},
		{"worldclass", 2, 2, 8},
		{"supremo", 3, 2, 2},
		{"champion", 2, 2, 8},
		{"grandmaster", 2, 2, 16},
		{"legend", 2, 2, 16},
	} {
		p, err := preset.ByName(c.name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := e.Search().Plays(context.Background(), board.Start, board.Dice{A: 2, B: 1}, match.Money(false, 0), p.Checker)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, play := range list {
			if play.Plies == c.depth {
				n++
			}
		}
		if list[0].Plies != c.depth || n < c.least || n > c.all {
			t.Errorf("%s: best play at %d plies, %d plays at %d; want %d to %d of them", c.name, list[0].Plies, n, c.depth, c.least, c.all)
		}
	}
}
