package server

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
)

// witness is a connection and a log that complain when they are used while the
// world is locked.
type witness struct {
	nowhere
	t *testing.T
	s *Server
}

func (w *witness) look(what string) {
	if w.s == nil {
		return
	}
	if !w.s.mu.TryLock() {
		w.t.Errorf("%s under the server's mutex", what)
		return
	}
	w.s.mu.Unlock()
}

func (w *witness) Write(b []byte) (int, error) { w.look("a write"); return len(b), nil }
func (w *witness) Close() error                { w.look("a close"); return nil }
func (w *witness) SetReadDeadline(time.Time) error {
	w.look("a deadline")
	return nil
}

// TestOutbox_nothingOutsideIsTouchedUnderTheMutex walks a world without goroutines
// through everything that says something to a socket, a hook or the log.
func TestOutbox_nothingOutsideIsTouchedUnderTheMutex(t *testing.T) {
	w := &witness{t: t}
	log := logrus.New()
	log.SetOutput(w)
	hooks := 0
	opts := Options{Seed: 1, AutoAccounts: true, Log: log, MaxConns: 4,
		OnLine: func(context.Context, string, string, int) Fate { hooks++; w.look("OnLine"); return Carry },
		OnDone: func(Done) { hooks++; w.look("OnDone") },
	}
	s, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	w.s = s
	open := func(name string) *conn {
		c := s.admit(w)
		if c == nil {
			t.Fatal("not admitted")
		}
		s.greet(c)
		s.handle(t.Context(), c, "login tester 1008 "+name+" secret")
		if c.user == nil {
			t.Fatalf("%s is not logged in: %q", name, c.queue)
		}
		return c
	}
	alice, bob := open("alice"), open("bob")
	for _, line := range []string{"toggle ready", "set boardstyle 3", "shout hello", "tell bob hi", "password secret:secret:secret", "nonsense"} {
		s.handle(t.Context(), alice, line)
		s.handle(t.Context(), bob, line)
	}
	s.handle(t.Context(), alice, "invite bob 3")
	s.handle(t.Context(), bob, "join alice")
	if bob.user.match == nil {
		t.Fatal("no match")
	}
	again := open("alice") // ends the old connection
	if bob.user.match == nil {
		t.Error("the match does not go on")
	}
	s.Announce(true, time.Minute)
	bad := s.admit(w)
	for range maxLoginTries {
		s.handle(t.Context(), bad, "login tester 1008 alice wrong")
	}
	if s.admit(w) != nil {
		t.Error("one connection too many")
	}
	s.DropUser("bob")
	s.handle(t.Context(), again, "bye")
	s.readerEnded(alice, nil)
	s.Sweep()
	s.shutdown()
	if hooks < 10 {
		t.Errorf("%d calls of hooks", hooks)
	}
}

// TestHooks_mayCallTheServer: a hook may query the server or disconnect a user.
func TestHooks_mayCallTheServer(t *testing.T) {
	var s *Server
	seen := make(chan []string, 100)
	s = start(t, Options{
		OnLine: func(_ context.Context, _, line string, _ int) Fate {
			if line == "time" {
				s.DropUser("bob")
			}
			return Carry
		},
		OnDone: func(d Done) {
			if d.Line == "time" {
				seen <- s.Users()
			}
		},
	})
	alice, bob := login(t, s, "alice"), login(t, s, "bob")
	alice.ask("time", "UTC")
	bob.closed()
	if got := <-seen; len(got) != 1 || got[0] != "alice" {
		t.Errorf("on line: %v", got)
	}
}

// TestOnDone_comesInOrderAndBeforeTheAnswer: who hears of a line's effect may ask
// the hook's records about it.
func TestOnDone_comesInOrderAndBeforeTheAnswer(t *testing.T) {
	var lines []string // the hook is called by one goroutine at a time
	got := make(chan string, 1)
	s := start(t, Options{OnDone: func(d Done) {
		lines = append(lines, d.User)
		if d.Line == "tell bob end" {
			got <- strings.Join(lines, " ")
		}
	}})
	alice, bob := login(t, s, "alice"), login(t, s, "bob")
	for range 50 {
		alice.send("tell bob now")
		bob.expect("^12 alice now")
		bob.send("tell alice now")
		alice.expect("^12 bob now")
	}
	alice.send("tell bob end")
	want := "alice bob " + strings.Repeat("alice bob ", 50) + "alice" // the first two set their board
	if all := <-got; all != want {
		t.Errorf("order of lines: %s", all)
	}
}

// TestSlowReader_holdsUpNobody: a connection whose socket takes nothing is cut when
// its queue is full, and the others do not wait for it meanwhile.
func TestSlowReader_holdsUpNobody(t *testing.T) {
	s, users := offline(t)
	near, far := net.Pipe() // takes nothing until it is read
	defer far.Close()
	c := s.admit(near)
	go c.write(t.Context())
	s.handle(t.Context(), c, "login tester 1008 carol secret")
	deaf := users[2].conn
	for range 2000 {
		s.handle(t.Context(), deaf, "help")
	}
	deaf.mu.Lock()
	cut := deaf.cut
	deaf.mu.Unlock()
	if !cut {
		t.Error("a queue without end")
	}
	c.finish(true)
}
