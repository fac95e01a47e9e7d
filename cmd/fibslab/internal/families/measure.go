package families

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// Estimate returns the cubeless chances of the player on roll.
type Estimate func(ctx context.Context, p board.Position) (eval.Probs, error)

// RMS is a root mean square distance from rollouts, their own variance taken out.
type RMS struct {
	Value float64 `json:"rms"`
	Error float64 `json:"standard_error"` // by bootstrap over positions
}

// Score is the distance of a judge in one family.
type Score struct {
	Family    string  `json:"family"`
	Positions int     `json:"positions"`
	Noise     float64 `json:"rollout_rms"` // root mean square of the rollouts' standard errors
	Equity    RMS     `json:"equity"`
	Win       RMS     `json:"win"`
	// Beside is another judge's equity, nil without one.
	Beside *RMS `json:"beside,omitempty"`
}

// Measure asks judge, and beside unless it is nil, about all positions.
func Measure(ctx context.Context, ps []Position, judge, beside Estimate, show func(what string, done, total int)) ([]Score, error) {
	var out []Score
	done := 0
	for _, f := range All {
		var equity, win, other squares
		noise := 0.0
		for i := range ps {
			r := &ps[i]
			if r.Family != f {
				continue
			}
			p, err := board.ParseID(r.ID)
			if err != nil {
				return nil, err
			}
			pr, err := judge(ctx, p)
			if err != nil {
				return nil, err
			}
			equity.add(float64(pr.Money())-r.Equity, r.Error)
			win.add(float64(pr[eval.Win])-r.Chances[eval.Win], r.WinError)
			noise += r.Error * r.Error
			if beside != nil {
				if pr, err = beside(ctx, p); err != nil {
					return nil, err
				}
				other.add(float64(pr.Money())-r.Equity, r.Error)
			}
			if done++; done%100 == 0 && show != nil {
				show("positions", done, len(ps))
			}
		}
		if len(equity) == 0 {
			continue
		}
		s := Score{Family: f, Positions: len(equity), Noise: math.Sqrt(noise / float64(len(equity))), Equity: equity.rms(), Win: win.rms()}
		if beside != nil {
			v := other.rms()
			s.Beside = &v
		}
		out = append(out, s)
	}
	return out, nil
}

// squares are the squared errors of a family, each less the variance of its rollout.
type squares []float64

func (s *squares) add(off, noise float64) { *s = append(*s, off*off-noise*noise) }

// bootstraps is the number of samples drawn for a standard error.
const bootstraps = 400

// rms is the root of the mean, with its bootstrap error; the draws are the same for any judge.
func (s squares) rms() RMS {
	root := func(pick func(i int) int) float64 {
		sum := 0.0
		for i := range s {
			sum += s[pick(i)]
		}
		return math.Sqrt(max(sum, 0) / float64(len(s)))
	}
	rng := rand.New(rand.NewPCG(1, 0xb007))
	mean, sum := 0.0, 0.0
	for range bootstraps {
		v := root(func(int) int { return rng.IntN(len(s)) })
		mean += v
		sum += v * v
	}
	mean /= bootstraps
	return RMS{root(func(i int) int { return i }), math.Sqrt(max(sum/bootstraps-mean*mean, 0))}
}

// Print writes scores as a table; other names the judge beside.
func Print(w io.Writer, list []Score, other string) {
	fmt.Fprintf(w, "%-16s %9s %8s %15s %15s", "family", "positions", "rollouts", "equity", "win chance")
	if other != "" {
		fmt.Fprintf(w, " %15s", other)
	}
	fmt.Fprintln(w)
	for _, s := range list {
		fmt.Fprintf(w, "%-16s %9d %8.4f %15s %15s", s.Family, s.Positions, s.Noise, s.Equity, s.Win)
		if s.Beside != nil {
			fmt.Fprintf(w, " %15s", *s.Beside)
		}
		fmt.Fprintln(w)
	}
}

// String is the value with its error.
func (r RMS) String() string { return fmt.Sprintf("%.4f +-%.4f", r.Value, r.Error) }

// ByTeacher asks a teacher, such as gnubg.
func ByTeacher(t train.Teacher, plies int) Estimate {
	return func(_ context.Context, p board.Position) (eval.Probs, error) {
		var out [1]train.Label
		err := t.Label([]board.Key{p.Key()}, plies, out[:])
		return out[0].Probs(), err
	}
}
