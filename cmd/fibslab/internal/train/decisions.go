package train

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
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
	type sums struct {
		loss, other, apart Mean
		bad                int
	}
	var all sums
	by := map[string]*sums{}
	for i := range ds {
		s := by[ds[i].Tag]
		if s == nil {
			s = new(sums)
			by[ds[i].Tag] = s
		}
		for _, s := range []*sums{&all, s} {
			s.loss.Add(mine[i])
			if theirs != nil {
				s.other.Add(theirs[i])
				s.apart.Add(mine[i] - theirs[i])
			}
			if mine[i] > 100 {
				s.bad++
			}
		}
	}
	report := func(tag string, s *sums) Loss {
		l := Loss{Tag: tag, Decisions: s.loss.N(), Mean: s.loss.Value(), Blunders: s.bad, Error: s.loss.StdErr()}
		if t := s.other.Value(); theirs != nil {
			l.Beside = &Beside{Mean: t, Ratio: l.Mean / max(t, 1e-9), Paired: s.apart.StdErr()}
		}
		return l
	}
	if all.loss.N() == 0 {
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

// chooser plays by a judge's cubeless money equity.
type chooser struct {
	plays []board.Play
	probs []eval.Probs
}

// choose returns the judge's play, the first of equals; ok is false without a legal one.
func (c *chooser) choose(j Evaluator, p board.Position, d board.Dice) (play board.Play, ok bool) {
	c.plays = board.AppendPlays(c.plays[:0], p, d)
	if len(c.plays) == 0 {
		return play, false
	}
	if cap(c.probs) < len(c.plays) {
		c.probs = make([]eval.Probs, 2*len(c.plays))
	}
	probs := c.probs[:len(c.plays)]
	j.EvalPlays(c.plays, probs)
	best := 0
	for k := range probs {
		if probs[k].Money() > probs[best].Money() {
			best = k
		}
	}
	return c.plays[best], true
}

// Parallel calls one function for each k below n, on all processors, each goroutine a function of
// its own. The first error ends it. report, unless nil, is called with the number done.
func Parallel(ctx context.Context, n int, report func(done int), of func() func(k int) error) error {
	team, ctx := errgroup.WithContext(ctx)
	var next, done atomic.Int64
	var mu sync.Mutex
	for range min(n, runtime.GOMAXPROCS(0)) {
		team.Go(func() error {
			do := of()
			for k := next.Add(1) - 1; k < int64(n); k = next.Add(1) - 1 {
				if err := cmp.Or(ctx.Err(), do(int(k))); err != nil {
					return err
				}
				if report != nil {
					mu.Lock()
					report(int(done.Add(1)))
					mu.Unlock()
				}
			}
			return nil
		})
	}
	return team.Wait()
}

// Choice is the outcome of the candidate for one class of net. The changes are millipoints
// a decision, below 0 where the candidate is better, over the decisions with a play of its
// class, with their standard errors.
type Choice struct {
	Class     string  `json:"class"`
	Taken     bool    `json:"taken"`
	Decisions int     `json:"decisions"` // with a play of the class, in both halves
	Choosing  float64 `json:"choosing"`  // change on the half that chooses
	ChooseErr float64 `json:"choosing_error"`
	Reporting float64 `json:"reporting"` // change on the other half
	ReportErr float64 `json:"reporting_error"`
}

// ChooseNets tries the candidates, by class in the order of nn.Classes, and keeps each that
// lowers the loss of the whole set on the choosing half of the decisions by more than sigmas
// standard errors, beside those kept before: siblings of different plans are judged by
// different nets. The other half plays no part in the choice and reports its effect.
func ChooseNets(ds []Problem, base *nn.Set, db eval.BearoffSource, candidates map[string]*nn.Net, sigmas float64) (*nn.Set, []Choice, error) {
	losses := func(s *nn.Set) ([]float64, error) {
		m, err := eval.NewModel(s, db)
		if err != nil {
			return nil, err
		}
		return LossesOf(ds, m.Evaluator()), nil
	}
	classes := decisionClasses(ds)
	now, err := losses(base)
	if err != nil {
		return nil, nil, err
	}
	var out []Choice
	for _, class := range nn.Classes() {
		n := candidates[class]
		if n == nil {
			continue
		}
		with := base.With(class, n)
		next, err := losses(with)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", class, err)
		}
		var halves [2]Mean
		for i := range ds {
			if !slices.Contains(classes[i], class) {
				continue
			}
			halves[i%2].Add(next[i] - now[i])
		}
		a, b := &halves[0], &halves[1]
		c := Choice{Class: class, Decisions: a.N() + b.N(), Choosing: a.Value(), ChooseErr: a.StdErr(), Reporting: b.Value(), ReportErr: b.StdErr()}
		if c.Choosing < -sigmas*c.ChooseErr {
			c.Taken = true
			base, now = with, next
		}
		out = append(out, c)
	}
	return base, out, nil
}

// decisionClasses lists the classes that occur among the plays of each decision.
func decisionClasses(ds []Problem) [][]string {
	out := make([][]string, len(ds))
	for i := range ds {
		for _, c := range ds[i].Candidates {
			p, err := board.FromKey(c.Key)
			if err != nil {
				continue
			}
			if class := ClassOf(&p); !slices.Contains(out[i], class) {
				out[i] = append(out[i], class)
			}
		}
	}
	return out
}

// Halves splits decisions as ChooseNets does: those that choose, and those that report.
func Halves(ds []Problem) (choosing, reporting []Problem) {
	for i := range ds {
		if i%2 == 0 {
			choosing = append(choosing, ds[i])
		} else {
			reporting = append(reporting, ds[i])
		}
	}
	return choosing, reporting
}
