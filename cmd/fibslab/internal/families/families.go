// Package families measures static evaluation in kinds of positions that are rare in play and hard
// for nets. They come from self-play that began at boards drawn for the family, and were rolled out to
// the end by static play, until the standard error was a fifth of what nets are off by or less. No
// net is trained on them: pipelines leave them out (Hide). The kinds, in the order of reports:
//
//   - snake: one side brings nine checkers or more around the board from its 13 point or farther,
//     against one to three caught behind them, the other's rest at home or off.
//   - latehit: one side has borne off five or more and has one or two caught, on its 11 point or
//     farther or on the bar; the other has all 15, at most two in the opponent's home.
//   - massivebackgame: one side has six checkers or more in the opponent's home or on the bar, two
//     anchors among them, and the opponent at most one in its home.
//   - mutualbackgame: both have four or more in the other's home, with two anchors.
//   - savebackgammon: without contact, one side has borne off nothing and needs as many rolls to
//     leave the opponent's home as the opponent to bear off, one more or one fewer.
//   - stackedrace: without contact, not all home, six or more checkers on one point, pip counts
//     within a quarter of each other.
package families

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/internal/jsonlines"
)

// All lists the names of the families in the order of reports.
var All = []string{"snake", "latehit", "massivebackgame", "mutualbackgame", "savebackgammon", "stackedrace"}

// ErrFile means a file of positions that cannot be used.
var ErrFile = errors.New("bad file of rolled out positions")

// Position is a position with the result of its rollout, for the player on roll.
type Position struct {
	Family   string     `json:"family"`
	ID       string     `json:"position"` // position ID
	Chances  [5]float64 `json:"chances"`  // in the order of eval.Probs
	Equity   float64    `json:"equity"`   // cubeless
	Error    float64    `json:"se"`       // standard error of Equity
	WinError float64    `json:"win_se"`
	Trials   int        `json:"trials"`
	Plies    int        `json:"plies,omitempty"` // depth of the plays in the trials
}

//go:embed testdata/families.jsonl.gz
var file []byte

// Embedded returns the positions in the program.
func Embedded() ([]Position, error) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("embedded families: %w: %w", ErrFile, err)
	}
	ps, _, _, err := jsonlines.Read(z, ErrFile, func(int, *Position) error { return nil })
	return ps, err
}

// Hide adds to s the positions by which bench nets and bench families measure, so that no net is trained
// on them.
func Hide(s train.KeySet) error {
	if err := train.HideBench(s); err != nil {
		return err
	}
	ps, err := Embedded()
	if err != nil {
		return err
	}
	for i := range ps {
		p, err := board.ParseID(ps[i].ID)
		if err != nil {
			return err
		}
		s.Add(p.Key())
	}
	return nil
}

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
	var drawn train.Mean
	for range bootstraps {
		drawn.Add(root(func(int) int { return rng.IntN(len(s)) }))
	}
	return RMS{root(func(i int) int { return i }), drawn.StdErr() * math.Sqrt(bootstraps)}
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
	return func(ctx context.Context, p board.Position) (eval.Probs, error) {
		var out [1]train.Label
		err := t.Label(ctx, []board.Key{p.Key()}, plies, out[:])
		return out[0].Probs(), err
	}
}
