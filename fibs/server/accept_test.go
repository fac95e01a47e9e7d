package server

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/internal/memnet"
)

// lame is a listener whose Accept fails so many times before it works.
type lame struct {
	net.Listener
	fails int
	with  error
	tries []time.Time
}

func (l *lame) Accept() (net.Conn, error) {
	l.tries = append(l.tries, time.Now())
	if l.fails > 0 {
		l.fails--
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: l.with}
	}
	return l.Listener.Accept()
}

// TestServe_outlivesErrorsThatPass: a process that has run out of descriptors for
// a while serves on, and does not spin meanwhile; a broken listener ends Serve.
func TestServe_outlivesErrorsThatPass(t *testing.T) {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ECONNABORTED} {
		synctest.Test(t, func(t *testing.T) {
			var n memnet.Network
			inner, err := n.Listen("server:1")
			if err != nil {
				t.Fatal(err)
			}
			ln := &lame{Listener: inner, fails: 12, with: e}
			s, err := New(Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- s.Serve(ctx, ln) }()
			c, err := n.Dial(ctx, "", "server:1")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(make([]byte, 1)); err != nil {
				t.Errorf("%v: the connection after it: %v", e, err)
			}
			c.Close()
			cancel()
			if err := <-done; err != nil {
				t.Errorf("%v: %v", e, err)
			}
			for i := 1; i < 12; i++ {
				if d := ln.tries[i].Sub(ln.tries[i-1]); d != min(firstPause<<(i-1), longestPause) {
					t.Errorf("%v: pause %d is %v", e, i, d)
				}
			}
		})
	}
}

func TestServe_endsWithItsListener(t *testing.T) {
	for _, tt := range []struct {
		name string
		with error
		want bool
	}{{"closed", net.ErrClosed, false}, {"no socket", syscall.EINVAL, true}} {
		t.Run(tt.name, func(t *testing.T) {
			var n memnet.Network
			inner, err := n.Listen("server:1")
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			err = s.Serve(t.Context(), &lame{Listener: inner, fails: 1, with: tt.with})
			if (err != nil) != tt.want || tt.want && !errors.Is(err, tt.with) {
				t.Errorf("Serve returned %v", err)
			}
		})
	}
}

// TestOnDone_tellsWhatALineDid: carried out, refused, and outside a match.
func TestOnDone_tellsWhatALineDid(t *testing.T) {
	done := make(chan Done, 1000)
	s := start(t, Options{Seed: 3, OnDone: func(d Done) { done <- d }})
	alice, bob := begin(t, s, "3")
	_ = bob
	last := func() (d Done) {
		for len(done) > 0 {
			d = <-done
		}
		return d
	}
	alice.ask("accept", "didn't double")
	if d := last(); d.User != "alice" || d.Line != "accept" || d.Before != d.After || d.Before.Match != 1 || d.Before.Game != 1 ||
		!strings.HasPrefix(d.Before.Board, "board:You:bob:3:") || !strings.Contains(d.Answer, "didn't double") {
		t.Errorf("refused: %+v", d)
	}
	alice.ask("leave", "terminated")
	if d := last(); d.Before.Match != 1 || d.After != (Standing{}) {
		t.Errorf("left: %+v", d)
	}
}
