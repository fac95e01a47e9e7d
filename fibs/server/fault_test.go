package server

import (
	"strings"
	"testing"
)

// TestServer_survivesAFaultInACommand: a panic ends the connection of the user whose command
// caused it. The match is saved, the others play on, and the log has the command without its
// arguments.
func TestServer_survivesAFaultInACommand(t *testing.T) {
	commands = append(commands, command{"trip", func(*Server, *user, string) { panic("tripped") }, false, ""})
	defer func() { commands = commands[:len(commands)-1] }()
	var text safeLog
	s := start(t, Options{Log: logTo(&text)})
	alice, bob := begin(t, s, "3")
	carol := login(t, s, "carol")
	alice.send("trip over s3cret")
	alice.closed()
	bob.expect("alice.*The game was saved")
	if got := s.Users(); strings.Join(got, " ") != "bob carol" {
		t.Errorf("on line: %q", got)
	}
	carol.ask("tell bob hello", "Sent|bob heard|16 bob hello")
	bob.expect("carol hello")
	login(t, s, "alice").ask("show saved", "bob")
	for _, want := range []string{"tripped", "command=trip", "fault_test.go"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the log does not tell %q:\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "s3cret") {
		t.Error("the log has the command's arguments")
	}
}

// TestServer_faultsOfTheWorld: when it is a match that cannot be left, the connection
// ends all the same and the lock is given back.
func TestServer_faultsOfTheWorld(t *testing.T) {
	var text safeLog
	s := start(t, Options{Log: logTo(&text)})
	alice := login(t, s, "alice")
	carol := login(t, s, "carol")
	s.mu.Lock()
	s.users["alice"].watchers = []*user{nil} // a watcher who has gone
	s.mu.Unlock()
	alice.send("bye")
	alice.closed()
	carol.ask("time", ":")
	if !strings.Contains(text.String(), "fault of this program") {
		t.Errorf("the log tells nothing:\n%s", text.String())
	}
}
