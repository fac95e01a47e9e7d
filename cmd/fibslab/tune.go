package main

import (
	"github.com/spf13/cobra"
)

// newTuneCmd is `fibslab tune`: how strong settings are.
func newTuneCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "tune",
		Short:   "Measure how strong settings play",
		Long:    "Measures the table of strength from which fibsbot tune --target-rating orders settings.",
		Example: "  fibslab tune measure --plan presets --lengths 5 -o presets.results\n  fibslab tune report presets.results --residuals",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Args:    cobra.NoArgs,
	}
	cmd.AddCommand(newTuneMeasureCmd(), newTuneImportCmd(), newTuneMergeCmd(), newTuneReportCmd(), newTuneCheckCmd())
	return cmd
}

// newBenchCmd is `fibslab bench`: how right nets and cube are.
func newBenchCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure how right nets and cube decisions are",
		Long:    "fibsbot bench measures the engine's speed and prints the signature of its play.",
		Example: "  fibslab bench nets\n  fibslab bench cube --preset worldclass",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Args:    cobra.NoArgs,
	}
	cmd.AddCommand(newBenchNetsCmd(), newBenchCubeCmd(), newBenchLabelsCmd(), newBenchFamiliesCmd())
	return cmd
}
