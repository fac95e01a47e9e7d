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
		Long: `Tries every --net CLASS=CHECKPOINT instead of the net of --base and keeps it if the whole
set then loses less on one half of the decisions. The gain is reported on the other half,
which does not choose. OUT is a weights file of the chosen nets. The decisions are the plays of
train truth that are not reserved for releases.`,
		Example: `  fibslab train choose new.weights --net contact/backgame=back.fit --net crashed=crashed.fit --decisions held.jsonl`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := c.Choose(args[0])
			if err != nil {
				return err
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
	f.StringVar(&c.Decisions, "decisions", "", "file of train truth (default the set in the program)")
	f.StringVar(&c.Manifest.Name, "name", "fibsbot", "name in the manifest")
	f.StringArrayVar(&c.Manifest.History, "history", nil, "a line to add to the training history, may be repeated")
	f.Var(bounded.Of(&c.Sigmas, 0, 0, 100), "sigmas", "standard errors by which a net must be better")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
