package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/cubefit"
	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/fibslab/internal/prunefit"
	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"
	"fibsbot/weights"
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
			f.Shape.Kind, f.Shape.Activation, f.Checkpoint = train.Kind(kind), nn.Activation, args[0]
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
			return cmdline.AsUsage(train.Pack(args[0], m, files, coarse))
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
	f.StringVar(&c.Decisions, "decisions", "", "file of train truth, or a set in the program: truth, disputed (default truth)")
	f.StringVar(&c.Manifest.Name, "name", "fibsbot", "name in the manifest")
	f.StringArrayVar(&c.Manifest.History, "history", nil, "a line to add to the training history, may be repeated")
	f.Var(bounded.Of(&c.Sigmas, 0, 0, 100), "sigmas", "standard errors by which a net must be better")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// newTrainSmallCmd fits and measures the small net of the search.
func newTrainSmallCmd() *cobra.Command {
	var (
		f           prunefit.Fit
		full, start string
		measure     bool
	)
	cmd := &cobra.Command{
		Use:   "small FILE",
		Short: "Fit or measure the small net that prunes replies inside searches",
		Long: `Plays games with the static evaluation and fits the small net to the full net's values
of all plays of each roll. FILE is written now and then and at the end. With --measure
nothing is fitted: FILE is read. Both print what the shortlist keeps and loses.`,
		Example: `  fibslab train small small.bin --start engine/search/small.bin --plans 0.5 --temperature 0.015 --rolls 5000000 --rate 8e-4 --seed 9
  fibslab train small engine/search/small.bin --measure --plans 1`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := weights.Load(full)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			model, err := eval.NewModel(set, nil)
			if err != nil {
				return err
			}
			file := start
			if measure {
				file = args[0]
			}
			if file != "" {
				if f.Start, err = prunefit.Read(file); err != nil {
					return cmdline.Usagef("%s: %w", file, err)
				}
			}
			net := f.Start
			if !measure {
				if err := cmdline.WantParent("FILE", args[0]); err != nil {
					return err
				}
				f.Progress = func(rolls int, divergence float64) {
					fmt.Fprintf(cmd.ErrOrStderr(), "%d rolls: divergence %.4f\n", rolls, divergence)
				}
				if net, err = f.Run(cmd.Context(), model, args[0]); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), prunefit.Measure(model, net, cmp.Or(f.Seed, 1), f.Plans))
			return err
		},
	}
	fl := cmd.Flags()
	fl.Var(bounded.Of(&f.Rolls, 3000000, 1, 1<<31-1), "rolls", "rolls to learn from")
	fl.StringVar(&full, "weights", "", "weights file of the full nets (default the nets in the program)")
	fl.Uint64Var(&f.Seed, "seed", 1, "seed of weights and dice")
	fl.Var(bounded.Of(&f.Rate, 2.5e-3, 1e-9, 1), "rate", "highest learning rate")
	fl.StringVar(&start, "start", "", "small net to continue from (default random weights)")
	fl.Var(bounded.Of(&f.Temperature, 0.05, 1e-9, 1e3), "temperature", "temperature of the softmax over a roll's plays, in points")
	fl.Var(bounded.Of(&f.Plans, 0, 0, 1), "plans", "share of games that begin at boards of game plans")
	fl.BoolVar(&measure, "measure", false, "measure FILE without fitting")
	return cmd
}

// newTrainCubeCmd makes the net of cube efficiencies.
func newTrainCubeCmd() *cobra.Command {
	var (
		out  string
		n    int
		opts = engine.Options{Threads: 1, CacheMB: 64}
		m    cubefit.Maker
		fit  cubefit.Fit
	)
	cmd := &cobra.Command{
		Use:   "cube LABELS",
		Short: "Label cube efficiencies by 2-ply searches and fit their net",
		Long: `Draws positions of contact from self-play, values each with the cube in several spots by a 2-ply
search, in money play and at scores, and appends them to LABELS as lines of JSON.
--fit draws nothing: it fits the net to LABELS and writes it to a file.`,
		Example: `  fibslab train cube cube.jsonl --positions 100000
  fibslab train cube cube.jsonl --fit engine/cube/efficiency.bin`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if out != "" {
				ls, err := cubefit.Read(args[0])
				if err != nil {
					return cmdline.AsUsage(err)
				}
				fit.Table, fit.Out = match.DefaultTable(), cmd.OutOrStdout()
				net, err := fit.Run(ls)
				if err != nil {
					return err
				}
				return atomicfile.WriteBytes(out, 0o644, net.Append(nil))
			}
			if m.Hidden, err = hidden(); err != nil {
				return err
			}
			if m.Engine, err = engine.Open(opts); err != nil {
				return cmdline.AsUsage(err)
			}
			defer m.Engine.Close()
			f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			defer f.Close()
			show := cmdline.Progress(cmd.ErrOrStderr())
			if err := m.Make(cmd.Context(), f, 0, n, func(done int) { show("labels", done, n) }); err != nil {
				return fmt.Errorf("train cube: %w", err)
			}
			return f.Sync()
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&out, "fit", "", "draw nothing; file for the net fitted to LABELS")
	fl.Var(bounded.Of(&n, 100_000, 1, 10_000_000), "positions", "positions to label")
	fl.Var(bounded.Of(&m.Plies, 2, 0, 3), "plies", "depth of the search")
	fl.Uint64Var(&m.Seed, "seed", 1, "seed of games, scores and first weights")
	fl.IntVar(&fit.Epochs, "epochs", 12, "passes over the labels")
	fl.Float64Var(&fit.Rate, "rate", 2e-3, "highest learning rate")
	fl.StringVar(&opts.Weights, "weights", "", "weights file (default the embedded one)")
	return cmd
}

// hidden returns the positions of all yardsticks.
func hidden() (train.KeySet, error) {
	s := train.KeySet{}
	for _, set := range reference.Sets {
		ds, err := reference.Load(set)
		if err != nil {
			return nil, err
		}
		for i := range ds {
			p, err := board.ParseID(ds[i].Position)
			if err != nil {
				return nil, err
			}
			s.Add(p.Key())
		}
	}
	return s, families.Hide(s)
}
