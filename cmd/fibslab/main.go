// Command fibslab is the laboratory beside fibsbot: it makes and measures nets and ratings.
package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/help"
	"fibsbot/internal/version"
)

func main() { cmdline.Main(run) }

// run executes one command line and returns the exit status. It is the whole program
// apart from signals, so tests call it.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return cmdline.Run(ctx, newRootCmd(), args, in, out, errOut)
}

// newRootCmd builds the whole command tree.
func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "fibslab",
		Short: "The laboratory beside fibsbot: makes and measures nets and ratings",
		Long: `fibslab makes and measures what fibsbot plays with.

Results go to stdout, everything else to stderr. Exit status: 0 done, 1 failed at run
time, 2 wrong input, flag or file, 130 interrupted.`,
		Version: version.Number(),
		Example: `  fibslab bench nets
  fibslab train fit blitz.fit --class contact/blitz --data labels.grp
  fibslab tune measure --plan presets --lengths 5 -o presets.results`,
	}
	root.SetVersionTemplate("fibslab {{.Version}}\n")
	root.AddCommand(newTrainCmd(), newBenchCmd(), newPuretdCmd(), newOpeningsCmd(), newTuneCmd(), newProfileCmd(), newFarmCmd())
	cmdline.Finish(root)
	(&help.Style{
		Few: 15,
		Commands: []help.Group{
			{Title: "Nets", Names: []string{"train", "bench", "puretd", "openings"}},
			{Title: "Ratings", Names: []string{"tune", "profile"}},
			{Title: "Machines", Names: []string{"farm"}},
		},
		Footer: "fibslab COMMAND --help shows flags; fibslab help examples, some commands.",
	}).Install(root)
	return root
}

// group is a command that only has others.
func group(use, short, long, example string, cmds ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Long: long, Example: example, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(cmds...)
	return cmd
}
