package server

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bgammon/wire"
)

// The conversion compiles only while both types have the same fields.
var _ = wire.Listing(jsonListing{})

// TestJSON_theClientReadsEveryKey: a board with a different value in every field arrives
// whole.
func TestJSON_theClientReadsEveryKey(t *testing.T) {
	b := jsonBoard{
		Type: "board", Player: "alpha", Started: 101, Ended: 102,
		Player1: jsonSeat{Number: 1, Name: "alpha", Rating: 1501, Points: 3, Inactive: 11},
		Player2: jsonSeat{Number: 2, Name: "beta", Rating: 1502, Points: 4, Inactive: 12},
		Variant: 2, Turn: 2, Roll1: 5, Roll2: 6, Moves: [][2]int{{24, 18}}, Winner: 1, Points: 7, Crawford: 2,
		DoubleValue: 8, DoublePlayer: 2, DoubleOffered: true, Available: [][2]int{{13, 11}}, Spectating: true,
	}
	want := wire.Board{
		Own: wire.Seat{Name: "alpha", Points: 3, Rating: 1501, Inactive: 11}, Opponent: wire.Seat{Name: "beta", Points: 4, Rating: 1502, Inactive: 12},
		Points: 7, Variant: 2, Turn: 2, Die1: 5, Die2: 6, Hops: []wire.Hop{{From: 24, To: 18}}, Available: []wire.Hop{{From: 13, To: 11}},
		Winner: 1, Crawford: wire.CrawfordOver, Cube: 8, CubeOwner: 2, Offered: true, Started: 101, Ended: 102, Spectating: true,
	}
	for place := range b.Board {
		switch {
		case place == wire.TheirHome || place == wire.TheirBar:
			b.Board[place] = -2
		case place == wire.OwnHome || place == wire.OwnBar || place == 6:
			b.Board[place] = 3
		}
		want.Checkers[place] = b.Board[place]
	}
	line, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wire.Event(want), wire.Parse(string(line))); diff != "" {
		t.Errorf("-sent +read:\n%s", diff)
	}
}
