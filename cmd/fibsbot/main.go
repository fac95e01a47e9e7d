// Command fibsbot plays backgammon: it logs in to a FIBS server, plays whole
// matches, archives and analyses them, and carries its own engine and server.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	// Hours in bot.yaml are local time; a container without a zone database still
	// has TZ.
	_ "time/tzdata"

	"fibsbot/cmd/fibsbot/internal/farmcmd"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/ctxread"
	"fibsbot/internal/sanitize"
)

// Exit statuses of the contract in docs and in `fibsbot help`.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal kills at once: the first one may find a command that is
	// slow to end, and the user must not need `kill -9`.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run executes one command line and returns the exit status. It is the whole
// program apart from signals, so script tests call it.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	root := newRootCmd()
	root.SetArgs(args)
	root.SetIn(ctxread.Stream(ctx, in))
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	code := exitCode(ctx, err)
	if code == exitInterrupted {
		// Where in a search or a queue the signal was noticed helps nobody.
		err = errInterrupted
	}
	if err != nil && code != exitDone {
		// The problems of a configuration are several, one a line.
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintf(errOut, "fibsbot: %s\n", sanitize.Text(line))
		}
	}
	return code
}

// exitCode maps an error to the exit status it stands for.
func exitCode(ctx context.Context, err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage), farmcmd.IsMistake(err), errors.Is(err, atomicfile.ErrTarget):
		return exitUsage
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return exitInterrupted
	}
	return exitFailed
}
