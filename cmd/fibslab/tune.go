package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/tune"
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
	cmd.AddCommand(newTuneMeasureCmd(), newTuneImportCmd(), newTuneMergeCmd(), newTuneReportCmd(), newTuneCheckCmd(), newTuneGateCmd())
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
	cmd.AddCommand(newBenchNetsCmd(), newBenchCubeCmd(), newBenchRacesCmd(), newBenchEfficiencyCmd())
	return cmd
}

// readSurface reads a table of strength; "" means the one in the program.
func readSurface(path string) (*tune.Surface, error) {
	if path == "" {
		return tune.Measured()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, cmdline.AsUsage(fmt.Errorf("--table: %w", err))
	}
	s, err := tune.ReadSurface(data)
	if err != nil {
		return nil, cmdline.AsUsage(fmt.Errorf("--table: %s: %w", path, err))
	}
	return s, nil
}
