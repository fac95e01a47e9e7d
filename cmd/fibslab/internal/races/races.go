package races

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// Report is the error of judges of races.
type Report struct {
	Database string  `json:"database"`
	Nets     string  `json:"nets"`
	Groups   []Group `json:"groups"`
}

// Group holds the errors of one judge on one kind of race.
type Group struct {
	Plan       string `json:"plan"`
	Judge      string `json:"judge"`
	Positions  int    `json:"positions"`
	Win        Spread `json:"win"`
	WinGammon  Spread `json:"win_gammon"`
	LoseGammon Spread `json:"lose_gammon"`
	// Bias is the mean of the win chance's error with its sign.
	Bias float64 `json:"win_bias"`
}

// Spread is the error of one chance.
type Spread struct {
	Mean float64 `json:"mean_abs"`
	P99  float64 `json:"p99_abs"`
	Max  float64 `json:"max_abs"`
}

// Compare measures every judge on the positions of each plan, which follow each other in recs
// in equal numbers.
func Compare(recs []train.Record, judges []Estimator) (groups []Group, err error) {
	for i, plan := range plans {
		part := recs[i*len(recs)/len(plans) : (i+1)*len(recs)/len(plans)]
		for _, j := range judges {
			got, err := j.Chances(part)
			if err != nil {
				return nil, err
			}
			g := measure(part, got)
			g.Plan, g.Judge = plan.String(), j.Name
			groups = append(groups, g)
		}
	}
	return groups, nil
}

// plans are the kinds of races measured, an equal number of each.
var plans = [...]train.Plan{train.Natural, train.LongRace}

// Estimator gives the chances of the player on roll in races.
type Estimator struct {
	Name    string
	Chances func([]train.Record) ([]eval.Probs, error)
}

// Static is a static evaluation as an Estimator.
func Static(name string, of eval.Evaluator) Estimator {
	return Estimator{name, func(recs []train.Record) ([]eval.Probs, error) { return staticChances(of, recs) }}
}

// Approximate is a database of means and variances as an Estimator.
func Approximate(name string, db *bearoff.Normal) Estimator {
	return Estimator{name, func(recs []train.Record) ([]eval.Probs, error) { return approximate(db, recs) }}
}

// Gnubg is gnubg's static evaluation as an Estimator; dir is the folder of label.py.
func Gnubg(ctx context.Context, name, dir string) Estimator {
	return Estimator{name, func(recs []train.Record) ([]eval.Probs, error) { return gnubgChances(ctx, dir, recs) }}
}

// OutsideHome reports whether a checker of either side is not home yet; the engine looks up
// positions at home.
func OutsideHome(p *board.Position) bool {
	return p.Me.Rearmost() > 5 || p.Opp.Rearmost() > 5
}

// ErrDatabase means that a database, or the options that name it, cannot be used.
var ErrDatabase = errors.New("no database for races")

// fault is an error with its own text that errors.Is finds as ErrDatabase.
type fault struct{ error }

// Is implements the interface of errors.Is.
func (fault) Is(target error) bool { return target == ErrDatabase }

// Unwrap returns the cause.
func (e fault) Unwrap() error { return e.error }

// OpenDatabase opens a one-sided database that knows more than the engine's own. The error
// wraps [ErrDatabase].
func OpenDatabase(path string) (*bearoff.OneSided, error) {
	known, err := bearoff.OpenOneSided(path)
	if err != nil {
		return nil, fault{err}
	}
	if known.Points() <= 6 || known.Checkers() < board.MaxCheckers {
		known.Close()
		return nil, fault{fmt.Errorf("--db: %s: not a database of 15 checkers on more than 6 points", known)}
	}
	return known, nil
}

// FromDatabase draws count positions of each plan with the chances of the database at path,
// and returns its name. progress may be nil.
func FromDatabase(ctx context.Context, judge eval.Evaluator, path string, count int, seed uint64, progress func(what string, done, total int)) (name string, recs []train.Record, err error) {
	known, err := OpenDatabase(path)
	if err != nil {
		return "", nil, err
	}
	defer known.Close()
	for i, plan := range plans {
		list, err := draw(ctx, judge, known, plan, count, seed+uint64(i), progress)
		if err != nil {
			return "", nil, err
		}
		for k := range list {
			r, ok := labelled(known, &list[k])
			if !ok {
				return "", nil, fmt.Errorf("%s: %w", known, bearoff.ErrDamaged)
			}
			recs = append(recs, r)
		}
	}
	return known.String(), recs, nil
}

// labelled is p with the database's chances; ok is false if they are not in it.
func labelled(known *bearoff.OneSided, p *board.Position) (r train.Record, ok bool) {
	c, ok := known.Race(p)
	return train.Record{Key: p.Key(), Label: train.LabelOf(eval.Probs{
		eval.Win: float32(c.Win), eval.WinGammon: float32(c.WinGammon), eval.LoseGammon: float32(c.LoseGammon)})}, ok
}

