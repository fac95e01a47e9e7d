package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/bot/demo"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

func newDemoCmd() *cobra.Command {
	var f demo.Options
	var config string // file with own presets
	cmd := &cobra.Command{
		Use:  "demo",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Matches < 1 {
				return cmdline.Usagef("--matches: %d is too few (minimum 1)", f.Matches)
			}
			if f.Length < 1 || f.Length > match.MaxLength {
				return cmdline.Usagef("--length: %d is not a match length (1 to %d)", f.Length, match.MaxLength)
			}
			if err := cmdline.WantFolder("--archive", f.Archive); err != nil {
				return err
			}
			f.Find = func(name string) (preset.Preset, error) { return engineflags.FindPreset("--preset", name, config) }
			f.Terminal = cmdline.IsTerminal(cmd.OutOrStdout())
			err := demo.Run(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
			if errors.Is(err, demo.ErrInterrupted) {
				return cmdline.ErrInterrupted
			}
			if errors.Is(err, demo.ErrProtocol) {
				return cmdline.Usagef("--protocol: %w", err)
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&f.Matches, "matches", 1, "number of matches")
	fl.IntVar(&f.Length, "length", 3, "match length in points, 1 to 99")
	fl.StringVar(&f.Archive, "archive", filepath.Join("logs", "archive"), "archive folder")
	fl.Uint64Var(&f.Seed, "seed", 0, "seed of the dice; the same seed gives the same matches (0: random)")
	fl.BoolVar(&f.Fast, "fast", false, "play at full speed")
	fl.StringVar(&f.Protocol, "protocol", demo.Protocols()[0], "protocol of the embedded server: "+strings.Join(demo.Protocols(), ", "))
	fl.BoolVar(&f.Chaos, "chaos", false, "damage the connections: breaks, delays, split and glued lines")
	fl.StringVar(&f.Preset, "preset", "", "strength of both bots (default worldclass, with --fast expert)")
	engineflags.AddPresets(cmd, &config)
	return cmd
}
