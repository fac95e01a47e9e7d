package train

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// Problem is a position with a roll and the values of its plays according to a judge much
// stronger than the nets being measured.
type Problem struct {
	Tag        string
	Position   board.Position
	Dice       board.Dice
	Candidates []Rated // best first
	// Teacher is the index of the candidate that GNU Backgammon plays at 0 plies.
	Teacher int
}

// Rated is one play of a decision: the position after it, its opponent on roll,
// and the cubeless money equity of the mover.
type Rated struct {
	Key    board.Key
	Equity float32
}

// Tags are the kinds of decisions of the bench, in the order of its report.
var Tags = []string{"natural", "opening", "holding", "prime", "blitz", "backgame",
	"containment", "bearoffcontact", "crashed", "race"}

// Evaluator is the part of eval.Evaluator that the bench needs: for each play the chances
// of the mover after it.
type Evaluator interface {
	EvalPlays(plays []board.Play, out []eval.Probs)
}

// Loss is the loss of a judge on the decisions of one tag, in millipoints.
type Loss struct {
	Tag       string  `json:"tag"`
	Decisions int     `json:"decisions"`
	Mean      float64 `json:"millipoints"`
	Error     float64 `json:"standard_error"` // of Mean
	Blunders  int     `json:"over_100_millipoints"`
	*Beside           // nil if no other judge was measured
}

// Beside is the loss of another judge, such as gnubg, on the same decisions.
type Beside struct {
	Mean   float64 `json:"gnubg_millipoints"`
	Ratio  float64 `json:"ratio"`        // of ours to its loss
	Paired float64 `json:"paired_error"` // standard error of the difference
}

// LossesOf lets j choose in every decision and returns the loss of each choice, in
// millipoints.
func LossesOf(ds []Problem, j Evaluator) []float64 {
	out := make([]float64, len(ds))
	var c chooser
	for i := range ds {
		d := &ds[i]
		if play, ok := c.choose(j, d.Position, d.Dice); ok {
			out[i] = d.LossOf(play.Result.Swap().Key()) * 1000
		}
	}
	return out
}

// teacherLosses are the losses of gnubg 0-ply's choices, in millipoints.
func teacherLosses(ds []Problem) []float64 {
	out := make([]float64, len(ds))
	for i := range ds {
		out[i] = float64(ds[i].Candidates[0].Equity-ds[i].Candidates[ds[i].Teacher].Equity) * 1000
	}
	return out
}

// MeasureProblems returns the mean loss of j beside gnubg 0-ply's.
func MeasureProblems(ds []Problem, j Evaluator) []Loss {
	return CompareLosses(ds, LossesOf(ds, j), teacherLosses(ds))
}

// CompareLosses sums up the losses of a judge on decisions, for all of them ("all") and for each tag
// that occurs, beside those of another judge unless theirs is nil.
func CompareLosses(ds []Problem, mine, theirs []float64) []Loss {
	type sums struct{ n, bad, l, l2, t, d2 float64 }
	var all sums
	by := map[string]*sums{}
	for i := range ds {
		s := by[ds[i].Tag]
		if s == nil {
			s = new(sums)
			by[ds[i].Tag] = s
		}
		loss, t := mine[i], 0.0
		if theirs != nil {
			t = theirs[i]
		}
		for _, s := range []*sums{&all, s} {
			s.n++
			s.l += loss
			s.l2 += loss * loss
			s.t += t
			s.d2 += (loss - t) * (loss - t)
			if loss > 100 {
				s.bad++
			}
		}
	}
	report := func(tag string, s *sums) Loss {
		m, t := s.l/s.n, s.t/s.n
		l := Loss{Tag: tag, Decisions: int(s.n), Mean: m, Blunders: int(s.bad), Error: math.Sqrt(max(s.l2/s.n-m*m, 0) / s.n)}
		if theirs != nil {
			l.Beside = &Beside{Mean: t, Ratio: m / max(t, 1e-9), Paired: math.Sqrt(max(s.d2/s.n-(m-t)*(m-t), 0) / s.n)}
		}
		return l
	}
	if all.n == 0 {
		return nil
	}
	out := []Loss{report("all", &all)}
	for _, tag := range Tags {
		if s := by[tag]; s != nil {
			out = append(out, report(tag, s))
		}
	}
	return out
}

// LossOf returns the loss of the play leading to k, in points. A play that the reference
// does not list counts as its worst.
func (d *Problem) LossOf(k board.Key) float64 {
	worst := d.Candidates[0].Equity
	for _, c := range d.Candidates {
		if c.Key == k {
			return float64(d.Candidates[0].Equity - c.Equity)
		}
		worst = min(worst, c.Equity)
	}
	return float64(d.Candidates[0].Equity - worst)
}

// The file of decisions: gzip of the magic line, then for each decision the tag
// number, the dice, the position key, the number of candidates, the teacher's
// index, and for each candidate its key and its equity times 10000 as a 16-bit
// number, all little-endian.
const decisionsMagic = "fibsbot decisions 1\n"

// ErrBadDecisions means a damaged or foreign file of decisions.
var ErrBadDecisions = errors.New("bad decisions file")

// parseProblems reads a file of decisions. The error wraps ErrBadDecisions.
func parseProblems(r io.Reader) ([]Problem, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadDecisions, err)
	}
	b, err := io.ReadAll(io.LimitReader(z, 64<<20))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadDecisions, err)
	}
	b, ok := bytes.CutPrefix(b, []byte(decisionsMagic))
	if !ok {
		return nil, fmt.Errorf("%w: does not begin with %q", ErrBadDecisions, decisionsMagic)
	}
	var ds []Problem
	for len(b) > 0 {
		if len(b) < 15 || int(b[0]) >= len(Tags) || b[13] == 0 || b[14] >= b[13] || len(b) < 15+12*int(b[13]) {
			return nil, fmt.Errorf("%w: decision %d is cut off or damaged", ErrBadDecisions, len(ds))
		}
		d := Problem{Tag: Tags[b[0]], Dice: board.Dice{A: b[1], B: b[2]}, Teacher: int(b[14])}
		if d.Position, err = board.FromKey(board.Key(b[3:13])); err != nil || !d.Dice.Valid() {
			return nil, fmt.Errorf("%w: decision %d: bad position or dice", ErrBadDecisions, len(ds))
		}
		n := int(b[13])
		b = b[15:]
		d.Candidates = make([]Rated, n)
		for i := range d.Candidates {
			d.Candidates[i] = Rated{Key: board.Key(b[:10]), Equity: float32(int16(binary.LittleEndian.Uint16(b[10:]))) / 10000}
			b = b[12:]
		}
		ds = append(ds, d)
	}
	return ds, nil
}
