package advice

import (
	"fmt"
	"io"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
)

// Arm is one arm of a rollout: what was rolled out, its chances and their errors.
type Arm struct {
	Name        string     `json:"name"`
	Trials      int        `json:"trials"`
	Probs       [5]float64 `json:"probs"`
	ProbsErr    [5]float64 `json:"probs_stderr"`
	Cubeless    float64    `json:"cubeless_equity"`
	CubelessErr float64    `json:"cubeless_stderr"`
	Equity      float64    `json:"equity"`
	EquityErr   float64    `json:"equity_stderr"`
	MWC         *float64   `json:"mwc,omitempty"`
	MWCErr      *float64   `json:"mwc_stderr,omitempty"`
	Diff        float64    `json:"diff"`
	DiffErr     float64    `json:"diff_stderr"`
	JSD         float64    `json:"jsd"`
	Stopped     bool       `json:"stopped"`
}

// Rollout is what rolling a position out gave.
type Rollout struct {
	PositionID string  `json:"position_id"`
	MatchID    string  `json:"match_id"`
	Dice       *[2]int `json:"dice"`
	Trials     int     `json:"trials"`
	Seed       uint64  `json:"seed"`
	Arms       []Arm   `json:"arms"`
	Cube       *Cube   `json:"cube"`
	Seconds    float64 `json:"seconds"`
}

// RolloutOf is the document of a rollout of sit. The caller adds what was asked for:
// trials, seed and seconds.
func RolloutOf(job *rollout.Job, sit match.Situation) Rollout {
	out := Rollout{PositionID: sit.Position.ID(), MatchID: sit.MatchID()}
	for _, r := range job.Results() {
		a := Arm{Name: r.Name, Trials: r.Trials, Probs: r.Probs, ProbsErr: r.ProbsErr, Cubeless: r.Cubeless,
			CubelessErr: r.CubelessErr, Equity: r.Equity, EquityErr: r.EquityErr, Diff: r.Diff, DiffErr: r.DiffErr, JSD: r.JSD, Stopped: r.Stopped}
		if sit.State.Length > 0 {
			a.MWC, a.MWCErr = &r.MWC, &r.MWCErr
		}
		out.Arms = append(out.Arms, a)
	}
	if d, ok := job.Decision(); ok {
		out.Cube = CubeOf(d, sit.State)
	}
	return out
}

// Print writes the rollout as text.
func (r *Rollout) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%s", r.PositionID, r.MatchID)
	if r.Dice != nil {
		fmt.Fprintf(&b, " rolled %d%d", r.Dice[0], r.Dice[1])
	}
	fmt.Fprintf(&b, ", seed %d, %.1f s\n", r.Seed, r.Seconds)
	for _, a := range r.Arms {
		fmt.Fprintf(&b, "%s: %d trials", a.Name, a.Trials)
		if a.Stopped {
			b.WriteString(", given up")
		}
		if a.JSD > 0 {
			fmt.Fprintf(&b, ", behind by %.4f +- %.4f (%.1f standard deviations)", a.Diff, a.DiffErr, a.JSD)
		}
		b.WriteString("\n  win  w g    w bg   l g    l bg   cubeless          equity\n  ")
		for _, p := range a.Probs {
			fmt.Fprintf(&b, "%.4f ", p)
		}
		fmt.Fprintf(&b, "%+.4f           %+.4f", a.Cubeless, a.Equity)
		if a.MWC != nil {
			fmt.Fprintf(&b, "  MWC %.3f %%", 100**a.MWC)
		}
		b.WriteString("\n  ")
		for _, p := range a.ProbsErr {
			fmt.Fprintf(&b, "%.4f ", p)
		}
		fmt.Fprintf(&b, " %.4f            %.4f", a.CubelessErr, a.EquityErr)
		if a.MWCErr != nil {
			fmt.Fprintf(&b, "      %.3f %%", 100**a.MWCErr)
		}
		b.WriteString("  standard errors\n")
	}
	if c := r.Cube; c != nil {
		fmt.Fprintf(&b, "%s: no double %+.4f, double/take %+.4f, double/pass %+.4f\n",
			strings.ReplaceAll(c.Action, "_", " "), c.NoDouble, c.DoubleTake, c.DoublePass)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
