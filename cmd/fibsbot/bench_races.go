package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/train"
)

// racesJSON is what `bench races --json` prints.
type racesJSON struct {
	Database string       `json:"database"`
	Nets     string       `json:"nets"`
	Groups   []racesGroup `json:"groups"`
}

// racesGroup are the errors of one judge on one kind of race.
type racesGroup struct {
	Plan       string    `json:"plan"`
	Judge      string    `json:"judge"`
	Positions  int       `json:"positions"`
	Win        raceError `json:"win"`
	WinGammon  raceError `json:"win_gammon"`
	LoseGammon raceError `json:"lose_gammon"`
	// Bias is the mean of the win chance's error with its sign.
	Bias float64 `json:"win_bias"`
}

// raceError is how far one chance is off.
type raceError struct {
	Mean float64 `json:"mean_abs"`
	P99  float64 `json:"p99_abs"`
	Max  float64 `json:"max_abs"`
}

// racesFlags are the flags of `bench races`.
type racesFlags struct {
	weights, db, write, approx string // files; empty where not given
	count                      int    // positions of each plan
	seed                       uint64
	gnubg                      bool
	gnubgDir                   string
	asJSON                     bool
}

// newBenchRacesCmd is `fibsbot bench races`: the race net against a database
// bigger than any it has at hand.
func newBenchRacesCmd() *cobra.Command {
	var r racesFlags
	cmd := &cobra.Command{
		Use:   "races",
		Short: "Measure the race net against a bigger bearoff database",
		Long: `Compares the race net's chances with those of a one-sided database that holds
more points than the six the engine always has. The positions are races outside the
home boards but inside the database, none twice: of natural games that the nets play
against themselves, and of games from drawn race boards. Without --db it measures
on a fixed set of 5,000 such positions that comes with the program and was never
trained on. --gnubg puts gnubg's static evaluation of the same positions beside ours,
--approx what an approximate database ('fibsbot bearoff build one --approx') says.`,
		Example: `  fibsbot bench races
  fibsbot bench races --gnubg
  fibsbot bench races --approx approx-15x10.bearoff
  fibsbot bearoff build one --points 9 -o one-15x9.bearoff
  fibsbot bench races --db one-15x9.bearoff --count 5000 --seed 3 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&r.weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&r.db, "db", "", "draw new positions inside this one-sided database of 15 checkers on more than 6 points")
	f.IntVar(&r.count, "count", 2500, "positions of each kind, with --db")
	f.Uint64Var(&r.seed, "seed", 2027, "seed of the games, with --db")
	f.StringVar(&r.write, "write", "", "only write the drawn positions to this record file")
	f.StringVar(&r.approx, "approx", "", "measure this approximate database as well")
	f.BoolVar(&r.gnubg, "gnubg", false, "measure gnubg as well")
	f.StringVar(&r.gnubgDir, "gnubg-dir", "engine/train/gnubg", "folder of label.py, for --gnubg")
	f.BoolVar(&r.asJSON, "json", false, "print one JSON document")
	return cmd
}

// run measures what the flags ask for and prints it, or only writes the positions.
func (r *racesFlags) run(cmd *cobra.Command) error {
	if r.count < 1 || r.count > 1<<20 {
		return usagef("--count: %d is not between 1 and %d", r.count, 1<<20)
	}
	if r.write != "" && r.db == "" {
		return usagef("--write needs --db")
	}
	ctx := cmd.Context()
	judge, set, err := loadJudge(r.weights)
	if err != nil {
		return err
	}
	out := racesJSON{Database: "fixed positions, one-sided database, 15 checkers on 10 points", Nets: set.Manifest.Name}
	var recs []train.Record
	if r.db == "" {
		recs, err = train.BenchRaces()
	} else {
		out.Database, recs, err = racesOf(ctx, judge, r.db, r.count, r.seed)
	}
	if err != nil {
		return err
	}
	if r.write != "" {
		return train.WriteRecords(r.write, recs)
	}
	judges, done, err := r.judges(ctx, judge)
	if err != nil {
		return err
	}
	defer done()
	if out.Groups, err = compareRaces(recs, judges); err != nil {
		return err
	}
	if r.asJSON {
		return printJSON(cmd.OutOrStdout(), out)
	}
	return out.print(cmd.OutOrStdout())
}

// judges are the race net and whom the flags put beside it; done closes what they
// opened.
func (r *racesFlags) judges(ctx context.Context, net eval.Evaluator) (list []raceJudge, done func(), err error) {
	done = func() {}
	list = []raceJudge{{"fibsbot 0-ply", func(recs []train.Record) ([]eval.Probs, error) { return staticChances(net, recs) }}}
	if r.approx != "" {
		quick, err := bearoff.OpenNormal(r.approx)
		if err != nil {
			return nil, done, usagef("--approx: %w", err)
		}
		done = func() { quick.Close() }
		list = append(list, raceJudge{"approximate", func(recs []train.Record) ([]eval.Probs, error) { return approximate(quick, recs) }})
	}
	if r.gnubg {
		list = append(list, raceJudge{"gnubg 0-ply", func(recs []train.Record) ([]eval.Probs, error) { return gnubgChances(ctx, r.gnubgDir, recs) }})
	}
	return list, done, nil
}

// compareRaces measures every judge on the positions of each plan, which follow
// each other in recs in equal numbers.
func compareRaces(recs []train.Record, judges []raceJudge) (groups []racesGroup, err error) {
	for i, plan := range racePlans {
		part := recs[i*len(recs)/len(racePlans) : (i+1)*len(recs)/len(racePlans)]
		for _, j := range judges {
			got, err := j.chances(part)
			if err != nil {
				return nil, err
			}
			g := measureRaces(part, got)
			g.Plan, g.Judge = plan.String(), j.name
			groups = append(groups, g)
		}
	}
	return groups, nil
}

// racePlans are the kinds of races measured, an equal number of each.
var racePlans = [...]train.Plan{train.Natural, train.LongRace}

// raceJudge is somebody who gives the chances of the player on roll.
type raceJudge struct {
	name    string
	chances func([]train.Record) ([]eval.Probs, error)
}

// outsideHome tells whether a checker of either side is not home yet; what is
// home the engine looks up.
func outsideHome(p *board.Position) bool {
	return p.Me.Rearmost() > 5 || p.Opp.Rearmost() > 5
}

// openRaces opens a one-sided database that knows more than the engine always
// does.
func openRaces(path string) (*bearoff.OneSided, error) {
	known, err := bearoff.OpenOneSided(path)
	if err != nil {
		return nil, usageError{err}
	}
	if known.Points() <= 6 || known.Checkers() < board.MaxCheckers {
		known.Close()
		return nil, usagef("--db: %s: want 15 checkers and more than 6 points", known)
	}
	return known, nil
}

// racesOf draws count positions of each plan with the chances of the database at
// path, and tells its name.
func racesOf(ctx context.Context, judge eval.Evaluator, path string, count int, seed uint64) (name string, recs []train.Record, err error) {
	known, err := openRaces(path)
	if err != nil {
		return "", nil, err
	}
	defer known.Close()
	for i, plan := range racePlans {
		list, err := drawRaces(ctx, judge, known, plan, count, seed+uint64(i))
		if err != nil {
			return "", nil, err
		}
		for k := range list {
			r, ok := raceRecord(known, &list[k])
			if !ok {
				return "", nil, fmt.Errorf("%s: %w", known, bearoff.ErrDamaged)
			}
			recs = append(recs, r)
		}
	}
	return known.String(), recs, nil
}

// raceRecord is p with the database's chances; ok is false when it is not there.
func raceRecord(known *bearoff.OneSided, p *board.Position) (r train.Record, ok bool) {
	c, ok := known.Race(p)
	return train.Record{Key: p.Key(), Label: train.LabelOf(eval.Probs{
		eval.Win: float32(c.Win), eval.WinGammon: float32(c.WinGammon), eval.LoseGammon: float32(c.LoseGammon)})}, ok
}

// drawRaces plays games of the plan with judge until it has n different races
// that known holds and the small database does not.
func drawRaces(ctx context.Context, judge eval.Evaluator, known *bearoff.OneSided, plan train.Plan, n int, seed uint64) ([]board.Position, error) {
	rng := rand.New(rand.NewPCG(seed, 0x7ace))
	player := &train.JudgePlayer{Judge: judge}
	seen := train.NewKeySet(n)
	out := make([]board.Position, 0, n)
	// A game yields several races on average; the limit is there for a database
	// or nets with which none ever does.
	for range 1000 + 50*n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := train.StartOf(plan, rng)
		for turn := 0; p.Result() == 0 && turn < 1000; turn++ {
			if !p.Contact() && !outsideHome(&p) {
				break
			}
			if !p.Contact() && known.Holds(&p.Me) && known.Holds(&p.Opp) && seen.Add(p.Key()) {
				if out = append(out, p); len(out) == n {
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

// measureRaces compares got with the labels of recs.
func measureRaces(recs []train.Record, got []eval.Probs) racesGroup {
	g := racesGroup{Positions: len(recs)}
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
			return nil, usagef("--approx: %s does not hold %s", db, p.ID())
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
func spread(errs []float64) (s raceError) {
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

func (r *racesJSON) print(w io.Writer) error {
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
