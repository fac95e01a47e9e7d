package bgammon

import (
	"strings"
	"testing"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/wire"
)

// TestLink_survivesAFaultInALine: see the test of that name in bot/fibs.
func TestLink_survivesAFaultInALine(t *testing.T) {
	l := &link{} // without a session: the second list makes it send
	l.hops = []wire.Hop{{}}
	l.reader.last.Hops = l.hops
	err := l.guarded(client.Event{Event: wire.Refusal{Command: "move"}, Line: "failedmove"})
	if err == nil || !strings.Contains(err.Error(), "fault of this program") {
		t.Errorf("%v, want a fault", err)
	}
	if !l.mu.TryLock() {
		t.Error("the lock is kept")
	}
}
