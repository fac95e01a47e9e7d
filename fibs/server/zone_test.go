package server

import (
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

// TestTimezone_survivesARestart: a user's time zone is kept with his account, and times are
// told in it after a restart, too; those of messages among them.
func TestTimezone_survivesARestart(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	now := func() time.Time { return time.Unix(1700000000, 0) } // 22:13:20 UTC, 23:13:20 in Paris
	s, stop := startStoppable(t, Options{Data: dir, CheapPasswords: true, Now: now})
	alice := login(t, s, "alice")
	alice.ask("set timezone Europe/Paris", "set to Europe/Paris")
	alice.ask("time", "^Tuesday, November 14 23:13:20 CET")
	alice.ask("save", "Settings saved")
	alice.send("bye")
	alice.closed()
	login(t, s, "bob").ask("message alice hello", "^11 alice")
	stop()

	zones.mu.Lock()
	delete(zones.known, "Europe/Paris") // as in a new process
	zones.mu.Unlock()
	s = start(t, Options{Data: dir, CheapPasswords: true, Now: now})
	c := dial(t, s)
	c.send("alice")
	c.send("secret")
	c.expect("Last login: Tuesday, November 14 23:13 CET")
	c.expect("Nov 14 23:13 bob: hello")
	c.ask("time", "Tuesday, November 14 23:13:20 CET")
	login(t, s, "bob").send("message alice again")
	c.expect("Nov 14 23:13: message from bob: again")
}
