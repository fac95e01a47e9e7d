package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/engine/train"

	"github.com/spf13/cobra"
)

// fitFlags are the flags of `train fit`.
type fitFlags struct {
	fit                  train.Fit
	kind, class          string
	millions, every      float64 // samples
	data, valid, exclude []string
	decisions            string
	start, race          string // checkpoints
}

// newTrainFitCmd fits one net to labelled positions.
func newTrainFitCmd() *cobra.Command {
	var f fitFlags
	cmd := &cobra.Command{
		Use:   "fit CHECKPOINT",
		Short: "Fit a net to labelled positions",
		Long: `Fits one net (contact or race) by mini-batches: Adam, a cosine learning rate, a
running average of the weights, which is what is kept and measured. CHECKPOINT is
written every minute; started again with the same arguments the run goes on.

--data FILE=SHARE may be repeated; shares are relative, not counts. Positions that
occur in a --valid or --decisions file, or in what bench nets measures by, are left
out of the data.`,
		Example: `  fibsbot train fit contact.fit --data sp-natural.bin=2 --data sp-backgame.bin=1 --valid valid.bin.gz --millions 100
  fibsbot train fit fine.fit --start contact.fit --rate 3e-4 --data train.bin.gz --valid valid.bin.gz
  fibsbot train fit back.fit --class contact/backgame --start weights/fibsbot.weights:contact --together 0.33 --data sp-backgame.grp
  fibsbot train fit race.fit --kind race --hidden 64 --data sp-race.bin`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.kind, "kind", "contact", "which positions and inputs: contact or race")
	fl.StringVar(&f.class, "class", "", "only positions of one net: contact, crashed, or a plan of contact as contact/backgame (default all)")
	fl.IntVar(&f.fit.Shape.Hidden, "hidden", 256, "units of the first layer, a multiple of 32")
	fl.IntVar(&f.fit.Shape.Second, "second", 0, "units of a second layer: 0 or 32")
	fl.StringVar(&f.fit.Shape.Activation, "activation", "softsign", "softsign, clipped or squared-clipped")
	fl.Float64Var(&f.millions, "millions", 50, "length of the run in million samples")
	fl.Float64Var(&f.every, "report", 5, "million samples between reports")
	fl.IntVar(&f.fit.Batch, "batch", 256, "samples a step")
	fl.Float64Var(&f.fit.Rate, "rate", 2e-3, "highest learning rate")
	fl.Float64Var(&f.fit.EndRate, "end-rate", 2e-5, "learning rate at the end")
	fl.Float64Var(&f.fit.Decay, "decay", 0, "weight decay")
	fl.IntVar(&f.fit.Threads, "threads", 1, "threads, each on its own copy between averagings")
	fl.IntVar(&f.fit.Sync, "sync", 16, "batches a thread takes between averagings")
	fl.Uint64Var(&f.fit.Seed, "seed", 1, "seed of the first weights and the order of the samples")
	fl.Float64Var(&f.fit.Together, "together", 0, "last part of the run in which siblings are drawn together, 0 to 1")
	fl.Float64Var(&f.fit.Differences, "differences", 4, "weight of the differences between siblings in that part")
	fl.StringArrayVar(&f.data, "data", nil, "record file, =share may follow")
	fl.StringArrayVar(&f.valid, "valid", nil, "record file to measure on")
	fl.StringArrayVar(&f.exclude, "exclude", nil, "record file whose positions are left out")
	fl.StringVar(&f.decisions, "decisions", "", "decision file to measure on")
	fl.StringVar(&f.start, "start", "", "weights to begin with: a checkpoint, or FILE.weights:CLASS, one net of a weights file")
	fl.StringVar(&f.race, "race", "", "checkpoint of a race net, for measuring decisions")
	return cmd
}

// run fits until the samples are used up or the user interrupts.
func (f *fitFlags) run(cmd *cobra.Command, checkpoint string) error {
	f.fit.Shape.Kind = train.Kind(f.kind)
	f.fit.Samples, f.fit.ReportEvery = int(f.millions*1e6), int(f.every*1e6)
	f.fit.WarmUp = min(200000, f.fit.Samples/20)
	f.fit.Checkpoint, f.fit.CheckEvery = checkpoint, time.Minute
	keep, err := f.keep()
	if err != nil {
		return err
	}
	hidden := train.NewKeySet(1 << 18)
	if err := train.HideBench(hidden); err != nil {
		return err
	}
	sets, err := f.readValid(keep, hidden)
	if err != nil {
		return err
	}
	bench, err := f.readDecisions(hidden)
	if err != nil {
		return err
	}
	if err := f.readData(keep, hidden, cmd.ErrOrStderr()); err != nil {
		return err
	}
	if f.start != "" {
		shape, p, err := train.LoadStart(f.start)
		if err != nil {
			return usagef("%v", err)
		}
		if err := f.fit.StartFrom(shape, p); err != nil {
			return usagef("%v", err)
		}
	}
	var raceNet *train.Probe
	if f.race != "" {
		shape, p, err := train.LoadParams(f.race)
		if err != nil {
			return usagef("%v", err)
		}
		raceNet = train.NewProbe(shape, p)
	}
	f.fit.Report = fitReport(cmd.OutOrStdout(), sets, bench, raceNet)
	_, err = f.fit.Run(cmd.Context())
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(cmd.ErrOrStderr(), "stopped; %s goes on from here\n", checkpoint)
	}
	return err
}

