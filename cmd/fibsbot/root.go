package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/fibsbot/internal/farmcmd"
	"fibsbot/internal/nearest"
	"fibsbot/internal/sanitize"
	"fibsbot/internal/version"
)

// newRootCmd builds the whole command tree. There are no package variables: a
// test makes as many trees as it likes.
func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "fibsbot",
		Short: "A backgammon bot for FIBS, with its own engine, server and archive",
		Long: `fibsbot plays backgammon on FIBS-compatible servers, archives every match,
analyses them, and brings a server of its own to try all that without an account.

Results go to stdout, logs and progress to stderr. Exit status: 0 done, 1 failed
at run time, 2 wrong input, flag or configuration, 130 interrupted.

A POSITION is a gnubg Position ID, PositionID:MatchID, an XGID, an OGID or a FIBS board: line.`,
		Version: buildVersion().text(),
		Example: `  fibsbot demo                        watch two bots play a match, no account needed
  fibsbot demo --fast --matches 20 --length 5
  fibsbot server                      a FIBS-compatible server on 127.0.0.1:4321
  fibsbot version`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          unknownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	nameFarmVersion()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var invalid *pflag.InvalidValueError
		if text, cause, found := strings.Cut(err.Error(), ": strconv."); found { // drop the name of Go's function
			err = fmt.Errorf("%s: %s", text, cause[strings.LastIndex(cause, ": ")+2:])
		} else if errors.As(err, &invalid) {
			return usagef("--%s: %w", invalid.GetFlag().Name, invalid.Unwrap())
		}
		return usageIn(cmd, noSuchFlag(cmd, err))
	})
	root.AddCommand(
		newAnalyseCmd(),
		newAnnotateCmd(),
		newArchiveCmd(),
		newConfigCmd(),
		newBearoffCmd(),
		newRolloutCmd(),
		newConvertCmd(),
		newBoardCmd(),
		newMetCmd(),
		newVersionCmd(),
		newPlayCmd(),
		newDiceCmd(),
		newDemoCmd(),
		newRunCmd(),
		newServerCmd(),
		newWatchCmd(),
		newStatusCmd(),
		newWebCmd(),
		newEvalCmd(),
		newHintCmd(),
		newEngineCmd(),
		newDuelCmd(),
		newBenchCmd(),
		newTrainCmd(),
		newTuneCmd(),
		farmcmd.New(),
	)
	root.SetHelpCommand(newHelpCmd())
	root.InitDefaultCompletionCmd() // now, so that it is treated as ours are
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Example = "  source <(fibsbot completion bash)\n  fibsbot completion zsh --help"
		}
		groupRuns(c)
		wrapArgs(c)
	}
	completeWords(root)
	scrubbed(root, "analyse", "archive", "convert", "status")
	return root
}

// scrubbed makes commands that print what others wrote, names and comments in match
// files, print nothing that a terminal obeys. What convert writes to a pipe is a
// file and stays as it is.
func scrubbed(root *cobra.Command, names ...string) {
	for _, c := range root.Commands() {
		if slices.Contains(names, c.Name()) {
			c.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
				if out := cmd.OutOrStdout(); c.Name() != "convert" || isTerminal(out) {
					cmd.SetOut(sanitize.Writer(out))
				}
			}
		}
	}
}

// groupRuns makes a command that only holds others, in the whole tree below c,
// refuse a name it does not know: cobra prints its help and calls that success.
func groupRuns(c *cobra.Command) {
	if c.HasSubCommands() && !c.Runnable() {
		c.Args = unknownCommand
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	for _, sub := range c.Commands() {
		groupRuns(sub)
	}
}

// unknownCommand turns `fibsbot nosuch` into one line and exit status 2.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageIn(cmd, noSuch(cmd, args[0]))
}

// noSuch says that cmd has no subcommand of that name, and which one may be meant.
func noSuch(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(append(names, c.Name()), c.Aliases...)
		}
	}
	return maybe(fmt.Errorf("unknown command %q", name), name, names)
}

// maybe adds to err which of the words may have been meant.
func maybe(err error, typed string, words []string) error {
	if near := nearest.Of(typed, words); len(near) > 0 {
		return fmt.Errorf("%w, did you mean %s?", err, strings.Join(near, " or "))
	}
	return err
}

// noSuchFlag adds to an unknown flag of cmd which one may have been meant.
func noSuchFlag(cmd *cobra.Command, err error) error {
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return err
	}
	words := []string{"--help"}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { // with those of the commands above
		if !f.Hidden {
			words = append(words, "--"+f.Name)
		}
	})
	return maybe(err, "--"+name, words)
}

// usageIn is a mistake in the flags or arguments of cmd: which command, what is
// wrong and where help is. The program's own name is put before it by run.
func usageIn(cmd *cobra.Command, err error) error {
	path := cmd.CommandPath()
	if _, sub, ok := strings.Cut(path, " "); ok {
		return usagef("%s: %w (see %s --help)", sub, err, path)
	}
	return usagef("%w (see %s help)", err, path)
}

// wrapArgs makes a wrong number of arguments a usage error in the whole tree
// below c, whichever of cobra's checks its owner chose. cobra counts arguments;
// people want to read which ones.
func wrapArgs(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				switch {
				case cmd.HasSubCommands():
					err = noSuch(cmd, args[0])
				case strings.HasPrefix(err.Error(), "unknown command"):
					err = fmt.Errorf("takes no argument, got %q", args[0])
				case strings.Contains(err.Error(), "arg(s)"):
					err = fmt.Errorf("want `%s`, got %s", strings.TrimSuffix(cmd.UseLine(), " [flags]"), countArgs(len(args)))
				}
				return usageIn(cmd, err)
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		wrapArgs(sub)
	}
}

// newHelpCmd is cobra's help command, but for what it makes of a command that
// does not exist: one line and exit status 2.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Help about any command",
		Example: "  fibsbot help\n  fibsbot help archive list",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				if len(rest) > 0 {
					err = noSuch(found, rest[0])
				} else {
					err = noSuch(cmd.Root(), args[0])
				}
				return usagef("help: %w (see fibsbot help)", err)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

func countArgs(n int) string {
	switch n {
	case 0:
		return "no argument"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

func newVersionCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this build",
		Example: "  fibsbot version\n  fibsbot version --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := buildVersion()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), v)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), v.text())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// versionInfo is what `version --json` prints.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func (v versionInfo) text() string {
	return fmt.Sprintf("fibsbot %s (%s, %s/%s)", v.Version, v.Go, v.OS, v.Arch)
}

func buildVersion() versionInfo {
	v := versionInfo{Version: version.Number(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	v.Revision, v.Modified = version.Revision()
	return v
}

// nameFarmVersion tells the farm which program this is, once for all commands.
var nameFarmVersion = sync.OnceFunc(func() {
	if farmcmd.Version = buildVersion().Version; buildVersion().Modified {
		farmcmd.Version = "dev-modified"
	}
})
