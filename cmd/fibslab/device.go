package main

import (
	"errors"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/device"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"
	"fibsbot/weights"
)

// newDeviceCmd is `fibslab device`: commands for training on a graphics processor.
func newDeviceCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "device",
		Short: "Exchange positions and weights with training on a graphics processor",
		Long: `Commands for cmd/fibslab/internal/device/selfplay.py (docs/training.md, "On a device"):
positions of the program's own play to begin with, its nets as plain numbers and back.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var name string
	var share float64
	back := command("import IN OUT", "Make a weights file of the fitted nets", 2, func(cmd *cobra.Command, args []string) error {
		if !(share > 0 && share <= 1) {
			return cmdline.Usagef("device import: --share %v: not above 0 and at most 1", share)
		}
		set, err := weights.Embedded()
		if err != nil {
			return err
		}
		in, err := os.Open(args[0])
		if err != nil {
			return cmdline.AsUsage(err)
		}
		defer in.Close()
		data, err := device.Import(set, name, share, in)
		if errors.Is(err, device.ErrFile) || errors.Is(err, nn.ErrBadWeights) {
			return cmdline.Usagef("device import: %s: %w", args[0], err)
		}
		if err != nil {
			return err
		}
		return atomicfile.WriteBytes(args[1], 0o644, data)
	})
	back.Flags().StringVar(&name, "name", "fibsbot", "name in the manifest")
	back.Flags().Float64Var(&share, "share", 1, "weight of the new nets in the mean with those of the program")
	cmd.AddCommand(
		command("positions SEED NUMBER OUT", "Write positions of the program's own play, with its judgement", 3, func(cmd *cobra.Command, args []string) error {
			seed, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil {
				return cmdline.Usagef("device positions: %.40q is not a seed (use a number from 0)", args[0])
			}
			n, err := strconv.Atoi(args[1])
			if err != nil || n < 1 {
				return cmdline.Usagef("device positions: %.40q is not a number of positions (use 1 or more)", args[1])
			}
			return cmdline.WriteOutput(args[2], func(w io.Writer) error { return device.Positions(cmd.Context(), seed, n, w) })
		}),
		command("export OUT", "Write the nets of the program as plain numbers", 1, func(_ *cobra.Command, args []string) error {
			set, err := weights.Embedded()
			if err != nil {
				return err
			}
			return cmdline.WriteOutput(args[0], func(w io.Writer) error { return device.Export(set, w) })
		}),
		back,
	)
	return cmd
}

// command is a command with so many arguments.
func command(use, short string, args int, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, RunE: run, Args: cobra.ExactArgs(args)}
}
