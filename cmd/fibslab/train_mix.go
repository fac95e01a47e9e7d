package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/internal/cmdline"

	"github.com/spf13/cobra"
)

// newTrainMixCmd mixes cheap labels with the judgement of nets.
func newTrainMixCmd() *cobra.Command {
	var (
		judges  pipeline.Panel
		share   float64
		threads int
	)
	cmd := &cobra.Command{
		Use:   "mix IN OUT",
		Short: "Blend cheap labels with nets fitted to expensive ones",
		Long: `Moves every label of IN towards the mean judgement of the given nets. The errors of a
quick teacher and of a net fitted to the few labels of a slow one have little in
common: their mean is nearer to the slow teacher than either, also where that has no
labels. Several nets are an ensemble, which a fit to OUT distils.`,
		Example: `  fibslab train mix sp-natural.bin mixed-natural.bin --net fine1.fit --net fine2.fit --share 0.6
  fibslab train mix sp-natural.grp mixed-natural.grp --weights embedded --share 0.5`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			for i, file := range judges.Weights {
				judges.Weights[i] = strings.TrimPrefix(file, "embedded")
			}
			n, left, err := pipeline.Mix(args[0], args[1], judges, share, threads)
			if err != nil {
				return asOptions(err)
			}
			if left > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "%d positions of another kind than the nets' left out\n", left)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d positions\n", n)
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&judges.Nets, "net", nil, "checkpoint of a net, may be repeated")
	f.StringArrayVar(&judges.Weights, "weights", nil, "weights file that counts as one net, or embedded; may be repeated")
	f.Float64Var(&share, "share", 0.5, "weight of the nets' mean in the new label")
	f.IntVar(&threads, "threads", 1, "threads")
	return cmd
}

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

// newTrainSampleCmd draws decisions for expensive labels.
func newTrainSampleCmd() *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "sample IN OUT NUMBER",
		Short: "Draw whole decisions from labelled positions",
		Long: `Writes NUMBER positions of IN to OUT, drawn at random: only siblings, and all of a
decision that are in IN, so that expensive labels separate the choices of a decision.`,
		Example: `  fibslab train sample classes/contact-backgame.grp hard.grp 200000`,
		Args:    cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[2])
			if err != nil || n < 2 {
				return cmdline.Usagef("%q is not a number of positions (use 2 or more)", args[2])
			}
			if n, err = pipeline.Sample(args[0], args[1], n, seed); err != nil {
				return asOptions(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d positions\n", n)
			return err
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the draw")
	return cmd
}

// newTrainTextCmd converts records to text and back.
func newTrainTextCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "text IN OUT",
		Short: "Convert labelled positions to text, or text to labelled positions",
		Long: `Writes the positions of IN to OUT: as text if OUT ends in .txt or is -, and from text
if IN ends in .txt. A line is a Position ID (the player on roll has not rolled), the
chances to win, win a gammon, win a backgammon, lose a gammon and lose a backgammon, and
the number of the decision that the position is a play of (.grp files keep it).`,
		Example: `  fibslab train text own.grp own.txt
  fibslab train text own.txt again.grp
  fibslab train text own.grp - | head`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return asOptions(pipeline.Text(args[0], args[1], cmd.OutOrStdout()))
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
