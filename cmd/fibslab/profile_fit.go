package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/profile"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/analyse"
)

// newProfileFitCmd is `fibslab profile fit`: the model of human errors.
func newProfileFitCmd() *cobra.Command {
	var parts engineflags.Engine
	var out string
	cmd := &cobra.Command{
		Use:   "fit FILE...",
		Short: "Fit the model of human errors to match files",
		Long: `Analyses the matches, and fits the model of style human to what their players did: which
plays they overlook, when they double and take. Each player counts at his performance
rating in the match. The file is the program's engine/tune/human/model.json.`,
		Example: `  fibslab profile fit -o model.json matches/*.sgf`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmdline.WantParent("--output", out); err != nil {
				return err
			}
			judge, err := engineflags.FindPreset("judge", "worldclass", "")
			if err != nil {
				return err
			}
			workers := parts.Threads
			parts.Threads = 1 // decisions are judged in parallel
			e, err := parts.Open(cmd, 1)
			if err != nil {
				return err
			}
			defer e.Close()
			analyst := analyse.New(e.RolloutOptions(), judge)
			analyst.Workers, analyst.Skip.Luck = workers, true
			var samples []profile.Sample
			bar := cmdline.Bar(cmd)
			for i, name := range args {
				bar.Show("fit "+name, i, len(args))
				list, err := readMatches(name)
				if err != nil {
					return err
				}
				for _, m := range list {
					counts, err := profile.Judge(cmd.Context(), analyst, m)
					if err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
					two, err := profile.Samples(cmd.Context(), e, m, counts)
					if err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
					samples = append(samples, two[:]...)
				}
			}
			bar.Clear()
			m, err := profile.Fit(samples, func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) })
			if err != nil {
				return cmdline.AsUsage(err)
			}
			return cmdline.WriteOutput(out, func(w io.Writer) error { return cmdline.PrintJSON(w, m) })
		},
	}
	engineflags.AddEngine(cmd, &parts)
	cmd.Flags().StringVarP(&out, "output", "o", "", "file for the model (default stdout)")
	return cmd
}
