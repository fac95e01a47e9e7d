// Command fibslab is the laboratory beside fibsbot: what makes and measures nets and
// ratings, and who they are measured against.
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

	"github.com/spf13/cobra"
)

// Exit statuses, as fibsbot's.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// mistake is a mistake of the user: input, flag or file.
type mistake struct{ error }

// Unwrap gives errors.Is the cause.
func (m mistake) Unwrap() error { return m.error }

// run executes one command line and returns the exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	root := newRootCmd()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	var m mistake
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(errOut, "fibslab: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(errOut, "fibslab: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
	if errors.As(err, &m) {
		return exitUsage
	}
	return exitFailed
}

// newRootCmd builds the whole command tree.
func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "fibslab",
		Short: "The laboratory beside fibsbot: what makes and measures its nets",
		Long: `fibslab makes and measures what fibsbot plays with.

Results go to stdout, everything else to stderr. Exit status: 0 done, 1 failed at run
time, 2 wrong input, flag or file, 130 interrupted.`,
		Example:       "  fibsbot duel expert 'cmd:fibslab puretd cubeful_money_512_512_256_256.bin' --games 1000 --vr",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return mistake{fmt.Errorf("unknown command %q (see fibslab help)", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return mistake{fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())}
	})
	root.AddCommand(newDeviceCmd(), newPuretdCmd())
	return root
}
