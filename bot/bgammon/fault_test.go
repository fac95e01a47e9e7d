package bgammon

import (
	"testing"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/wire"
)

// TestLink_survivesAFaultInALine: see the test of that name in bot/fibs. The client ends the
// connection; the rest of the link can still be asked.
func TestLink_survivesAFaultInALine(t *testing.T) {
	l := &link{} // without a session, that it needs to take the hop back
	l.reader.last = wire.Board{Turn: wire.TurnOwn, Die1: 1, Die2: 2, Points: 1, Hops: []wire.Hop{{}}}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no fault")
			}
		}()
		l.deliver(&client.Event{Event: wire.Refusal{Command: "move"}, Line: "failedmove"})
	}()
	if !l.mu.TryLock() {
		t.Error("the lock is kept")
	}
}
