package main

import "github.com/spf13/cobra"

func newTuneCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "tune", Short: "Measure strength in rating points, and play at a wanted rating",
		Example: "  fibsbot tune measure --plan presets", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newTuneMeasureCmd())
	return cmd
}
