package nets

import (
	"context"
	"fmt"
	"io"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/nn"
)

// Labels measures nets on labelled positions. Labels may be noisy: both nets are judged by the
// same ones, so their noise is not in the difference.
type Labels struct {
	Files   []string // record files
	Weights string   // weights file, "" for the embedded one
	Against string   // another weights file, or "" for the embedded one
}

// LabelErrors is how far the nets of two weights files are off the labels of one class. Equities are
// cubeless, of the player on roll, in points.
type LabelErrors struct {
	Class string        // as in nn.Classes, or "all"
	Off   [2]train.Mean // each net's equity less the label's
	Gain  train.Mean    // squared error of the other net less that of this one
	// Points is how much better the choices of this one are by the labels, in the decisions of which two
	// plays or more are labelled, counted in the class of the first. In Differ of them the files choose
	// different plays.
	Points train.Mean
	Differ int
}

// Measure returns a row for each class that has positions, and one for all.
func (l *Labels) Measure(ctx context.Context) ([]LabelErrors, error) {
	var models [2]train.Static
	for i, path := range []string{l.Weights, l.Against} {
		m, _, err := train.OpenStatic(path)
		if err != nil {
			return nil, err
		}
		models[i] = m
	}
	classes := append(nn.Classes(), "all")
	at := map[string]*LabelErrors{}
	for _, c := range classes {
		at[c] = &LabelErrors{Class: c}
	}
	var recs []train.Record
	for _, file := range l.Files {
		var err error
		if recs, err = train.ReadRecords(recs[:0], file); err != nil {
			return nil, err
		}
		var decisions []*decision // in the order of the file, so that sums are the same each time
		byGroup := map[uint32]*decision{}
		for i := range recs {
			if i%4096 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			p := recs[i].Position()
			class := train.ClassOf(&p)
			if class == "" {
				continue
			}
			want := float64(recs[i].Label.Probs().Money())
			var off [2]float64
			for k, m := range models {
				chances := m.Eval(&p)
				off[k] = float64(chances.Money()) - want
			}
			if g := recs[i].Group; g != 0 {
				d := byGroup[g]
				if d == nil {
					d = &decision{class: class}
					byGroup[g], decisions = d, append(decisions, d)
				}
				d.add(off, want)
			}
			at[class].add(off)
			at["all"].add(off)
		}
		for _, d := range decisions {
			if d.plays > 1 {
				at[d.class].choose(d)
				at["all"].choose(d)
			}
		}
	}
	var out []LabelErrors
	for _, c := range classes {
		if b := at[c]; b.Gain.N() > 0 {
			out = append(out, *b)
		}
	}
	return out, nil
}

// add adds the errors of both nets at a position.
func (b *LabelErrors) add(off [2]float64) {
	for k, v := range off {
		b.Off[k].Add(v)
	}
	b.Gain.Add(off[1]*off[1] - off[0]*off[0])
}

// decision is one of which plays are labelled.
type decision struct {
	class  string // of its first play
	plays  int
	least  [2]float64 // the opponent's equity after each file's choice, by its own values
	labels [2]float64 // and by the labels
}

// add adds a play that both files value by off more than the label, want.
func (d *decision) add(off [2]float64, want float64) {
	for k := range off {
		if v := off[k] + want; d.plays == 0 || v < d.least[k] {
			d.least[k], d.labels[k] = v, want
		}
	}
	d.plays++
}

// choose adds the choices of a decision.
func (b *LabelErrors) choose(d *decision) {
	gain := d.labels[1] - d.labels[0]
	if b.Points.Add(gain); gain != 0 {
		b.Differ++
	}
}

// PrintLabels writes a table.
func PrintLabels(w io.Writer, rows []LabelErrors) error {
	if _, err := fmt.Fprintf(w, "%-26s %9s  %8s %7s  %8s %7s  %-30s  %9s %9s  %s\n", "", "positions", "bias", "rms", "against", "rms", "less squared error, millionths", "decisions", "differ", "points a thousand"); err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		if _, err := fmt.Fprintf(w, "%-26s %9d  %+8.4f %7.4f  %+8.4f %7.4f  %+18.1f ± %-9.1f  %9d %9d  %+.3f ± %.3f\n", r.Class, r.Gain.N(), r.Off[0].Value(), r.Off[0].RMS(),
			r.Off[1].Value(), r.Off[1].RMS(), 1e6*r.Gain.Value(), 1e6*r.Gain.StdErr(), r.Points.N(), r.Differ, 1e3*r.Points.Value(), 1e3*r.Points.StdErr()); err != nil {
			return err
		}
	}
	return nil
}
