package main

import (
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
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
	engineflags.AddStrength(cmd, &strength, "expert")
	engineflags.AddWithin(cmd, &strength)
	engineflags.AddPresets(cmd, &strength.Config)
	engineflags.AddEngine(cmd, &parts)
	parts.UseConfiguredTable(cmd, &strength.Config)
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
