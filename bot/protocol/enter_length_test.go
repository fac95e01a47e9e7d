package protocol

import (
	"testing"

	"fibsbot/bot/sheet"
)

// TestEnter_endOfAnotherMatch: after a login a line may report how another match ended,
// one that had been cut; it ends no match of another length.
func TestEnter_endOfAnotherMatch(t *testing.T) {
	for _, tt := range []struct {
		length, told int
		over         bool
	}{{3, 1, false}, {3, 3, true}, {-1, 3, true}, {3, 0, true}} {
		s := sheet.New("you", tt.length, true)
		Enter(s, &Event{Kind: MatchOver, Name: You, Length: tt.told, Score: [2]int{max(tt.told, 1), 0}}, "me")
		if s.Over != tt.over {
			t.Errorf("a match of %d points after the end of one of %d: over %v", tt.length, tt.told, s.Over)
		}
	}
}
