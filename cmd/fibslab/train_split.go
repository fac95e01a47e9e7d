package main

import (
	"fmt"

	"fibsbot/cmd/fibslab/internal/pipeline"

	"github.com/spf13/cobra"
)

// newTrainSplitCmd splits positions by the nets that judge them.
func newTrainSplitCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "split FOLDER FILE...",
		Short: "Split labelled positions by the net that judges them",
		Long: `Writes the positions of all FILEs into one file for each class of net, FOLDER/CLASS.grp
(contact-backgame.grp and so on). Reading the file of a class takes a fraction of the
time that "fit --class" takes to choose from all.`,
		Example: `  fibslab train split classes sp-natural.grp sp-backgame.grp`,
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return asOptions(pipeline.Split(args[0], args[1:], func(class string, n int) error {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d positions\n", pipeline.ClassFile(class), n)
				return err
			}))
		},
	}
}
