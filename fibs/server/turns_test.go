package server

import (
	"context"
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

// queue asks for turns while the only place is taken, and lists who gets them.
type queue struct {
	t     *turns
	names map[*attempt]string
}

func newQueue() *queue {
	q := &queue{t: newTurns(1), names: map[*attempt]string{}}
	q.t.ask("", 0)
	return q
}

func (q *queue) add(site string, tries int, name string) *attempt {
	a := q.t.ask(site, tries)
	q.names[a] = name
	return a
}

// next ends the turn and names who has the next one, or returns "".
func (q *queue) next() string {
	q.t.done()
	for a, name := range q.names {
		select {
		case <-a.turn:
			delete(q.names, a)
			return name
		default:
		}
	}
	return ""
}

// TestTurns_addressesAlternate: an address with many attempts holds up another one by one
// attempt at a time.
func TestTurns_addressesAlternate(t *testing.T) {
	q := newQueue()
	for i := range 4 {
		q.add("crowd", i, fmt.Sprint("c", i))
	}
	q.add("home", 5, "h1")
	q.add("home", 5, "h2")
	var got []string
	for range 6 {
		got = append(got, q.next())
	}
	if want := []string{"c0", "h2", "c1", "h1", "c2", "c3"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if q.next() != "" || len(q.t.last) != 0 || len(q.t.waiting) != 0 {
		t.Errorf("%v remain", q.t)
	}
}

// TestTurns_oneAddress: behind a proxy who failed less goes first, and of a crowd of equals
// the last to come and the first alternate.
func TestTurns_oneAddress(t *testing.T) {
	q := newQueue()
	for i := range 900 {
		q.add("proxy", 0, fmt.Sprint("c", i))
	}
	q.add("proxy", 0, "honest")
	turns := 1
	for q.next() != "honest" {
		turns++
	}
	if turns > 2 {
		t.Errorf("behind 900 others an honest login had turn %d", turns)
	}
	for i := range 450 { // half of the crowd tries again
		q.next()
		q.add("proxy", 1, fmt.Sprint("again", i))
	}
	q.add("proxy", 0, "late")
	for turns = 1; q.next() != "late"; turns++ {
	}
	if turns > 2 {
		t.Errorf("among 450 second attempts an honest login had turn %d", turns)
	}
}

// TestTurns_thoseWhoLeave take no turn, and one that was given goes on.
func TestTurns_thoseWhoLeave(t *testing.T) {
	q := newQueue()
	first, second := q.add("a", 0, "first"), q.add("a", 0, "second")
	q.add("b", 0, "third")
	q.t.leave(first)
	q.t.done()
	<-second.turn // had the turn already when it left
	q.t.leave(second)
	if given := q.t.given; given != 3 {
		t.Errorf("%d turns given", given)
	}
	q.t.done()
	if q.t.free != 1 || len(q.t.last) != 0 {
		t.Errorf("%+v", q.t)
	}
}

// seen waits until the server has so many connections, of which so many wait for a turn.
func seen(s *Server, conns, waiting int) {
	for {
		s.mu.Lock()
		n := len(s.conns)
		s.mu.Unlock()
		s.hash.mu.Lock()
		w := len(s.hash.waiting)
		s.hash.mu.Unlock()
		if n == conns && w == waiting {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// hold takes all places for hashing.
func hold(s *Server) {
	for range hashers() {
		<-s.hash.ask("", 0).turn
	}
}

// TestLogin_noHashForThoseWhoHaveGone: hundreds of connections that try passwords and close
// cost nothing more, and an honest login is the next.
func TestLogin_noHashForThoseWhoHaveGone(t *testing.T) {
	s := start(t, Options{Accounts: map[string]string{"alice": "secret"}})
	hold(s)
	var crowd []net.Conn
	for range 100 {
		c := dial(t, s)
		for range maxLoginTries {
			c.send("login tester 1008 alice wrong")
		}
		crowd = append(crowd, c.sock)
	}
	seen(s, 100, 100)
	for _, c := range crowd {
		c.Close()
	}
	seen(s, 0, 0)
	given := s.hash.given
	c := dial(t, s)
	c.send("login tester 1008 alice secret")
	c.send("time") // read ahead while the login waits
	seen(s, 1, 1)
	s.hash.done()
	c.expect("^1 alice")
	c.expect("UTC")
	if n := s.hash.given - given; n != 1 {
		t.Errorf("%d passwords hashed, one is asked for", n)
	}
	for range hashers() - 1 {
		s.hash.done()
	}
}

// TestServe_endsBesideWaitingLogins: the end of the server waits for no login.
func TestServe_endsBesideWaitingLogins(t *testing.T) {
	testsize.Medium(t)
	s, err := New(Options{Accounts: map[string]string{"alice": "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, ln) }()
	hold(s)
	for range 50 {
		dial(t, s).send("login tester 1008 alice secret")
	}
	seen(s, 50, 50)
	cancel()
	if err := <-done; err != nil { // while all places are taken
		t.Error(err)
	}
}
