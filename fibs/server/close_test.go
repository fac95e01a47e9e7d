package server

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

// TestServer_closed: a server that was closed, or that New has not made, does not serve, and
// Addr does not wait.
func TestServer_closed(t *testing.T) {
	closed, err := New(Options{Data: t.TempDir(), CheapPasswords: true, Accounts: map[string]string{"alice": "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan net.Addr)
	go func() { waiting <- closed.Addr() }()
	for range 2 {
		if err := closed.Close(); err != nil {
			t.Fatalf("close: %v", err)
		}
	}
	if at := <-waiting; at != nil {
		t.Errorf("the address of a closed server is %v", at)
	}
	for name, s := range map[string]*Server{"closed": closed, "zero": new(Server)} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Serve(t.Context(), ln); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: Serve: %v", name, err)
		}
		if _, err := ln.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: the listener stays open: %v", name, err)
		}
		if err := s.Serve(t.Context(), nil); err == nil {
			t.Errorf("%s: no listener is served", name)
		}
		if err := s.AddAccount("bob", "secret"); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: AddAccount: %v", name, err)
		}
		s.Sweep()
		s.Announce(false, time.Minute)
		if s.Addr() != nil || s.DropUser("bob") || len(s.Users())+len(s.Matches()) > 0 || s.Close() != nil {
			t.Errorf("%s: a user is there", name)
		}
	}
}

// TestClose_whileServing ends Serve, which saves, as the end of its context does.
func TestClose_whileServing(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	s, err := New(Options{Data: dir, CheapPasswords: true, AutoAccounts: true})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), ln) }()
	alice := login(t, s, "alice")
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	alice.expect("FIBS will shut down")
	alice.closed()
	if err := <-done; err != nil {
		t.Errorf("serve: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("close once more: %v", err)
	}
	again := start(t, Options{Data: dir, CheapPasswords: true, Accounts: map[string]string{}})
	login(t, again, "alice").ask("time", "UTC")
}
