// Command fibsbot plays backgammon: it logs in to a FIBS server, plays whole
// matches, archives and analyses them, and carries its own engine and server.
package main

import (
	"context"
	"io"

	// Hours in bot.yaml are local time; a container without a zone database still
	// has TZ.
	_ "time/tzdata"

	"fibsbot/cmd/internal/cmdline"
)

func main() { cmdline.Main(run) }

// run executes one command line and returns the exit status: the whole program except
// signals.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return cmdline.Run(ctx, newRootCmd(), args, in, out, errOut)
}
