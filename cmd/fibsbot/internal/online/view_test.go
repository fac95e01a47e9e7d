package online

import (
	"testing"

	"fibsbot/bot/sheet"
)

// A gammon that ends a match shows no points beyond its length; an unlimited match counts all.
func TestViewOf_pointsBeyondTheLength(t *testing.T) {
	for length, want := range map[int]int{1: 1, 3: 2, 0: 2} {
		s := sheet.New("bert", length, true)
		s.Score[sheet.Them] = 2
		if got := viewOf(s, "anna", nil).Score; got[sheet.Them] != want || got[sheet.Us] != 0 {
			t.Errorf("length %d: %v, want %d", length, got, want)
		}
	}
}
