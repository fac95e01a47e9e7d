package main

import (
	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"

	"github.com/spf13/cobra"
)

// newTrainChooseCmd gates nets class by class.
func newTrainChooseCmd() *cobra.Command {
	var c pipeline.ChooseRun
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "choose OUT",
		Short: "Gate new nets class by class and pack those that win",
		Long: `Takes the nets of --base and tries every --net CLASS=CHECKPOINT in its place: it stays
when the whole set then gives up less on one half of the decisions. The other half,
which had no part in the choice, tells what that is worth. OUT is a weights file of
what was chosen.`,
		Example: `  fibslab train choose new.weights --net contact/backgame=back.fit --net crashed=crashed.fit --decisions held.bin.gz`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := c.Choose(args[0])
			if err != nil {
				return asOptions(err)
			}
			if asJSON {
				return cmdline.PrintJSON(cmd.OutOrStdout(), r)
			}
			r.Print(cmd.OutOrStdout())
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Base, "base", "", "weights file with the present nets (default those in the program)")
	f.StringArrayVar(&c.Nets, "net", nil, "CLASS=CHECKPOINT, may be repeated")
	f.StringArrayVar(&c.Decisions, "decisions", nil, "file of rated decisions that were not trained on (train decisions), may be repeated")
	f.StringVar(&c.Manifest.Name, "name", "fibsbot", "name in the manifest")
	f.StringArrayVar(&c.Manifest.History, "history", nil, "a line to add to the training history, may be repeated")
	f.Var(bounded.Of(&c.Sigmas, 0, 0, 100), "sigmas", "standard errors by which a net must be better")
	f.BoolVar(&c.Measure, "measure", false, "measure the nets as bench nets does and put the figures into the manifest")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
