package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/internal/figure"
)

// Rollout is the result of a rollout.
type Rollout struct {
	about
	Dice    *[2]int          `json:"dice"`
	Trials  int              `json:"trials"`
	Seed    uint64           `json:"seed"`
	Arms    []rollout.Result `json:"arms"`
	Cube    *Cube            `json:"cube"`
	Seconds float64          `json:"seconds"`
	// Interrupted reports whether the user stopped it before its last trial.
	Interrupted bool `json:"interrupted,omitempty"`
}

// RolloutOf returns the document of a rollout of sit. The caller adds trials, seed and
// seconds.
func RolloutOf(job *rollout.Job, sit match.Situation) Rollout {
	out := Rollout{about: aboutOf(job.Rules(), sit), Arms: job.Results()}
	if d, ok := job.Decision(); ok {
		out.Cube = cubeOf(d, sit.State)
	}
	return out
}

// ranked returns the arms in the order in which they are printed: plays by equity, and
// "no double" before "double/take".
func (r *Rollout) ranked() []int {
	order := make([]int, len(r.Arms))
	for i := range order {
		order[i] = i
	}
	if r.Cube == nil {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Arms[b].Equity, r.Arms[a].Equity) })
	}
	return order
}

// equity writes an equity with four decimals.
func equity(v float64) string { return figure.Text("%+.4f", v) }

// plusMinus writes a standard error after its value, or nothing if it is unknown.
func plusMinus(e figure.Figure) string {
	if !e.Known() {
		return ""
	}
	return fmt.Sprintf(" ± %.4f", e)
}

// Live returns a few lines for a terminal while trials are played.
func (r *Rollout) Live(done, total int, took time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rollout: %d of %d trials, %s", done, total, took.Round(time.Second))
	if done > 0 && done < total {
		fmt.Fprintf(&b, ", at most %s left", (took * time.Duration(total-done) / time.Duration(done)).Round(time.Second))
	}
	b.WriteString("; Ctrl-C stops and prints\n")
	for _, i := range r.ranked() {
		if a := &r.Arms[i]; a.Trials > 0 {
			fmt.Fprintf(&b, "  %-24s %s%s", a.Name, equity(a.Equity), plusMinus(a.EquityErr))
			if a.JSD > 0 && r.Cube == nil {
				fmt.Fprintf(&b, "  behind by %.4f%s, %.1f sd", a.Diff, plusMinus(a.DiffErr), a.JSD)
			}
			if a.Stopped {
				b.WriteString(", given up")
			}
			b.WriteByte('\n')
		}
	}
	if r.Cube != nil {
		fmt.Fprintf(&b, "  so far: %s\n", r.Cube.Words)
	}
	return b.String()
}

// Text returns the rollout of a situation with state s as people read it, the best arm first.
func (r *Rollout) Text(s match.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%s", r.PositionID, r.MatchID)
	if r.Dice != nil {
		fmt.Fprintf(&b, " rolled %d%d", r.Dice[0], r.Dice[1])
	}
	fmt.Fprintf(&b, ", seed %d, %.1f s\n%s\n%s", r.Seed, r.Seconds, r.XGID, rulesText(r.Game, s, r.Assumed))
	for n, i := range r.ranked() {
		a := &r.Arms[i]
		if len(r.Arms) > 1 {
			fmt.Fprintf(&b, "%d. ", n+1)
		}
		fmt.Fprintf(&b, "%s: %s", a.Name, figure.Count(a.Trials, "trial"))
		if r.Interrupted {
			fmt.Fprintf(&b, " of %d", r.Trials)
		}
		if a.Stopped {
			b.WriteString(", given up")
		}
		if a.Diff > 0 {
			fmt.Fprintf(&b, ", behind by %.4f%s", a.Diff, plusMinus(a.DiffErr))
			if a.DiffErr >= 5e-5 { // below it the value is exact: deviations of rounding mean nothing
				fmt.Fprintf(&b, " (%.1f standard deviations)", a.JSD)
			}
		}
		b.WriteByte('\n')
		writeArm(&b, a)
	}
	if c := r.Cube; c != nil {
		d := cube.Decision{NoDouble: c.NoDouble, DoubleTake: c.DoubleTake, DoublePass: c.DoublePass, Redouble: s.Owner == match.Mine}
		if c.MWC != nil {
			d.MWC = *c.MWC
		}
		if c.DoubleBeaver != nil {
			d.Action = cube.NoDoubleBeaver
		}
		b.WriteString(cubeTable(d, s) + "Best: " + c.Words + "\n")
	}
	return b.String()
}

// writeArm writes the figures of an arm, and below them their standard errors if they are
// known.
func writeArm(b *strings.Builder, a *rollout.Result) {
	fmt.Fprintf(b, "    %8s %8s %8s %8s %8s %9s %9s", "win", "gammon", "backg.", "lose g.", "lose bg.", "cubeless", "equity")
	if a.MWC != nil {
		fmt.Fprintf(b, " %9s", "MWC")
	}
	b.WriteString("\n    ")
	for _, p := range a.Probs {
		b.WriteString(figure.Text("%8.4f ", p))
	}
	b.WriteString(figure.Text("%+9.4f ", a.Cubeless) + figure.Text("%+9.4f", a.Equity))
	if a.MWC != nil {
		fmt.Fprintf(b, " %8.3f%%", 100**a.MWC)
	}
	b.WriteByte('\n')
	if !a.EquityErr.Known() {
		return
	}
	b.WriteString("  ± ")
	for _, e := range a.ProbsErr {
		fmt.Fprintf(b, "%8.4f ", e)
	}
	fmt.Fprintf(b, "%9.4f %9.4f", a.CubelessErr, a.EquityErr)
	if a.MWCErr != nil {
		fmt.Fprintf(b, " %8.3f%%", 100**a.MWCErr)
	}
	b.WriteByte('\n')
}
