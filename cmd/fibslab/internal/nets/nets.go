// Package nets measures the static evaluation: its errors against positions labelled by a
// stronger judge, and the loss of its plays on rated decisions.
package nets

import (
	"fmt"
	"io"

	"fibsbot/cmd/fibslab/internal/train"
)

// Report is the strength of nets.
type Report struct {
	Name      string       `json:"name"`
	Positions train.Errors `json:"positions"`
	Backgames train.Errors `json:"rolled_backgames"` // against rollouts of games that began as back games
	Varied    train.Errors `json:"rolled_varied"`    // and of all plans
	Losses    []train.Loss `json:"losses"`           // millipoints a decision, ours and gnubg 0-ply's
}

// Progress is called with a part of the work and how much of it is done.
type Progress func(what string, done, total int)

// of is the progress of one part, or nil.
func (p Progress) of(what string, total int) func(done int) {
	if p == nil {
		return nil
	}
	return func(done int) { p(what, done, total) }
}

// Measure measures the nets of a weights file, "" being the embedded one. The error is
// a [cmdline.UsageError] if the file cannot be used.
func Measure(path string) (r Report, err error) {
	judge, set, err := train.OpenStatic(path)
	if err != nil {
		return r, err
	}
	recs, err := train.BenchPositions()
	if err != nil {
		return r, err
	}
	ds, err := train.BenchProblems()
	if err != nil {
		return r, err
	}
	backgames, varied, err := train.BenchValues()
	if err != nil {
		return r, err
	}
	return Report{Name: set.Manifest.Name, Positions: train.MeasureErrors(recs, judge),
		Backgames: train.MeasureErrors(backgames, judge), Varied: train.MeasureErrors(varied, judge), Losses: train.MeasureProblems(ds, judge)}, nil
}

// Print writes the report for people.
func (r *Report) Print(out io.Writer) {
	fmt.Fprintf(out, "%s: %d positions, equity error (root mean square) %.4f, win chance error (mean) %.4f\n",
		r.Name, r.Positions.Positions, r.Positions.Equity, r.Positions.Win)
	fmt.Fprintf(out, "off rollouts in the mean by %.4f in %d positions of back games, %.4f in %d of all plans\n\n",
		r.Backgames.EquityAbs, r.Backgames.Positions, r.Varied.EquityAbs, r.Varied.Positions)
	PrintLosses(out, r.Losses, "gnubg 0")
}

// PrintLosses writes a table of the losses of plays, in millipoints, beside those of the judge
// other if they were measured.
func PrintLosses(w io.Writer, ls []train.Loss, other string) {
	head := ""
	if len(ls) > 0 && ls[0].Beside != nil {
		head = fmt.Sprintf(" %9s %6s", other, "ratio")
	}
	fmt.Fprintf(w, "%-15s %9s %9s %7s%s %8s\n", "plan", "decisions", "loss", "+-", head, "blunders")
	for _, l := range ls {
		beside := ""
		if b := l.Beside; b != nil {
			beside = fmt.Sprintf(" %9.2f %6.2f", b.Mean, min(b.Ratio, 999))
		}
		fmt.Fprintf(w, "%-15s %9d %9.2f %7.2f%s %8d\n", l.Tag, l.Decisions, l.Mean, l.Error, beside, l.Blunders)
	}
}
