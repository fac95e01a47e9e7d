package engine

import (
	"testing"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// In a decided race that all plays win alike the one is made that bears off more.
func TestRankPlays_bearsOffInDecidedRaces(t *testing.T) {
	testsize.Medium(t)
	p, err := board.ParseID("fycAAPC9EwwAAA")
	if err != nil {
		t.Fatal(err)
	}
	p = p.Swap()
	e, err := Open(Options{Bearoff: bearoff.NewSource(bearoff.Options{NoCache: true})})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, name := range []string{"expert", "worldclass", "supremo"} {
		list, err := e.RankPlays(t.Context(), p, board.Dice{A: 4, B: 2}, match.Money(true, 3), named(t, name))
		if err != nil || len(list) < 2 {
			t.Fatalf("%s: %d plays, %v", name, len(list), err)
		}
		if got := board.FormatPlay(p, list[0].Play); got != "4/off 2/off" {
			t.Errorf("%s plays %s", name, got)
		}
	}
}
