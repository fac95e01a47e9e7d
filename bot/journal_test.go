package bot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

// lastLink is a connection on which something happens while the account logs out.
type lastLink struct {
	unqueued
	events chan protocol.Event
	onBye  func()
}

// Events implements Link.
func (l *lastLink) Events() <-chan protocol.Event { return l.events }

// Send implements Link.
func (l *lastLink) Send(c protocol.Command, _ func() bool) error {
	if _, bye := c.(protocol.Bye); bye {
		l.onBye()
	}
	return nil
}

// Err implements Link.
func (l *lastLink) Err() error { return nil }

// Close implements Link.
func (l *lastLink) Close() error { return nil }

// TestAccount_journalFailsWhileLeaving: an account reports a match that could not be written
// even if it was leaving anyway.
func TestAccount_journalFailsWhileLeaving(t *testing.T) {
	begins := fibs.Protocol{}.Reader().FromServer("** Player bob has joined you for a 5 point match.")
	if len(begins) != 1 || begins[0].Kind != protocol.MatchBegins {
		t.Fatalf("parsed %+v", begins)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	l := &lastLink{events: make(chan protocol.Event, 1)}
	l.onBye = func() {
		if err := os.RemoveAll(filepath.Join(dir, "open")); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "open"), nil, 0o600); err != nil {
			t.Error(err)
		}
		l.events <- begins[0]
		close(l.events)
	}
	a := &Account{Protocol: fibs.Protocol{}, Name: "me", Archive: archive.Options{Dir: dir, NoSync: true}, Dial: func(context.Context) (Link, error) {
		cancel() // as by a signal
		return l, nil
	}}
	if err := a.Run(ctx); !errors.Is(err, errJournal) {
		t.Errorf("ended with %v, not with the failure of the journal", err)
	}
}
