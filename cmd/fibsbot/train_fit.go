package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"fibsbot/engine/eval"
	"fibsbot/engine/train"

	"github.com/spf13/cobra"
)

// newTrainFitCmd fits one net to labelled positions.
func newTrainFitCmd() *cobra.Command {
	var (
		fit                    train.Fit
		kind, start, decisions string
		race, class            string
		data, valid, exclude   []string
		millions, every        float64
	)
	cmd := &cobra.Command{
		Use:   "fit CHECKPOINT",
		Short: "Fit a net to labelled positions",
		Long: `Fits one net (contact or race) by mini-batches: Adam, a cosine learning rate, a
running average of the weights, which is what is kept and measured. CHECKPOINT is
written every minute; started again with the same arguments the run goes on.

--data FILE=SHARE may be repeated; shares are relative, not counts. Positions that
occur in a --valid or --decisions file are left out of the data.`,
		Example: `  fibsbot train fit contact.fit --data sp-natural.bin=2 --data sp-backgame.bin=1 --valid valid.bin.gz --millions 100
  fibsbot train fit fine.fit --start contact.fit --rate 3e-4 --data train.bin.gz --valid valid.bin.gz
  fibsbot train fit race.fit --kind race --hidden 64 --data sp-race.bin`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			fit.Shape.Kind = train.Kind(kind)
			fit.Samples, fit.ReportEvery = int(millions*1e6), int(every*1e6)
			fit.WarmUp = min(200000, fit.Samples/20)
			fit.Checkpoint, fit.CheckEvery = args[0], time.Minute
			keep := fit.Shape.Kind.Keep
			switch class {
			case "":
			case "crashed":
				keep = func(r []train.Record) []train.Record { return train.KeepClass(r, eval.Crashed) }
			case "contact":
				keep = func(r []train.Record) []train.Record { return train.KeepClass(r, eval.Contact) }
			default:
				return usagef("unknown --class %q, want contact or crashed", class)
			}
			var sets []train.Source
			hidden := train.NewKeySet(1 << 16)
			for _, path := range append(append([]string(nil), valid...), exclude...) {
				recs, err := train.ReadRecords(nil, path)
				if err != nil {
					return usagef("%v", err)
				}
				for i := range recs {
					hidden.Add(recs[i].Key)
				}
				sets = append(sets, train.Source{Name: path, Records: keep(recs)})
			}
			sets = sets[:len(valid)]
			var bench []train.Decision
			if decisions != "" {
				var err error
				if bench, err = train.ReadDecisions(decisions); err != nil {
					return usagef("%v", err)
				}
				for i := range bench {
					for _, c := range bench[i].Candidates {
						hidden.Add(c.Key)
					}
				}
			}
			for _, arg := range data {
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
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d positions, share %g\n", path, len(recs), share)
				fit.Sources = append(fit.Sources, &train.Source{Name: path, Records: recs, Share: share})
			}
			if len(fit.Sources) == 0 {
				return usagef("no --data with positions of kind %s", kind)
			}
			if start != "" {
				shape, p, err := train.LoadParams(start)
				if err != nil {
					return usagef("%v", err)
				}
				if err := fit.StartFrom(shape, p); err != nil {
					return usagef("%v", err)
				}
			}
			var raceNet *train.Probe
			if race != "" {
				shape, p, err := train.LoadParams(race)
				if err != nil {
					return usagef("%v", err)
				}
				raceNet = train.NewProbe(shape, p)
			}
			fit.Report = fitReport(cmd.OutOrStdout(), sets, bench, raceNet)
			_, err := fit.Run(ctx)
			if errors.Is(err, context.Canceled) {
				fmt.Fprintf(cmd.ErrOrStderr(), "stopped; %s goes on from here\n", args[0])
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", "contact", "which positions and inputs: contact or race")
	f.StringVar(&class, "class", "", "only positions of the class contact or crashed (default both)")
	f.IntVar(&fit.Shape.Hidden, "hidden", 256, "units of the first layer, a multiple of 32")
	f.IntVar(&fit.Shape.Second, "second", 0, "units of a second layer: 0 or 32")
	f.StringVar(&fit.Shape.Activation, "activation", "softsign", "softsign, clipped or squared-clipped")
	f.Float64Var(&millions, "millions", 50, "length of the run in million samples")
	f.Float64Var(&every, "report", 5, "million samples between reports")
	f.IntVar(&fit.Batch, "batch", 256, "samples a step")
	f.Float64Var(&fit.Rate, "rate", 2e-3, "highest learning rate")
	f.Float64Var(&fit.EndRate, "end-rate", 2e-5, "learning rate at the end")
	f.Float64Var(&fit.Decay, "decay", 0, "weight decay")
	f.IntVar(&fit.Threads, "threads", 1, "threads, each on its own copy between averagings")
	f.IntVar(&fit.Sync, "sync", 16, "batches a thread takes between averagings")
	f.Uint64Var(&fit.Seed, "seed", 1, "seed of the first weights and the order of the samples")
	f.StringArrayVar(&data, "data", nil, "record file, =share may follow")
	f.StringArrayVar(&valid, "valid", nil, "record file to measure on")
	f.StringArrayVar(&exclude, "exclude", nil, "record file whose positions are left out")
	f.StringVar(&decisions, "decisions", "", "decision file to measure on")
	f.StringVar(&start, "start", "", "checkpoint whose weights to begin with")
	f.StringVar(&race, "race", "", "checkpoint of a race net, for measuring decisions")
	return cmd
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
