package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// silent is a standard input on which nothing ever comes; asked is closed at the
// first read.
type silent struct{ asked chan struct{} }

func (s silent) Read([]byte) (int, error) {
	close(s.asked)
	select {} // as a terminal whose user has gone
}

func TestStdin_commandsEndWhileTheyWait(t *testing.T) {
	testsize.Medium(t)
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"engine", "--plies", "0"}, cmdline.ExitDone}, // which has no end of its own
		{[]string{"convert", "-", filepath.Join(t.TempDir(), "x.sgf")}, cmdline.ExitInterrupted},
		{[]string{"analyse", "--stored", "-"}, cmdline.ExitInterrupted},
	} {
		args := tt.args
		ctx, stop := context.WithCancel(t.Context())
		in := silent{make(chan struct{})}
		ended := make(chan int, 1)
		var out, errOut strings.Builder
		go func() { ended <- run(ctx, args, in, &out, &errOut) }()
		const limit = time.Minute
		select {
		case <-in.asked:
		case code := <-ended:
			t.Fatalf("%v: status %d before it read anything: %s", args, code, errOut.String())
		case <-time.After(limit):
			t.Fatalf("%v: nothing is read", args)
		}
		stop() // as the signal does
		select {
		case code := <-ended:
			if code != tt.code || strings.Contains(errOut.String(), "interrupted") != (code == cmdline.ExitInterrupted) {
				t.Errorf("%v: status %d, %s", args, code, errOut.String())
			}
		case <-time.After(limit):
			t.Fatalf("%v: goes on waiting after the signal", args)
		}
	}
}
