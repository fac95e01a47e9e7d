// Package cmdline holds what the command lines of both programs share: exit statuses, errors
// of the user, unknown commands and flags, output files, JSON and progress.
package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/ctxread"
	"fibsbot/internal/farm"
	"fibsbot/internal/fileerr"
	"fibsbot/internal/sanitize"
)

// Exit statuses, as each program's help states them.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// UsageError is a mistake of the user: input, flag or configuration. A program prints it
// as one line and ends with ExitUsage.
type UsageError struct{ error }

// Unwrap returns the cause, for errors.Is.
func (e UsageError) Unwrap() error { return e.error }

// Usagef makes a UsageError like fmt.Errorf.
func Usagef(format string, args ...any) error {
	return UsageError{fmt.Errorf(format, args...)}
}

// AsUsage marks err as the user's mistake; nil stays nil.
func AsUsage(err error) error {
	var u UsageError
	if err == nil || errors.As(err, &u) {
		return err
	}
	return UsageError{err}
}

// ErrInterrupted ends a finite command that the user interrupted.
var ErrInterrupted = errors.New("interrupted")

// Main runs the program on the command line of the process and ends it. SIGINT and SIGTERM
// end the context; a second signal kills at once, in case a command is slow to stop.
func Main(run func(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run executes one command line of root and returns the exit status.
func Run(ctx context.Context, root *cobra.Command, args []string, in io.Reader, out, errOut io.Writer) int {
	root.SetArgs(args)
	root.SetIn(ctxread.Stream(ctx, in))
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	code := ExitCode(ctx, err)
	if code == ExitInterrupted {
		err = ErrInterrupted // which search or queue noticed the signal does not matter
	}
	if err != nil && code != ExitDone {
		// An error may have several lines: one for each problem of a configuration.
		for line := range strings.SplitSeq(fileerr.Text(err), "\n") {
			fmt.Fprintf(errOut, "%s: %s\n", root.Name(), sanitize.Text(line))
		}
	}
	return code
}

// Complain reports an error after which cmd continues.
func Complain(w io.Writer, program string, err error) {
	fmt.Fprintf(w, "%s: %s\n", program, fileerr.Text(err))
}

// ExitCode returns the exit status of a command that returned err.
func ExitCode(ctx context.Context, err error) int {
	var usage UsageError
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EIO): // whatever the user named
		return ExitFailed
	case errors.As(err, &usage), errors.Is(err, farm.ErrRefused), errors.Is(err, atomicfile.ErrTarget):
		return ExitUsage
	case errors.Is(err, ErrInterrupted):
		return ExitInterrupted
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return ExitInterrupted
	}
	return ExitFailed
}

// OrInterrupted returns what work returns, or ErrInterrupted as soon as ctx ends: a
// large file takes seconds in steps that know no context. The work is left behind then; it
// changes nothing outside.
func OrInterrupted[T any](ctx context.Context, work func() (T, error)) (out T, err error) {
	done := make(chan struct{})
	var result T
	var failed error
	go func() {
		defer close(done)
		result, failed = work()
	}()
	select {
	case <-done:
		return result, failed
	case <-ctx.Done():
		return out, ErrInterrupted
	}
}
