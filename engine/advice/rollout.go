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
	PositionID string `json:"position_id"`
	MatchID    string `json:"match_id"`
	XGID       string `json:"xgid"`
	// Game is what is played where that is not backgammon, see Game.
	Game  string `json:"game,omitempty"`
	Rules string `json:"rules"` // in words, see Rules
	// Assumed are those of the rules that are a guess, see Assumed; set by the caller.
	Assumed []string `json:"assumed,omitempty"`
	Dice    *[2]int  `json:"dice"`
	Trials  int      `json:"trials"`
	Seed    uint64   `json:"seed"`
	Arms    []Arm    `json:"arms"`
	Cube    *Cube    `json:"cube"`
	Seconds float64  `json:"seconds"`
	// Interrupted tells that the user stopped it before its last trial.
	Interrupted bool `json:"interrupted,omitempty"`
}

// RolloutOf is the document of a rollout of sit. The caller adds what was asked for:
// trials, seed and seconds.
func RolloutOf(job *rollout.Job, sit match.Situation) Rollout {
	out := Rollout{PositionID: sit.Position.ID(), MatchID: sit.MatchID(), XGID: sit.XGID(), Game: Game(job.Rules()), Rules: Rules(sit.State)}
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

// ranked is the order in which people read the arms: by equity, but no double before
// double and take.
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

// Live is a few lines for a terminal while trials are played: where the arms are now.
func (r *Rollout) Live(done, total int, took time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rollout: %d of %d trials, %s", done, total, took.Round(time.Second))
	if done > 0 && done < total {
		fmt.Fprintf(&b, ", %s left at most", (took * time.Duration(total-done) / time.Duration(done)).Round(time.Second))
	}
	b.WriteString("; Ctrl-C stops and prints\n")
	for _, i := range r.ranked() {
		if a := &r.Arms[i]; a.Trials > 0 {
			fmt.Fprintf(&b, "  %-24s %+.4f ± %.4f", a.Name, a.Equity, a.EquityErr)
			if a.JSD > 0 && r.Cube == nil {
				fmt.Fprintf(&b, "  behind by %.4f ± %.4f, %.1f sd", a.Diff, a.DiffErr, a.JSD)
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

// Text is the rollout of a situation with state s as people read it, the best arm first.
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
		fmt.Fprintf(&b, "%s: %d trials", a.Name, a.Trials)
		if r.Interrupted {
			fmt.Fprintf(&b, " of %d", r.Trials)
		}
		if a.Stopped {
			b.WriteString(", given up")
		}
		if a.JSD > 0 {
			fmt.Fprintf(&b, ", behind by %.4f ± %.4f", a.Diff, a.DiffErr)
			if a.DiffErr >= 5e-5 { // below it is exact: deviations of rounding say nothing
				fmt.Fprintf(&b, " (%.1f standard deviations)", a.JSD)
			}
		}
		b.WriteByte('\n')
		a.print(&b)
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

// print writes the figures of an arm with their standard errors below.
func (a *Arm) print(b *strings.Builder) {
	fmt.Fprintf(b, "    %8s %8s %8s %8s %8s %9s %9s", "win", "gammon", "backg.", "lose g.", "lose bg.", "cubeless", "equity")
	if a.MWC != nil {
		fmt.Fprintf(b, " %9s", "MWC")
	}
	b.WriteString("\n    ")
	row := func(probs [5]float64, sign string, cubeless, equity float64, mwc *float64) {
		for _, p := range probs {
			fmt.Fprintf(b, "%8.4f ", p)
		}
		fmt.Fprintf(b, "%"+sign+"9.4f %"+sign+"9.4f", cubeless, equity)
		if mwc != nil {
			fmt.Fprintf(b, " %8.3f%%", 100**mwc)
		}
	}
	row(a.Probs, "+", a.Cubeless, a.Equity, a.MWC)
	b.WriteString("\n  ± ")
	row(a.ProbsErr, "", a.CubelessErr, a.EquityErr, a.MWCErr)
	b.WriteString("\n")
}
