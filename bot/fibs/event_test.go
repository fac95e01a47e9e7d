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
		list := Protocol{}.Reader().Said(line)
		if len(list) != 1 || list[0].Kind == protocol.Unknown || list[0].Length != want {
			t.Errorf("%q is %+v, want length %d", line, list, want)
		}
	}
}
