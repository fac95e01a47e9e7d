package main

import (
	"fmt"
	"io"

	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/internal/cmdline"

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

// newTrainNetsCmd shows the contents of a weights file.
func newTrainNetsCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "nets [FILE]",
		Short: "Show the nets of a weights file: shapes, numbers, history, figures",
		Long: `Shows the nets of a weights file, without FILE those in the program: their shapes, the
range of their numbers, units that hardly matter, how they were made, and the figures of
bench nets.`,
		Example: `  fibslab train nets
  fibslab train nets new.weights --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := ""
			if len(args) > 0 {
				file = args[0]
			}
			r, err := pipeline.Inspect(file)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			if asJSON {
				return cmdline.PrintJSON(cmd.OutOrStdout(), r)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), r.Text())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
