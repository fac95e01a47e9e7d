package bot

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

// slowLink is a link whose queue is sent when the test wants it.
type slowLink struct {
	lastLink
	mu      sync.Mutex
	waiting int
	sent    []time.Time // when a board was asked for
	drained chan struct{}
}

func (l *slowLink) Send(c protocol.Command, _ func() bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := c.(protocol.AskBoard); ok {
		l.sent = append(l.sent, time.Now())
	}
	return nil
}

func (l *slowLink) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting
}

func (l *slowLink) Drained() <-chan struct{} { return l.drained }

// TestAccount_waitsForItsQueue: while commands wait to be sent, the table does not conclude
// that they had no effect, and the queue is not polled. The table's patience starts when the
// last command is sent.
func TestAccount_waitsForItsQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := &slowLink{waiting: 3, drained: make(chan struct{}, 1)}
		l.events, l.onBye = make(chan protocol.Event), func() {}
		conduct := &scripted{}
		steps := 0
		conduct.step = func() { steps++ }
		a := &Account{Protocol: fibs.Protocol{}, Name: "me", Conduct: conduct, Table: table.Options{Patience: 8 * time.Second},
			Dial: func(context.Context) (Link, error) { return l, nil }}
		done := make(chan error, 1)
		go func() { done <- a.Run(ctx) }()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if len(l.sent) != 1 || steps > 3 {
			t.Errorf("while the queue waits: the board asked for %d times, %d steps", len(l.sent), steps)
		}
		l.mu.Lock()
		l.waiting = 0
		l.mu.Unlock()
		gone := time.Now()
		l.drained <- struct{}{}
		time.Sleep(9 * time.Second)
		synctest.Wait()
		if len(l.sent) != 2 || l.sent[1].Sub(gone) != 8*time.Second {
			t.Errorf("the board was asked for at %v, want once more 8 s after %v", l.sent, gone)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
