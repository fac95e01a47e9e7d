package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/fibs/client"
	"fibsbot/fibs/telnet"
)

func TestCauseOf(t *testing.T) {
	for _, tt := range []struct {
		err       error
		otherwise Cause
		want      Cause
	}{
		{fmt.Errorf("%w: x", ErrBadLogin), protocol.CauseLocal, protocol.CauseRefused},
		{fmt.Errorf("%w to fibs:1: refused", telnet.ErrConnect), protocol.CauseLocal, protocol.CauseDial},
		{fmt.Errorf("%w: %w", client.ErrLost, io.EOF), protocol.CauseLocal, protocol.CauseLost},
		{fmt.Errorf("%w: it refuses logins", client.ErrShutdown), protocol.CauseLocal, protocol.CauseShutdown},
		{errors.New("the command for the password failed"), protocol.CauseLocal, protocol.CauseLocal},
		{fmt.Errorf("%w: x", client.ErrLost), protocol.CauseKicked, protocol.CauseLost},
		{errors.New("x"), protocol.CauseShutdown, protocol.CauseShutdown},
	} {
		if got := protocol.CauseOf(fibs.Failure(tt.err), tt.otherwise); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.err, got, tt.want)
		}
	}
}

// TestAccount_waitsByCause: after an outage the next wait is short again; after a shutdown
// or when kicked it is not.
func TestAccount_waitsByCause(t *testing.T) {
	away := fmt.Errorf("%w: refused", telnet.ErrConnect)
	lost := fmt.Errorf("%w: cut", client.ErrLost)
	for _, tt := range []struct {
		name  string
		fails []error
		want  []time.Duration // the shortest that each wait may be; a quarter longer at most
	}{
		{"an outage", []error{lost, away, away, away, lost}, []time.Duration{4, 4, 8, 16, 8}},
		{"a server that hangs up", []error{lost, lost, lost, lost}, []time.Duration{4, 8, 16, 32}},
		{"logins refused before a shutdown", []error{client.ErrShutdown}, []time.Duration{32}},
		{"thrown out", []error{client.ErrKicked}, []time.Duration{100}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				var n atomic.Int32
				var waits []time.Duration
				a := &Account{Protocol: fibs.Protocol{}, Name: "me", Dial: func(context.Context) (Link, error) { return nil, fibs.Failure(tt.fails[n.Add(1)-1]) },
					Conduct: &scripted{Plain: Plain{Backoff: Backoff{Min: 4 * time.Second, Max: 64 * time.Second, Kicked: 100 * time.Second, Jitter: 0.25}},
						rest: func(end Ending) {
							if waits = append(waits, end.Wait); len(waits) == len(tt.fails) {
								cancel()
							}
						}}}
				if err := a.Run(ctx); err != nil {
					t.Fatal(err)
				}
				for i, w := range waits {
					if least := tt.want[i] * time.Second; w < least || w > least*5/4 {
						t.Errorf("wait %d is %v, want %v to %v", i+1, w, least, least*5/4)
					}
				}
			})
		})
	}
}
