package main

import (
	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/chart"
)

func newTuneReportCmd() *cobra.Command {
	var chartFile string
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "report",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmdline.WantParent("--chart", chartFile); err != nil {
				return err
			}
			surface, err := tune.Measured()
			if err != nil {
				return err
			}
			if chartFile != "" {
				if err := chart.WriteFile(chartFile, surface); err != nil {
					return cmdline.AsUsage(err)
				}
			}
			if asJSON {
				return cmdline.PrintJSON(cmd.OutOrStdout(), surface.Table)
			}
			return surface.Print(cmd.OutOrStdout())
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&chartFile, "chart", "", "draw rating against error, as .svg or .png")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
