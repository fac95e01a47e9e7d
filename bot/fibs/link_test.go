package fibs

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// TestLink_survivesAFaultInALine: a panic while the bot reads a line ends the connection with
// an error that quotes the line. The process keeps running.
func TestLink_survivesAFaultInALine(t *testing.T) {
	srv, err := server.New(server.Options{Accounts: map[string]string{"me": "secret", "bob": "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, ln) }()
	defer func() { cancel(); <-served }()
	login := func(name string, meaning func(*clip.Event) protocol.Event) protocol.Link {
		l, err := dial(ctx, client.Options{Address: ln.Addr().String(), Name: name, Password: clip.NewSecret("secret"), Pace: client.Pace{Gap: -1, ChatGap: -1}}, meaning)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := login("me", func(ev *clip.Event) protocol.Event {
		if ev.Kind == clip.Says {
			panic("tripped")
		}
		return Event(ev)
	})
	bob := login("bob", Event)
	defer bob.Close()
	if err := bob.Send(protocol.Tell{Name: "me", Text: "boo"}, nil); err != nil {
		t.Fatal(err)
	}
	limit := time.After(2 * time.Minute)
	for open := true; open; {
		select {
		case _, open = <-l.Events():
		case <-limit:
			t.Fatal("the connection goes on")
		}
	}
	err = l.Err()
	if protocol.CauseOf(err, "") != protocol.CauseCrash || !strings.Contains(err.Error(), "tripped") || !strings.Contains(err.Error(), "12 bob boo") {
		t.Errorf("%v, want a crash that tells its line", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
