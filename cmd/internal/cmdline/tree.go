package cmdline

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/internal/figure"
	"fibsbot/internal/nearest"
)

// Finish completes a command tree whose commands are all added: mistakes in commands,
// flags and arguments become one line, with what may have been meant.
func Finish(root *cobra.Command) {
	root.SilenceUsage, root.SilenceErrors = true, true
	root.Args = UnknownCommand
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
			return Usagef("--%s: %w", invalid.GetFlag().Name, badValue(invalid))
		}
		return UsageIn(cmd, noSuchFlag(cmd, err))
	})
	root.SetHelpCommand(newHelpCmd(root.Name()))
	root.InitDefaultCompletionCmd() // now, so that it is treated like the other commands
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Example = strings.ReplaceAll("  source <(NAME completion bash)\n  NAME completion zsh --help", "NAME", root.Name())
		}
		groupRuns(c)
		wrapArgs(c)
	}
}

// badValue says what is wrong with the value of a flag, without the words of Go's parsers.
func badValue(e *pflag.InvalidValueError) error {
	kinds := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0 on", "float64": "a number",
		"bool": "true or false", "float64Slice": "a list of numbers (as 0.1,0.2)", "duration": "a time (use 90s, 5m or 1h30m)",
	}
	number := (*strconv.NumError)(nil)
	kind, ok := kinds[e.GetFlag().Value.Type()]
	if ok && (errors.As(e.Unwrap(), &number) || e.GetFlag().Value.Type() == "duration") {
		return fmt.Errorf("%q is not %s", e.GetValue(), kind)
	}
	return e.Unwrap()
}

// groupRuns makes a command that only holds others, in the whole tree below c,
// refuse an unknown name: cobra prints its help and calls that success.
func groupRuns(c *cobra.Command) {
	if c.HasSubCommands() && !c.Runnable() {
		c.Args = UnknownCommand
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	for _, sub := range c.Commands() {
		groupRuns(sub)
	}
}

// New makes a command. use is its name and its arguments as help shows them: [X] may be left
// out, X... may be repeated, and what follows a --flag is its value. Other numbers of arguments
// are refused.
func New(use string, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Args: countOf(use), RunE: run}
}

// countOf is the check of the number of arguments that use shows.
func countOf(use string) cobra.PositionalArgs {
	least, most, depth := 0, 0, 0
	words := strings.Fields(use)[1:]
	for i, w := range words {
		if strings.HasPrefix(w, "--") || i > 0 && strings.HasPrefix(words[i-1], "--") {
			continue
		}
		if depth += strings.Count(w, "["); depth == 0 {
			least++
		}
		depth -= strings.Count(w, "]")
		if most++; strings.Contains(w, "...") {
			most = math.MaxInt / 2
		}
	}
	if most == 0 {
		return cobra.NoArgs
	}
	return cobra.RangeArgs(least, most)
}

// UnknownCommand refuses arguments of a command that takes only subcommands.
func UnknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return UsageIn(cmd, noSuch(cmd, args[0]))
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

// UsageIn is a mistake in the flags or arguments of cmd: which command, what is
// wrong and where help is. Run puts the program's name before it.
func UsageIn(cmd *cobra.Command, err error) error {
	path := cmd.CommandPath()
	if _, sub, ok := strings.Cut(path, " "); ok {
		return Usagef("%s: %w (see %s --help)", sub, err, path)
	}
	return Usagef("%w (see %s help)", err, path)
}

// wrapArgs makes a wrong number of arguments a usage error in the whole tree below c, for
// every argument check of cobra. cobra counts arguments; the error names them.
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
					_, path, _ := strings.Cut(cmd.CommandPath(), " ")
					return Usagef("%s: %s (use %s)", path, countArgs(len(args)), strings.TrimSuffix(cmd.UseLine(), " [flags]"))
				}
				return UsageIn(cmd, err)
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		wrapArgs(sub)
	}
}

func countArgs(n int) string {
	if n == 0 {
		return "no argument"
	}
	return figure.Count(n, "argument")
}

// newHelpCmd is cobra's help command, except that an unknown command is one line and
// ExitUsage.
func newHelpCmd(program string) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND|examples]",
		Short:   "Show the help of a command, or examples",
		Example: "  " + program + " help\n  " + program + " help farm",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "examples" {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), cmd.Root().Example)
				return err
			}
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				if err = noSuch(cmd.Root(), args[0]); len(rest) > 0 {
					err = noSuch(found, rest[0])
				}
				return Usagef("help: %w (see %s help)", err, program)
			}
			return found.Help()
		},
	}
}
