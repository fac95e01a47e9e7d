package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
)

// FitRun is a fit with the files it reads and writes.
type FitRun struct {
	train.Fit
	Class                string  // "" is all of the kind
	Millions, Every      float64 // samples in all and between reports
	Data, Valid, Exclude []string
	Start                string // weights as train.LoadStart reads them
	Out, Err             io.Writer
}

// Run fits until the samples are used up or ctx ends, and resumes Checkpoint. Positions of
// Valid and Exclude, and those by which bench nets measures, are left out of the
// data.
func (f *FitRun) Run(ctx context.Context) error {
	if err := f.check(); err != nil {
		return err
	}
	f.Samples, f.ReportEvery = int(f.Millions*1e6), int(f.Every*1e6)
	f.WarmUp = min(200000, f.Samples/20)
	f.CheckEvery = time.Minute
	keep, err := f.keep()
	if err != nil {
		return err
	}
	hidden := train.KeySet{}
	if err := families.Hide(hidden); err != nil {
		return err
	}
	sets, err := f.readValid(keep, hidden)
	if err != nil {
		return err
	}
	if err := f.readData(keep, hidden); err != nil {
		return err
	}
	if f.Start != "" {
		shape, p, err := train.LoadStart(f.Start)
		if err != nil {
			return cmdline.AsUsage(err)
		}
		if err := f.StartFrom(shape, p); err != nil {
			return cmdline.AsUsage(err)
		}
	}
	f.Report = report(f.Out, sets)
	if _, err = f.Fit.Run(ctx); errors.Is(err, train.ErrBadCheckpoint) {
		return cmdline.AsUsage(err)
	}
	return err
}

// keep returns a filter for records of the kind and the class.
func (f *FitRun) keep() (func([]train.Record) []train.Record, error) {
	if f.Class == "" {
		return f.Shape.Kind.Keep, nil
	}
	if _, err := train.KeepClass(nil, f.Class); err != nil {
		return nil, cmdline.Usagef("--class: %w", err)
	}
	return func(r []train.Record) []train.Record {
		r, _ = train.KeepClass(r, f.Class)
		return r
	}, nil
}

// readValid reads the sets to measure on. It adds all positions of them and of the excluded
// files to hidden, not only those kept.
func (f *FitRun) readValid(keep func([]train.Record) []train.Record, hidden train.KeySet) ([]train.Source, error) {
	var sets []train.Source
	for i, path := range slices.Concat(f.Valid, f.Exclude) {
		recs, err := readAll(path)
		if err != nil {
			return nil, err
		}
		for k := range recs {
			hidden.Add(recs[k].Key)
		}
		if i < len(f.Valid) {
			sets = append(sets, train.Source{Name: path, Records: keep(recs)})
		}
	}
	return sets, nil
}

// readData reads the training data without the hidden positions, and prints how much there is.
func (f *FitRun) readData(keep func([]train.Record) []train.Record, hidden train.KeySet) error {
	for _, arg := range f.Data {
		path, text, ok := strings.Cut(arg, "=")
		share := 1.0
		if ok {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(x > 0) {
				return cmdline.Usagef("--data %q: the share is not a number above 0", arg)
			}
			share = x
		}
		recs, err := readAll(path)
		if err != nil {
			return err
		}
		recs = hidden.Without(keep(recs))
		if len(recs) == 0 {
			continue
		}
		fmt.Fprintf(f.Err, "%s: %d positions, share %g\n", path, len(recs), share)
		f.Sources = append(f.Sources, &train.Source{Name: path, Records: recs, Share: share})
	}
	if len(f.Sources) == 0 {
		return cmdline.Usagef("--data: no positions of kind %s", f.Shape.Kind)
	}
	return nil
}

// report prints one line of figures for each report.
func report(w io.Writer, sets []train.Source) func(*train.Fit, int, float64, float64, train.Params) error {
	begin := time.Now()
	return func(f *train.Fit, done int, loss, rate float64, avg train.Params) error {
		probe := train.NewProbe(f.Shape, avg)
		fmt.Fprintf(w, "%s %.1fM loss %.5f %.0fk/s", time.Since(begin).Round(time.Second), float64(done)/1e6, loss, rate/1e3)
		for _, s := range sets {
			e := train.MeasureErrors(s.Records, probe)
			fmt.Fprintf(w, " | %.5f win %.5f ce %.5f", e.Equity, e.Win, e.Entropy)
		}
		_, err := fmt.Fprintln(w)
		return err
	}
}
