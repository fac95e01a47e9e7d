package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/device"
	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"
	"fibsbot/weights"
)

// newDeviceCmd is `fibslab device`: what training on a graphics processor asks of the program.
func newDeviceCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "device",
		Short: "Positions and weights for training on a graphics processor",
		Long: `What cmd/fibslab/internal/device/selfplay.py asks of the program (docs/training.md, "On a
device"): positions of its own play to begin with, its nets as plain numbers and back.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return mistake{fmt.Errorf("device: unknown command %q (see fibslab device --help)", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var name string
	var share float64
	back := command("import IN OUT", "Make a weights file of the nets that were fitted", 2, func(cmd *cobra.Command, args []string) error {
		if !(share > 0 && share <= 1) {
			return mistake{fmt.Errorf("device import: --share %v: want above 0, up to 1", share)}
		}
		set, err := weights.Embedded()
		if err != nil {
			return err
		}
		in, err := os.Open(args[0])
		if err != nil {
			return mistake{err}
		}
		defer in.Close()
		data, err := device.Import(set, name, share, in)
		if errors.Is(err, device.ErrFile) || errors.Is(err, nn.ErrBadWeights) {
			return mistake{fmt.Errorf("device import: %s: %w", args[0], err)}
		}
		if err != nil {
			return err
		}
		return atomicfile.WriteBytes(args[1], 0o644, data)
	})
	back.Flags().StringVar(&name, "name", "fibsbot", "name in the manifest")
	back.Flags().Float64Var(&share, "share", 1, "what the new nets count in the mean with those of the program")
	cmd.AddCommand(
		command("positions SEED NUMBER OUT", "Write positions of the program's own play, with its judgement", 3, func(cmd *cobra.Command, args []string) error {
			seed, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil {
				return mistake{fmt.Errorf("device positions: %.40q is not a seed (use a number from 0)", args[0])}
			}
			n, err := strconv.Atoi(args[1])
			if err != nil || n < 1 {
				return mistake{fmt.Errorf("device positions: %.40q is not a number of positions (use 1 or more)", args[1])}
			}
			return writing(args[2], func(w io.Writer) error { return device.Positions(cmd.Context(), seed, n, w) })
		}),
		command("export OUT", "Write the nets of the program as plain numbers", 1, func(_ *cobra.Command, args []string) error {
			set, err := weights.Embedded()
			if err != nil {
				return err
			}
			return writing(args[0], func(w io.Writer) error { return device.Export(set, w) })
		}),
		back,
	)
	return cmd
}

// command is a command with so many arguments.
func command(use, short string, args int, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, RunE: run, Args: func(cmd *cobra.Command, given []string) error {
		if len(given) != args {
			return mistake{fmt.Errorf("want `%s`, got %d arguments", cmd.CommandPath()+cmd.Use[len(cmd.Name()):], len(given))}
		}
		return nil
	}}
}

// writing makes a file of what write writes; it is there when it is whole.
func writing(path string, write func(w io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return mistake{err}
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path) // the error is what is to be told
		}
	}()
	return write(f)
}
