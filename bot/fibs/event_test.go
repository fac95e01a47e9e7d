package fibs

import (
	"testing"

	"fibsbot/bot/protocol"
)

// TestEvent_lengths: 0 is unlimited to the bot, so what a server calls a match of 0
// points must not be 0.
func TestEvent_lengths(t *testing.T) {
	for line, want := range map[string]int{
		"bob wants to play a 5 point match with you.":      5,
		"bob wants to play an unlimited match with you.":   0,
		"bob wants to play a 0 point match with you.":      -1,
		"** You are now playing a 0 point match with bob":  -1,
		"** Player bob has joined you for a 0 point match": -1,
		"match length: 0":                             -1,
		"match length: unlimited":                     0,
		"bob wants to resume a saved match with you.": -1,
	} {
		list := Protocol{}.Reader().FromServer(line)
		if len(list) != 1 || list[0].Kind == protocol.Unknown || list[0].Length != want {
			t.Errorf("%q is %+v, want length %d", line, list, want)
		}
	}
}

// TestEvent_aPlayerCalledYou: the verb tells whether the server speaks of a player with that
// name or of the account.
func TestEvent_aPlayerCalledYou(t *testing.T) {
	for line, us := range map[string]bool{
		"You double. Please wait for You to accept or reject.": true,
		"You doubles. Type 'accept' or 'reject'.":              false,
		"You accept the double. The cube shows 2.":             true,
		"You accepts the double. The cube shows 2.":            false,
		"You roll 3 and 1.":                                    true,
		"You rolls 3 and 1.":                                   false,
		"You rejects. The game continues.":                     false,
		"You gives up. You win 1 point.":                       true,
		"You wins the game and gets 1 point. Sorry.":           false,
		"You wins the 5 point match 5-3 .":                     false,
		"You drops connection. The game was saved.":            false,
		"** You terminated the game. The game was saved.":      true,
		"You wants to play a 5 point match with you.":          false,
	} {
		list := Protocol{}.Reader().FromServer(line)
		if len(list) != 1 || list[0].IsYou() != us || !us && list[0].Name != "You" {
			t.Errorf("%q is %+v, want about us: %v", line, list, us)
		}
	}
}

// TestEvent_listLines: a line of a list of moves that is not understood is a hole in the list, not
// noise; a redouble is a double of the other side.
func TestEvent_listLines(t *testing.T) {
	for line, want := range map[string]protocol.Kind{
		"O: (3 1) 8-5 6-5": protocol.ListMove, "X: doubles": protocol.ListDouble, "O: redoubles to 4": protocol.ListDouble,
		"X: (6 1) 12-18 17": protocol.ListOther, "O: wins": protocol.ListWon,
	} {
		if list := (Protocol{}).Reader().FromServer(line); len(list) != 1 || list[0].Kind != want || list[0].First != (line[0] == 'X') {
			t.Errorf("%q is %+v, want %v", line, list, want)
		}
	}
}