// draw plays games of the plan with judge until it has n different races that known holds and
// the small database does not.
func draw(ctx context.Context, judge eval.Evaluator, known *bearoff.OneSided, plan train.Plan, n int, seed uint64, progress func(what string, done, total int)) ([]board.Position, error) {
	rng := rand.New(rand.NewPCG(seed, 0x7ace))
	player := &train.NetPlayer{Net: judge}
	seen := train.NewKeySet(n)
	out := make([]board.Position, 0, n)
	// A game yields several races on average; the limit is for a database or nets with which
	// none ever does.
	for range 1000 + 50*n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := train.StartOf(plan, rng)
		for turn := 0; p.Result() == 0 && turn < 1000; turn++ {
			if !p.Contact() && !OutsideHome(&p) {
				break
			}
			if !p.Contact() && known.Holds(&p.Me) && known.Holds(&p.Opp) && seen.Add(p.Key()) {
				out = append(out, p)
				if progress != nil {
					progress("races of "+plan.String()+" games", len(out), n)
				}
				if len(out) == n {
					return out, nil
				}
			}
			d := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
			if play, ok := player.Play(p, d); ok {
				p = play.Result
			}
			p = p.Swap()
		}
	}
	return nil, fmt.Errorf("only %d of %d races found", len(out), n)
}

// measure compares got with the labels of recs.
func measure(recs []train.Record, got []eval.Probs) Group {
	g := Group{Positions: len(recs)}
	var off [3][]float64
	for i := range recs {
		want := recs[i].Label.Probs()
		g.Bias += float64(got[i][eval.Win]-want[eval.Win]) / float64(len(recs))
		for k, output := range [...]int{eval.Win, eval.WinGammon, eval.LoseGammon} {
			off[k] = append(off[k], math.Abs(float64(got[i][output]-want[output])))
		}
	}
	g.Win, g.WinGammon, g.LoseGammon = spread(off[0]), spread(off[1]), spread(off[2])
	return g
}

// staticChances are the judge's.
func staticChances(judge eval.Evaluator, recs []train.Record) ([]eval.Probs, error) {
	out := make([]eval.Probs, len(recs))
	for i := range recs {
		p, err := board.FromKey(recs[i].Key)
		if err != nil {
			return nil, err
		}
		out[i] = judge.Eval(&p)
	}
	return out, nil
}

// approximate are the chances of a database of means and variances.
func approximate(db *bearoff.Normal, recs []train.Record) ([]eval.Probs, error) {
	out := make([]eval.Probs, len(recs))
	for i := range recs {
		p, err := board.FromKey(recs[i].Key)
		if err != nil {
			return nil, err
		}
		if !db.Holds(&p.Me) || !db.Holds(&p.Opp) {
			return nil, fault{fmt.Errorf("--approx: %s does not hold %s", db, p.ID())}
		}
		c, ok := db.Race(&p)
		if !ok {
			return nil, fmt.Errorf("%s: %w", db, bearoff.ErrDamaged)
		}
		out[i] = eval.Probs{eval.Win: float32(c.Win), eval.WinGammon: float32(c.WinGammon), eval.LoseGammon: float32(c.LoseGammon)}
	}
	return out, nil
}

// spread sums up absolute errors; it sorts them.
func spread(errs []float64) (s Spread) {
	if len(errs) == 0 {
		return s
	}
	slices.Sort(errs)
	for _, e := range errs {
		s.Mean += e / float64(len(errs))
	}
	s.P99, s.Max = errs[len(errs)*99/100], errs[len(errs)-1]
	return s
}

// gnubgChances asks gnubg for its static evaluations.
func gnubgChances(ctx context.Context, dir string, recs []train.Record) ([]eval.Probs, error) {
	t, err := train.StartGnubg(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	keys := make([]board.Key, len(recs))
	for i := range recs {
		keys[i] = recs[i].Key
	}
	labels := make([]train.Label, len(keys))
	if err := t.Label(keys, 0, labels); err != nil {
		return nil, err
	}
	out := make([]eval.Probs, len(labels))
	for i := range labels {
		out[i] = labels[i].Probs()
	}
	return out, nil
}

// Print writes the report as text.
func (r *Report) Print(w io.Writer) error {
	if _, err := fmt.Fprintf(w, `nets %s; %s
absolute errors: mean / 99 of 100 below / largest
                                       win                       gammon won                gammon lost
`, r.Nets, r.Database); err != nil {
		return err
	}
	for _, g := range r.Groups {
		if _, err := fmt.Fprintf(w, "%-8s %-14s %6d   %.5f / %.4f / %.4f   %.5f / %.4f / %.4f   %.5f / %.4f / %.4f   bias of win %+.5f\n",
			g.Plan, g.Judge, g.Positions, g.Win.Mean, g.Win.P99, g.Win.Max, g.WinGammon.Mean, g.WinGammon.P99, g.WinGammon.Max,
			g.LoseGammon.Mean, g.LoseGammon.P99, g.LoseGammon.Max, g.Bias); err != nil {
			return err
		}
	}
	return nil
}
