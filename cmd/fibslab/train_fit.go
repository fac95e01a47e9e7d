package main

import (
	"context"
	"errors"
	"fmt"

	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"

	"github.com/spf13/cobra"
)

// newTrainFitCmd fits one net to labelled positions.
func newTrainFitCmd() *cobra.Command {
	var f pipeline.FitRun
	var kind string
	cmd := &cobra.Command{
		Use:   "fit CHECKPOINT",
		Short: "Fit a net to labelled positions",
		Long: `Fits one net (contact or race) by mini-batches: Adam, a cosine learning rate, a
running average of the weights, which is kept and measured. CHECKPOINT is written every
minute; the same command resumes it.

--data FILE=SHARE may be repeated; shares are relative, not counts. Positions of a
--valid file, and those by which bench nets measures, are left out of the data.`,
		Example: `  fibslab train fit contact.fit --data a/sp-contact.grp=2 --data b/sp-contact.grp=1 --valid valid.grp.gz --millions 100
  fibslab train fit fine.fit --start contact.fit --rate 3e-4 --data train.grp --valid valid.grp.gz
  fibslab train fit back.fit --class contact/backgame --start weights/fibsbot.weights:contact/backgame --data sp-contact-backgame.grp
  fibslab train fit race.fit --kind race --hidden 64 --data sp-race.grp`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Shape.Kind, f.Checkpoint = train.Kind(kind), args[0]
			bar := cmdline.Bar(cmd)
			f.Out, f.Err = bar.Above(cmd.OutOrStdout()), cmd.ErrOrStderr()
			f.Progress = func(done int) { bar.Show("samples", done, f.Samples) }
			err := f.Run(cmd.Context())
			bar.Clear()
			if errors.Is(err, context.Canceled) {
				fmt.Fprintf(cmd.ErrOrStderr(), "stopped; the same command resumes %s\n", args[0])
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&kind, "kind", "contact", "positions and inputs: contact or race")
	fl.StringVar(&f.Class, "class", "", "class of the net: contact, contact/PLAN, crashed or crashed-theirs (default all)")
	fl.IntVar(&f.Shape.Hidden, "hidden", 256, "units of the first layer, a multiple of 32")
	fl.IntVar(&f.Shape.Second, "second", 0, "units of a second layer: 0 or 32")
	fl.StringVar(&f.Shape.Activation, "activation", "softsign", "softsign, clipped or squared-clipped")
	fl.Var(bounded.Of(&f.Millions, 50, 1e-6, 1e9), "millions", "length of the run in million samples")
	fl.Var(bounded.Of(&f.Every, 5, 1e-6, 1e9), "report", "million samples between reports")
	fl.Var(bounded.Of(&f.Batch, 256, 1, 1<<20), "batch", "samples a step")
	fl.Var(bounded.Of(&f.Rate, 2e-3, 0, 1), "rate", "highest learning rate")
	fl.Var(bounded.Of(&f.EndRate, 2e-5, 0, 1), "end-rate", "learning rate at the end")
	fl.Var(bounded.Of(&f.Threads, 1, 1, 1024), "threads", "threads, each on its own copy between averagings")
	fl.Var(bounded.Of(&f.Sync, 16, 1, 1<<20), "sync", "batches a thread takes between averagings")
	fl.Uint64Var(&f.Seed, "seed", 1, "seed of the first weights and the order of the samples")
	fl.BoolVar(&f.Last, "last", false, "fit the last layer alone")
	fl.StringArrayVar(&f.Data, "data", nil, "record file, =share may follow")
	fl.StringArrayVar(&f.Valid, "valid", nil, "record file to measure on")
	fl.StringArrayVar(&f.Exclude, "exclude", nil, "record file whose positions are left out")
	fl.StringVar(&f.Start, "start", "", "first weights: a checkpoint, FILE.weights:CLASS or embedded:CLASS")
	return cmd
}
