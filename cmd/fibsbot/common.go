package main

import (
	"context"
	"io"
	"net"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/dice"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/search"
	"fibsbot/internal/livetext"
)

// Names of package cli and engineflags as the commands here use them.
type (
	usageError    = cmdline.UsageError
	strengthFlags = engineflags.Strength
	engineFlags   = engineflags.Engine
)

const (
	exitDone        = cmdline.ExitDone
	exitFailed      = cmdline.ExitFailed
	exitUsage       = cmdline.ExitUsage
	exitInterrupted = cmdline.ExitInterrupted
)

var errInterrupted = cmdline.ErrInterrupted

func usagef(format string, args ...any) error           { return cmdline.Usagef(format, args...) }
func asUsage(err error) error                           { return cmdline.AsUsage(err) }
func usageIn(cmd *cobra.Command, err error) error       { return cmdline.UsageIn(cmd, err) }
func exitCode(ctx context.Context, err error) int       { return cmdline.ExitCode(ctx, err) }
func printJSON(w io.Writer, v any) error                { return cmdline.PrintJSON(w, v) }
func printJSONLine(w io.Writer, v any) error            { return cmdline.PrintJSONLine(w, v) }
func printJSONLines[T any](w io.Writer, list []T) error { return cmdline.PrintJSONLines(w, list) }
func wantFolder(flag, dir string) error                 { return cmdline.WantFolder(flag, dir) }
func needFolder(flag, dir string) error                 { return cmdline.NeedFolder(flag, dir) }
func wantParent(flag, file string) error                { return cmdline.WantParent(flag, file) }
func complain(w io.Writer, err error)                   { cmdline.Complain(w, "fibsbot", err) }
func isTerminal(w io.Writer) bool                       { return cmdline.IsTerminal(w) }
func barOf(cmd *cobra.Command) *livetext.Bar            { return cmdline.Bar(cmd) }

func writeOutput(name string, write func(io.Writer) error) error {
	return cmdline.WriteOutput(name, write)
}
func meter(cmd *cobra.Command, what string) (report func(done, total uint64), done func()) {
	return cmdline.Meter(cmd, what)
}
func liveText(cmd *cobra.Command) (show func(text func() string), done func()) {
	return cmdline.LiveText(cmd)
}
func progress(w io.Writer) func(what string, done, total int) { return cmdline.Progress(w) }

func findPreset(flag, name, file string) (preset.Preset, error) {
	return engineflags.FindPreset(flag, name, file)
}
func findFilter(name, file string) (search.Filter, error) { return engineflags.FindFilter(name, file) }
func addStrengthFlags(cmd *cobra.Command, f *strengthFlags, fallback string) {
	engineflags.AddStrength(cmd, f, fallback)
}
func addWithinFlag(cmd *cobra.Command, f *strengthFlags) { engineflags.AddWithin(cmd, f) }
func addPresetsFlag(cmd *cobra.Command, file *string)    { engineflags.AddPresets(cmd, file) }
func addGameFlags(cmd *cobra.Command, v *record.Variation, egyptian *bool, auto *int, from *dice.Generator) {
	engineflags.AddGame(cmd, v, egyptian, auto, from)
}
func addRulesFlags(cmd *cobra.Command, v *record.Variation, egyptian *bool) {
	engineflags.AddRules(cmd, v, egyptian)
}
func addDiceFlag(cmd *cobra.Command, from *dice.Generator) { engineflags.AddDice(cmd, from) }
func addEngineFlags(cmd *cobra.Command, f *engineFlags)    { engineflags.AddEngine(cmd, f) }
func addMetFlag(fl *pflag.FlagSet, met *string)            { engineflags.AddMet(fl, met) }

// listening is the address of a listener with the host as the user wrote it: Go shows
// 0.0.0.0 as [::].
func listening(named string, a net.Addr) string {
	host, _, err := net.SplitHostPort(named)
	_, port, err2 := net.SplitHostPort(a.String())
	if err != nil || err2 != nil || host == "" {
		return a.String()
	}
	return net.JoinHostPort(host, port)
}
