package main

import (
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/bench"
)

func newBenchCmd() *cobra.Command {
	var parts engineflags.Engine
	var seconds float64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the engine's speed; print its signature",
		Long: `Measures everything on one thread, in processor time. plays_per_s counts plays of whole
0-ply decisions (generation, inputs, net, choice); decisions_2ply_per_s counts whole
cubeless 2-ply decisions with the normal filter, from natural games. The signature is a
checksum of the plays chosen in fixed positions: it changes only if play changes.`,
		Example: "  fibsbot bench\n  fibsbot bench --json --seconds 3",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
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
			if asJSON {
				return cmdline.PrintJSON(cmd.OutOrStdout(), out)
			}
			return out.Print(cmd.OutOrStdout())
		},
	}
	engineflags.AddEngine(cmd, &parts)
	cmd.Flags().Float64Var(&seconds, "seconds", 1, "seconds to measure each figure")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
