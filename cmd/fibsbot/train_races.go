package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/train"
)

// newTrainRacesCmd makes races with exact labels.
func newTrainRacesCmd() *cobra.Command {
	var (
		db, rest      string
		starts, avoid []string
		n             int
		seed          uint64
	)
	cmd := &cobra.Command{
		Use:   "races OUT",
		Short: "Generate races with the exact chances of a bearoff database",
		Long: `Plays races inside a big one-sided database, mostly the quickest play and
sometimes any, and writes the positions that are not home yet with the database's
chances, none twice. A third of the races begin at records of the --starts files,
a third at drawn race boards, a third at any placement, which is where gammons are.
--rest FILE keeps the races of --starts that the database does not hold, with the
labels they have.`,
		Example: `  fibsbot bearoff build one --points 10 -o one-15x10.bearoff
  fibsbot train races exact.bin --db one-15x10.bearoff --starts sp-natural.bin --positions 3000000`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if db == "" {
				return usagef("--db: which one-sided database? (fibsbot bearoff build one --points 10 -o FILE)")
			}
			if n < 1 || n > 1<<28 {
				return usagef("--positions: %d is not between 1 and %d", n, 1<<28)
			}
			ctx := cmd.Context()
			known, err := openRaces(db)
			if err != nil {
				return err
			}
			defer known.Close()
			m := raceMaker{known: known, rng: rand.New(rand.NewPCG(seed, 0x7ace5)), seen: train.NewKeySet(n)}
			for _, path := range avoid {
				recs, err := train.ReadRecords(nil, path)
				if err != nil {
					return usagef("%v", err)
				}
				for i := range recs {
					m.seen.Add(recs[i].Key)
				}
			}
			var outside []train.Record
			for _, path := range starts {
				recs, err := train.ReadRecords(nil, path)
				if err != nil {
					return usagef("%v", err)
				}
				for _, r := range train.KindRace.Keep(recs) {
					p, err := board.FromKey(r.Key)
					switch {
					case err != nil || !outsideHome(&p):
					case m.holds(&p):
						m.starts = append(m.starts, r.Key)
					case !m.seen.Has(r.Key):
						outside = append(outside, r)
					}
				}
			}
			if rest != "" {
				if err := train.WriteRecords(rest, outside); err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d races outside the database\n", rest, len(outside))
			}
			if err := m.run(ctx, n); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d races, %d starts from files\n", args[0], len(m.out), len(m.starts))
			return train.WriteRecords(args[0], m.out)
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "one-sided database of 15 checkers on more than 6 points")
	f.StringVar(&rest, "rest", "", "file for the races of --starts outside the database")
	f.StringSliceVar(&starts, "starts", nil, "record files with races to begin at")
	f.StringSliceVar(&avoid, "avoid", nil, "record files whose positions must not be made")
	f.IntVar(&n, "positions", 1000000, "how many positions to make")
	f.Uint64Var(&seed, "seed", 1, "seed of dice and boards")
	return cmd
}

// raceMaker makes races that its database holds.
type raceMaker struct {
	known  *bearoff.OneSided
	rng    *rand.Rand
	seen   *train.KeySet
	starts []board.Key
	plays  []board.Play
	out    []train.Record
}

func (m *raceMaker) holds(p *board.Position) bool {
	return m.known.Holds(&p.Me) && m.known.Holds(&p.Opp)
}

// run makes positions until out holds n.
func (m *raceMaker) run(ctx context.Context, n int) error {
	m.out = make([]train.Record, 0, n)
	for games := 0; len(m.out) < n; games++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if games > 1000+n {
			return fmt.Errorf("only %d of %d different races found", len(m.out), n)
		}
		p, ok := m.start()
		for ok && len(m.out) < n && p.Result() == 0 && outsideHome(&p) {
			m.keep(&p)
			d := board.Dice{A: uint8(1 + m.rng.IntN(6)), B: uint8(1 + m.rng.IntN(6))}
			m.plays = board.AppendPlays(m.plays[:0], p, d)
			next, best := p.Me, 0.0
			for i := range m.plays {
				c := &m.plays[i].Result.Me
				mean, held := m.known.MeanRolls(c)
				if !held {
					return fmt.Errorf("%s: %w", m.known, bearoff.ErrDamaged)
				}
				if i == 0 || mean < best {
					next, best = *c, mean
				}
				if m.rng.IntN(4) == 0 && len(m.out) < n {
					rival := m.plays[i].Result.Swap()
					m.keep(&rival)
				}
			}
			if len(m.plays) > 0 && m.rng.IntN(6) == 0 {
				next = m.plays[m.rng.IntN(len(m.plays))].Result.Me
			}
			p.Me = next
			p = p.Swap()
		}
	}
	return nil
}

// keep adds p with its chances unless it is over, home, or there already.
func (m *raceMaker) keep(p *board.Position) {
	if p.Result() != 0 || !outsideHome(p) || !m.seen.Add(p.Key()) {
		return
	}
	if r, ok := raceRecord(m.known, p); ok {
		m.out = append(m.out, r)
	}
}

// start draws a beginning; ok is false when it came to nothing.
func (m *raceMaker) start() (p board.Position, ok bool) {
	switch k := m.rng.IntN(3); {
	case k == 0 && len(m.starts) > 0:
		p, err := board.FromKey(m.starts[m.rng.IntN(len(m.starts))])
		return p, err == nil
	case k == 1:
		p = train.StartOf(train.LongRace, m.rng)
		return p, m.holds(&p)
	}
	p = board.Position{Me: m.placement(), Opp: m.placement()}
	return p, p.Validate() == nil && p.Result() == 0 && !p.Contact()
}

// placement puts checkers anywhere inside the database, more often all fifteen
// than not, gathered round some point.
func (m *raceMaker) placement() (c board.Checkers) {
	n := board.MaxCheckers
	if m.rng.IntN(2) == 0 {
		n = 1 + m.rng.IntN(board.MaxCheckers)
	}
	most := m.known.Points()
	centre, width := m.rng.Float64()*float64(most), 1+4*m.rng.Float64()
	for n > 0 {
		i := int(centre + width*m.rng.NormFloat64())
		if i >= 0 && i < min(most, 24) {
			c[i]++
			n--
		}
	}
	return c
}
