package main

import (
	"strings"

	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/engine/nn"

	"github.com/spf13/cobra"
)

// newTrainPackCmd packs checkpoints of fit into a weights file.
func newTrainPackCmd() *cobra.Command {
	var (
		m      nn.Manifest
		base   string
		coarse bool
		nets   []string
	)
	cmd := &cobra.Command{
		Use:   "pack OUT",
		Short: "Write a weights file from the checkpoints of fit",
		Long: `Writes the nets of checkpoints, or FILE.weights:CLASS, into one weights file. With
--base the other nets come from that file.

A class whose name ends in -theirs is the opponent's, the others with such a twin are those of
the player on roll (classes: ` + strings.Join(nn.Classes(), " ") + `).
A class without a net has that of the class from which it was cut: attack of blitz, shutout of
containment, loose of mutual, NAME-deep and NAME-theirs of NAME, all of contact.`,
		Example: `  fibslab train pack new.weights --net contact=contact.fit --net race=race.fit --history "0-ply, 100M samples"
  fibslab train pack new.weights --base weights/fibsbot.weights --net contact/backgame=back.fit --coarse`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := pipeline.NetsOf(base)
			if err == nil {
				err = pipeline.AddNets(files, nets)
			}
			if err != nil {
				return err
			}
			return pipeline.Pack(args[0], m, files, coarse)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&nets, "net", nil, "CLASS=CHECKPOINT, may be repeated")
	f.StringVar(&base, "base", "", "weights file for the nets that are not named")
	f.StringVar(&m.Name, "name", "fibsbot", "name in the manifest")
	f.BoolVar(&coarse, "coarse", false, "round the weights of all nets but that of races, so that the file compresses better")
	f.StringArrayVar(&m.History, "history", nil, "a line of the training history, may be repeated")
	return cmd
}
