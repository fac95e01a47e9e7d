package server

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/internal/testsize"

	"github.com/sirupsen/logrus"
)

// clock is a clock that a test sets.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// safeLog is a log that a test may read while it is written.
type safeLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *safeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func logTo(w *safeLog) logrus.FieldLogger {
	l := logrus.New()
	l.SetOutput(w)
	return l
}

// TestLimits_loginHasADeadline: an empty line now and then does not keep a place.
func TestLimits_loginHasADeadline(t *testing.T) {
	at := &clock{at: time.Unix(1700000000, 0)}
	s := start(t, Options{Now: at.now})
	c := dial(t, s)
	c.expect("WELCOME")
	user := login(t, s, "alice")
	for range 3 {
		at.add(50 * time.Second)
		c.send("")
		c.ask("guest", "just logged in as guest")
		s.Sweep()
	}
	at.add(50 * time.Second)
	s.Sweep()
	c.expect("Connection timed out")
	c.closed()
	user.ask("time", "UTC")
}

func TestLimits_connectionsOfOneAddress(t *testing.T) {
	var log safeLog
	s := start(t, Options{Limits: Limits{Connections: 3}, Log: logTo(&log)})
	var all []*client
	for range 3 {
		c := dial(t, s)
		c.expect("WELCOME")
		all = append(all, c)
	}
	for range 50 {
		c := dial(t, s)
		c.expect("Too many connections from your address")
		c.closed()
	}
	if n := strings.Count(log.String(), "connection refused"); n != 1 {
		t.Errorf("%d lines in the log", n)
	}
	all[0].send("bye")
	all[0].closed()
	for {
		c := dial(t, s) // the place is free when the server has seen the end
		if line, _ := c.next(); !strings.HasPrefix(line, "Too many") {
			break
		}
	}
}

// TestLimits_silentConnectionsMakeRoom: all places taken by connections that do not
// log in do not keep out a user.
func TestLimits_silentConnectionsMakeRoom(t *testing.T) {
	at := &clock{at: time.Unix(1700000000, 0)}
	s := start(t, Options{MaxConns: 5, Now: at.now})
	var silent []*client
	for range 5 {
		c := dial(t, s)
		c.expect("WELCOME")
		silent = append(silent, c)
		at.add(time.Second)
	}
	c := dial(t, s)
	c.expect("Too many connections")
	at.add(evictAfter - 5*time.Second)
	c = dial(t, s)
	c.expect("Too many connections") // no one is admitted before the disconnected one has gone
	silent[0].closed()
	for {
		c = dial(t, s)
		if line, _ := c.next(); !strings.HasPrefix(line, "Too many") {
			break
		}
	}
	c.send("login tester 1008 alice secret")
	c.expect("^1 alice")
	silent[4].ask("guest", "just logged in as guest")
}

func TestLimits_logins(t *testing.T) {
	var log safeLog
	s := start(t, Options{Accounts: map[string]string{"alice": "secret"}, Log: logTo(&log),
		Limits: Limits{Logins: maxLoginTries, FailedPause: 10 * time.Millisecond}})
	begin := time.Now()
	c := dial(t, s)
	c.expect("WELCOME")
	c.send("login tester 1008 hunter2 hunter2") // a password where the name belongs
	for range maxLoginTries - 1 {
		c.send("login tester 1008 alice hunter2")
	}
	c.expect("Too many failed logins")
	c.closed()
	if took, least := time.Since(begin), (1+2+4+8+16)*10*time.Millisecond; took < least {
		t.Errorf("five bad logins in %v, want %v at least", took, least)
	}
	c = dial(t, s)
	c.send("login tester 1008 alice secret")
	c.expect("Too many logins from your address")
	c.closed()
	text := log.String()
	if strings.Contains(text, "hunter2") || strings.Count(text, "login failed") != maxLoginTries || !strings.Contains(text, "from=127.0.0.1") {
		t.Errorf("the log:\n%s", text)
	}
}

