package races

import (
	"context"
	"fmt"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/eval"
)

// Options say on which races to measure nets, and which other judges.
type Options struct {
	Weights  string // weights file, "" for the embedded one
	DB       string // draw positions inside this database; "" takes the set in the program
	Count    int    // positions of each plan, with DB
	Seed     uint64 // of the games, with DB
	Write    string // only write the positions to this record file
	Approx   string // approximate database to measure as well, or ""
	Gnubg    bool   // measure gnubg as well
	GnubgDir string // folder of label.py
	// Progress, unless nil, is called with the number of positions drawn.
	Progress func(what string, done, total int)
}

// maxCount is the most positions of a plan.
const maxCount = 1 << 20

// Measure measures as asked, or with Write only writes the positions. The error wraps
// [ErrDatabase] if the options or a database cannot be used, and [teacher.ErrOptions] if the
// weights cannot or gnubg is missing.
func (o *Options) Measure(ctx context.Context) (r Report, err error) {
	if o.Count < 1 || o.Count > maxCount {
		return r, fault{fmt.Errorf("--count: %d is not between 1 and %d", o.Count, maxCount)}
	}
	if o.Write != "" && o.DB == "" {
		return r, fault{fmt.Errorf("--write needs --db")}
	}
	if o.Gnubg {
		if err := (teacher.Options{Name: "gnubg", GnubgDir: o.GnubgDir}).Check(0); err != nil {
			return r, err
		}
	}
	net, set, err := teacher.Static(o.Weights)
	if err != nil {
		return r, err
	}
	r = Report{Database: "fixed positions, one-sided database, 15 checkers on 10 points", Nets: set.Manifest.Name}
	var recs []train.Record
	if o.DB == "" {
		recs, err = train.BenchRaces()
	} else {
		r.Database, recs, err = FromDatabase(ctx, net, o.DB, o.Count, o.Seed, o.Progress)
	}
	if err != nil {
		return r, err
	}
	if o.Write != "" {
		return r, train.WriteRecords(o.Write, recs)
	}
	judges, done, err := o.judges(ctx, net)
	if err != nil {
		return r, err
	}
	defer done()
	r.Groups, err = Compare(recs, judges)
	return r, err
}

// judges are the race net and those of the options; done closes what they opened.
func (o *Options) judges(ctx context.Context, net eval.Evaluator) (list []Estimator, done func(), err error) {
	done = func() {}
	list = []Estimator{Static("fibsbot 0-ply", net)}
	if o.Approx != "" {
		quick, err := bearoff.OpenNormal(o.Approx)
		if err != nil {
			return nil, done, fault{fmt.Errorf("--approx: %w", err)}
		}
		done = func() { quick.Close() }
		list = append(list, Approximate("approximate", quick))
	}
	if o.Gnubg {
		list = append(list, Gnubg(ctx, "gnubg 0-ply", o.GnubgDir))
	}
	return list, done, nil
}
