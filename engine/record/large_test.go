package record_test

import (
	"strings"
	"testing"

	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/internal/testsize"
)

// The matches of a bot of many years and a file of more than a million lines are read.
func TestLarge(t *testing.T) {
	testsize.Large(t)
	const games = 12_000
	all, ws, err := oldmoves.ReadAll(strings.NewReader(strings.Repeat("Score is 0-0 in a 1 point match.\na is X - b is O\nX: (3 1) 8-5 6-5\nO: (6 5) 1-12\nX: wins 1\n\n", games)))
	if err != nil || len(all) != games {
		t.Errorf("%d matches of %d, %d warnings, %v", len(all), games, len(ws), err)
	}
	one := " 3 point match\n\n Game 1\n a : 0      b : 0\n  1) 31: 8/5 6/5\n"
	if all, _, err := mat.ReadAll(strings.NewReader(one + strings.Repeat("\n", 1_100_000))); err != nil || len(all) != 1 {
		t.Errorf("%d matches, %v", len(all), err)
	}
	if _, _, err := mat.ReadAll(strings.NewReader(one + strings.Repeat("\n", 9_000_000))); err == nil || !strings.Contains(err.Error(), "split the file") {
		t.Errorf("%v", err)
	}
}