// TestLimits_oldPasswords: guessing the old password at an unattended terminal is limited like
// guessing at the login.
func TestLimits_oldPasswords(t *testing.T) {
	var log safeLog
	s := start(t, Options{Accounts: map[string]string{"alice": "secret"}, Log: logTo(&log),
		Limits: Limits{Logins: 5, FailedPause: 10 * time.Millisecond}})
	c := login(t, s, "alice")
	begin := time.Now()
	for range 3 {
		c.ask("password hunter2:newpw:newpw", "Old password not correct")
	}
	if took, least := time.Since(begin), (1+2+4)*10*time.Millisecond; took < least {
		t.Errorf("three wrong passwords in %v, want %v at least", took, least)
	}
	c.ask("password secret:newpw:newpw", "Password changed")
	c.ask("password secret:newpw:newpw", "Too many passwords from your address")
	c.ask("time", "UTC") // he plays on
	text := log.String()
	if strings.Contains(text, "hunter2") || strings.Count(text, "wrong old password") != 3 || !strings.Contains(text, "from=127.0.0.1") {
		t.Errorf("the log:\n%s", text)
	}
}

func TestLimits_registrations(t *testing.T) {
	s := start(t, Options{Limits: Limits{Registrations: 3, AllRegistrations: 100}})
	for i := range 3 {
		login(t, s, nameOf(i))
	}
	c := dial(t, s)
	c.send("login tester 1008 zoe secret")
	c.expect("^login: |login: $|^.?.?.?$")
	g := dial(t, s)
	for _, line := range []string{"guest", "name zoe", "secret", "secret"} {
		g.send("%s", line)
	}
	g.expect("Too many new accounts")
	login(t, s, nameOf(1)) // those who have one come in
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.accounts) != 3 {
		t.Errorf("%d accounts", len(s.accounts))
	}
}

// TestLimits_shoutsSurviveAnotherLogin, and so does what one user may say.
func TestLimits_shoutsSurviveAnotherLogin(t *testing.T) {
	s := start(t, Options{})
	login(t, s, "bob")
	refused := 0
	for range 4 {
		c := login(t, s, "alice")
		for range shoutsPerMinute / 2 {
			if c.ask("shout hello", "^17 |shout too much") != "17 hello" {
				refused++
			}
		}
		c.send("bye")
		c.closed()
	}
	if refused != shoutsPerMinute {
		t.Errorf("%d of %d shouts refused", refused, 2*shoutsPerMinute)
	}
}

func TestLimits_linesThatOthersHear(t *testing.T) {
	testsize.Medium(t)
	s := start(t, Options{Limits: Limits{Messages: 50}})
	bob := login(t, s, "bob")
	begin := time.Now()
	for range 12 { // five hundred at once, fifty a second then
		c := login(t, s, "alice")
		for range 45 {
			c.send("tell bob hello")
		}
		for range 45 {
			c.expect("^16 bob")
		}
	}
	for range 12 * 45 {
		bob.expect("^12 alice hello")
	}
	if took := time.Since(begin); took < 700*time.Millisecond {
		t.Errorf("540 lines in %v", took)
	}
}

// TestCrowded_talkDisconnectsNoOne: a user who reads slowly misses talk and stays connected,
// however many talk.
func TestCrowded_talkDisconnectsNoOne(t *testing.T) {
	s, users := offline(t)
	s.mu.Lock()
	s.talk, s.shouts = nil, nil
	s.mu.Unlock()
	alice, bob, carol := users[0].conn, users[1].conn, users[2].conn
	text := strings.Repeat("x", maxText)
	for range 3 * maxQueue / maxText {
		for _, line := range []string{"tell alice ", "shout ", "kibitz ", "message alice ", "away "} {
			s.handle(t.Context(), bob, line+text)
		}
		s.handle(t.Context(), carol, "whisper "+text)
		s.handle(t.Context(), carol, "address a@b")
		drain(users[1:])
	}
	alice.mu.Lock()
	n, cut := len(alice.queue), alice.cut
	alice.mu.Unlock()
	if cut || n < maxQueue/2 || n > maxQueue*3/4 {
		t.Errorf("%d bytes queued, cut %v", n, cut)
	}
	s.handle(t.Context(), alice, "board")
	if s.users["alice"] == nil || alice.cut {
		t.Error("alice is gone")
	}
	s.handle(t.Context(), bob, "tell alice hello")
	if got := string(bob.queue); !strings.Contains(got, "The line of alice is busy") {
		t.Errorf("bob hears %q", got)
	}
}

