package bot

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sirupsen/logrus"
	"github.com/sirupsen/logrus/hooks/test"

	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

// badLink is a server on which every board of the match with bob is the same line.
type badLink struct {
	unqueued
	board  string
	events chan protocol.Event
	mu     sync.Mutex
	sent   []string
	saved  bool // the match is not at the board
	closed bool
}

func (l *badLink) say(lines ...string) {
	if l.closed {
		return
	}
	for _, line := range lines {
		for _, ev := range (fibs.Protocol{}).Reader().FromServer(line) {
			l.events <- ev
		}
	}
}

func (l *badLink) Send(c protocol.Command, _ func() bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	text, err := encode(c)
	l.sent = append(l.sent, text)
	switch {
	case text == "board" && l.saved:
		l.say("** You're not playing.")
	case text == "board":
		l.say(l.board)
	case text == "leave":
		l.saved = true
		l.say("** You terminated the game. The game was saved.")
	case text == "show saved":
		l.say("no saved games.")
	}
	return err
}

func (l *badLink) Events() <-chan protocol.Event { return l.events }
func (l *badLink) Err() error                    { return nil }

func (l *badLink) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.events)
	}
	return nil
}

// TestAccount_impossibleBoard: the board is asked for with growing pauses and one warning. Then the
// connection is given up, and the match is left on the next one.
func TestAccount_impossibleBoard(t *testing.T) {
	for name, board := range map[string]string{
		"30 checkers":                           "board:You:bob:3:0:0:0:-2:0:0:0:0:15:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
		"half a line":                           "board:You:bob:3:0:0:0:-2:0:0",
		"a game at a score that ends the match": "board:You:bob:3:3:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log, hook := test.NewNullLogger()
				var links []*badLink
				ctx, cancel := context.WithCancel(t.Context())
				a := &Account{Protocol: fibs.Protocol{}, Name: "anna", Log: log, Archive: archive.Options{Dir: memoryDir(t), NoSync: true},
					Conduct: &Plain{Min: 1, Max: 9, Backoff: Backoff{Min: time.Second, Max: 3 * time.Second}},
					Dial: func(context.Context) (Link, error) {
						l := &badLink{board: board, events: make(chan protocol.Event, 100)}
						l.say("** Player bob has joined you for a 3 point match.", "Starting a new game with bob.", "You rolled 6, bob rolled 3", "It's your turn to move.", l.board)
						links = append(links, l)
						return l, nil
					}}
				done := make(chan error, 1)
				go func() { done <- a.Run(ctx) }()
				time.Sleep(time.Hour)
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				count := func(l *badLink, text string) (n int) {
					for _, s := range l.sent {
						if s == text {
							n++
						}
					}
					return n
				}
				if len(links) != 2 {
					t.Fatalf("%d connections", len(links))
				}
				if n := count(links[0], "board"); n < 3 || n > 10 || count(links[0], "leave") > 0 {
					t.Errorf("on the first connection: %q", links[0].sent)
				}
				if n := count(links[1], "leave"); n != 1 {
					t.Errorf("on the second connection: %q", links[1].sent)
				}
				warned := map[string]int{}
				for _, e := range hook.AllEntries() {
					if e.Level == logrus.WarnLevel {
						word, _, _ := strings.Cut(e.Message, " with ")
						warned[word]++
					}
				}
				if warned["impossible board in the match"] != 2 || warned["connection ended"] != 1 {
					t.Errorf("warned %v", warned)
				}
			})
		})
	}
}
