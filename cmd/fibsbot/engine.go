package main

import (
	"fmt"
	"net"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/bench"
	"fibsbot/engine/external"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

func newEngineCmd() *cobra.Command {
	var strength engineflags.Strength
	var parts engineflags.Engine
	var listen string
	var jacoby bool
	cmd := cmdline.New("engine", func(cmd *cobra.Command, _ []string) error {
		p, err := strength.Resolve(cmd)
		if err != nil {
			return err
		}
		e, err := parts.Open(cmd, strength.Seed)
		if err != nil {
			return err
		}
		defer e.Close()
		if listen != "" {
			return listenExternal(cmd, listen, external.Player{Engine: e, Preset: p, Jacoby: jacoby, Version: "fibsbot " + buildVersion().Version})
		}
		own := func(name string) (preset.Preset, error) {
			return engineflags.FindPreset("preset", name, strength.Config)
		}
		filter := func(name string) (search.Filter, error) { return engineflags.FindFilter(name, strength.Config) }
		l := external.Server{Engine: e, Preset: p, Seed: strength.Seed, Find: own, Filter: filter}
		return l.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	})
	engineflags.Add(cmd, &strength, &parts, "expert")
	engineflags.AddWithin(cmd, &strength)
	cmd.Flags().StringVar(&listen, "listen", "", "serve gnubg's external-player protocol there")
	cmd.Flags().BoolVar(&jacoby, "jacoby", true, "with --listen: use the Jacoby rule in money sessions")
	return cmd
}

// listenExternal serves gnubg's external-player protocol until the command's
// context ends.
func listenExternal(cmd *cobra.Command, address string, x external.Player) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(cmd.Context(), "tcp", address)
	if err != nil {
		return cmdline.Usagef("--listen: %w", err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: listening on %s\n", listening(address, ln.Addr()))
	return x.Serve(cmd.Context(), ln)
}

func newBenchCmd() *cobra.Command {
	var parts engineflags.Engine
	var seconds float64
	cmd := cmdline.New("bench", func(cmd *cobra.Command, _ []string) error {
		if !(seconds > 0 && seconds <= 3600) {
			return cmdline.Usagef("--seconds: %v is not a time (more than 0, at most 3600)", seconds)
		}
		parts.Threads = 1
		e, err := parts.Open(cmd, 1)
		if err != nil {
			return err
		}
		defer e.Close()
		e.Warm()
		out, err := bench.Measure(cmd.Context(), e, time.Duration(seconds*float64(time.Second)))
		if err != nil {
			return err
		}
		return cmdline.AnswerBy(cmd, out, out.Print)
	})
	engineflags.AddEngine(cmd, &parts)
	cmd.Flags().Float64Var(&seconds, "seconds", 1, "seconds to measure each figure")
	cmdline.AddJSON(cmd)
	return cmd
}