// TestQueues_areBoundedTogether: a thousand clients that read nothing do not take
// a thousand times the memory of one.
func TestQueues_areBoundedTogether(t *testing.T) {
	s, users := offline(t)
	s.queued.Store(maxQueued + 1)
	for range 20 {
		s.handle(t.Context(), users[0].conn, "help")
	}
	if c := users[0].conn; !c.cut || len(c.queue) > 0 {
		t.Errorf("%d bytes queued", len(c.queue))
	}
}

func TestLimits_defaults(t *testing.T) {
	if l := (Limits{}).resolve(true); l.Connections != 0 || l.Logins != 0 || l.Registrations != 0 || l.FailedPause != 0 ||
		l.LoginTime == 0 || l.Messages == 0 {
		t.Errorf("on the loopback: %+v", l)
	}
	if l := (Limits{}).resolve(false); l.Connections == 0 || l.Logins == 0 || l.Registrations == 0 || l.AllRegistrations == 0 || l.FailedPause == 0 {
		t.Errorf("elsewhere: %+v", l)
	}
	none := Limits{-1, -1, -1, -1, -1, -1, -1}
	if l := none.resolve(false); l != (Limits{}) {
		t.Errorf("without: %+v", l)
	}
	if l := (Limits{Connections: 5, Messages: 3}).resolve(true); l.Connections != 5 || l.Messages != 3 {
		t.Errorf("set: %+v", l)
	}
}

// TestLimiter_isBounded: a limiter forgets whom it need not know.
func TestLimiter_isBounded(t *testing.T) {
	l := newLimiter(1, time.Hour, 1)
	now := time.Unix(1700000000, 0)
	for i := range maxKeys + 5000 {
		l.take(fmt.Sprint(i), now.Add(time.Duration(i)*time.Microsecond), 0)
	}
	if len(l.known) > maxKeys {
		t.Errorf("%d keys", len(l.known))
	}
	if _, ok := l.take(fmt.Sprint(maxKeys+4999), now.Add(time.Second), 0); ok {
		t.Error("the last one is not limited")
	}
	if l.take("new", now.Add(2*time.Hour), 0); len(l.known) > 1 {
		t.Errorf("%d keys after two hours", len(l.known))
	}
}

// TestLimits_savedMatches: who was invited by many may not join them all and have more
// matches than the bound says.
func TestLimits_savedMatches(t *testing.T) {
	s := start(t, Options{})
	bob := login(t, s, "bob")
	bob.ask("toggle ready", "ready")
	s.mu.Lock()
	for range maxSaved - 1 {
		a := s.accounts["bob"]
		a.open = append(a.open, &match{home: s, Record: MatchRecord{Players: [2]string{"bob", "nobody"}}})
	}
	s.mu.Unlock()
	for _, name := range []string{"alice", "carol"} {
		c := login(t, s, name)
		c.ask("invite bob 3", "You invited bob")
		bob.expect("Type 'join " + name)
	}
	bob.ask("join alice", "You are now playing")
	bob.ask("leave", "terminated")
	bob.ask("join carol", "not allowed to create new games")
	bob.ask("join alice", "didn't invite you")
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.accounts["bob"].open); n != maxSaved {
		t.Errorf("%d matches, at most %d", n, maxSaved)
	}
}
