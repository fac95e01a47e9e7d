package bgammon

import (
	"strings"
	"testing"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/wire"
)

// TestLink_survivesAFaultInALine: see the test of that name in bot/fibs.
func TestLink_survivesAFaultInALine(t *testing.T) {
	l := &link{} // without a session, that it needs to take the hop back
	l.reader.last = wire.Board{Turn: wire.TurnOwn, Die1: 1, Die2: 2, Points: 1, Hops: []wire.Hop{{}}}
	err := l.guarded(client.Event{Event: wire.Refusal{Command: "move"}, Line: "failedmove"})
	if err == nil || !strings.Contains(err.Error(), "fault of this program") {
		t.Errorf("%v, want a fault", err)
	}
	if !l.mu.TryLock() {
		t.Error("the lock is kept")
	}
}