// keep returns what chooses, of the records read, those that --kind and --class
// ask for.
func (f *fitFlags) keep() (func([]train.Record) []train.Record, error) {
	if f.class == "" {
		return f.fit.Shape.Kind.Keep, nil
	}
	if _, err := train.KeepClass(nil, f.class); err != nil {
		return nil, usagef("--class: %v", err)
	}
	return func(r []train.Record) []train.Record {
		r, _ = train.KeepClass(r, f.class)
		return r
	}, nil
}

// readValid reads the sets to measure on. All positions of them and of the
// --exclude files are added to hidden, not only those kept.
func (f *fitFlags) readValid(keep func([]train.Record) []train.Record, hidden *train.KeySet) ([]train.Source, error) {
	var sets []train.Source
	for i, path := range slices.Concat(f.valid, f.exclude) {
		recs, err := train.ReadRecords(nil, path)
		if err != nil {
			return nil, usagef("%v", err)
		}
		for k := range recs {
			hidden.Add(recs[k].Key)
		}
		if i < len(f.valid) {
			sets = append(sets, train.Source{Name: path, Records: keep(recs)})
		}
	}
	return sets, nil
}

// readDecisions reads the decisions to measure on, none without --decisions, and
// adds the positions that they lead to to hidden.
func (f *fitFlags) readDecisions(hidden *train.KeySet) ([]train.Decision, error) {
	if f.decisions == "" {
		return nil, nil
	}
	bench, err := train.ReadDecisions(f.decisions)
	if err != nil {
		return nil, usagef("%v", err)
	}
	for i := range bench {
		for _, c := range bench[i].Candidates {
			hidden.Add(c.Key)
		}
	}
	return bench, nil
}

// readData reads what to learn from, but for the hidden positions, and tells on
// stderr how much there is.
func (f *fitFlags) readData(keep func([]train.Record) []train.Record, hidden *train.KeySet, stderr io.Writer) error {
	for _, arg := range f.data {
		path, text, ok := strings.Cut(arg, "=")
		share := 1.0
		if ok {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(x > 0) {
				return usagef("bad share in --data %q", arg)
			}
			share = x
		}
		recs, err := train.ReadRecords(nil, path)
		if err != nil {
			return usagef("%v", err)
		}
		recs = hidden.Without(keep(recs))
		if len(recs) == 0 {
			continue
		}
		fmt.Fprintf(stderr, "%s: %d positions, share %g\n", path, len(recs), share)
		f.fit.Sources = append(f.fit.Sources, &train.Source{Name: path, Records: recs, Share: share})
	}
	if len(f.fit.Sources) == 0 {
		return usagef("no --data with positions of kind %s", f.kind)
	}
	return nil
}

// fitReport prints one line of figures a report.
func fitReport(w io.Writer, sets []train.Source, bench []train.Decision, race *train.Probe) func(*train.Fit, int, float64, float64, train.Params) error {
	begin := time.Now()
	return func(f *train.Fit, done int, loss, rate float64, avg train.Params) error {
		probe := train.NewProbe(f.Shape, avg)
		probe.Race = race
		fmt.Fprintf(w, "%s %.1fM loss %.5f %.0fk/s", time.Since(begin).Round(time.Second), float64(done)/1e6, loss, rate/1e3)
		for _, s := range sets {
			e := train.MeasureErrors(s.Records, probe)
			fmt.Fprintf(w, " | %.5f win %.5f ce %.5f", e.Equity, e.Win, e.Entropy)
		}
		for i, l := range train.MeasureDecisions(bench, probe) {
			if i == 0 {
				fmt.Fprintf(w, " | mp %.2f (gnubg %.2f)", l.Mean, l.Teacher)
			} else {
				fmt.Fprintf(w, " %s %.1f/%.1f", l.Tag, l.Mean, l.Teacher)
			}
		}
		_, err := fmt.Fprintln(w)
		return err
	}
}
