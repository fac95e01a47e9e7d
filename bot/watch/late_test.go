package watch

import (
	"slices"
	"strings"
	"testing"
)

// TestObserver_lateBoard: a late board of the game that has just ended does not open a game in
// the record of a watched match.
func TestObserver_lateBoard(t *testing.T) {
	const start = "board:alice:bob:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
	played := strings.NewReplacer(":0:5:0:3:0:0:0:-5", ":2:4:0:2:0:0:0:-5", ":1:3:1:0:0:1", ":-1:0:0:0:0:1").Replace(start)
	lines := []string{"You're now watching alice.", start, "alice moves 8-5 6-5 .", played, "bob rolls 6 and 4.", "bob moves 1-7 12-16 .", "alice doubles.", "bob gives up. alice wins 1 point.",
		"score in 5 point match: alice-1 bob-0", "Starting a new game with bob.", "alice rolled 2, bob rolled 1", "alice makes the first move."}
	want, _ := watchLines("alice", lines)
	if len(want) != 1 || len(want[0].Games) != 2 || len(want[0].Games[0].Actions) != 4 {
		t.Fatalf("%d matches: %+v", len(want), want)
	}
	for n := 7; n < len(lines); n++ {
		for _, late := range []string{start, played} {
			got, _ := watchLines("alice", slices.Insert(slices.Clone(lines), n+1, late))
			if len(got) != 1 || !slices.Equal(listing(t, got[0]), listing(t, want[0])) {
				t.Errorf("behind %q: %q, want %q", lines[n], listing(t, got[0]), listing(t, want[0]))
			}
		}
	}
}
