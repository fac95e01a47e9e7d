// Package races makes races with the exact chances of a one-sided bearoff database bigger than the
// engine's own, to train with ([Maker]).
package races

import (
	"context"
	"fmt"
	"math/rand/v2"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// Maker makes races for training that its database holds and the engine's small one does not:
// a quarter begin at positions of StartFrom, a quarter at drawn race boards, a quarter at
// drawn stacks, a quarter at any placement, where gammons come from.
type Maker struct {
	known  *bearoff.OneSided
	rng    *rand.Rand
	seen   train.KeySet
	count  int
	starts []board.Key
	plays  []board.Play
	out    []train.Record
}

// NewMaker returns a maker of count positions with the chances of known.
func NewMaker(known *bearoff.OneSided, count int, seed uint64) *Maker {
	return &Maker{known: known, count: count, rng: rand.New(rand.NewPCG(seed, 0x7ace5)), seen: train.KeySet{}}
}

// Avoid keeps a position from being made.
func (m *Maker) Avoid(k board.Key) { m.seen.Add(k) }

// StartFrom lets races begin at those of recs that are in the database and not home on both
// sides; outside are the races beyond the database that are not avoided.
func (m *Maker) StartFrom(recs []train.Record) (outside []train.Record) {
	for _, r := range train.KindRace.Keep(recs) {
		p := r.Position()
		switch {
		case !outsideHome(&p):
		case m.holds(&p):
			m.starts = append(m.starts, r.Key)
		case !m.seen.Has(r.Key):
			outside = append(outside, r)
		}
	}
	return outside
}

// Starts returns the number of positions at which races may begin.
func (m *Maker) Starts() int { return len(m.starts) }

// Records returns the positions made, without duplicates.
func (m *Maker) Records() []train.Record { return m.out }

// holds reports whether the database knows the race p.
func (m *Maker) holds(p *board.Position) bool {
	return m.known.Holds(&p.Me) && m.known.Holds(&p.Opp)
}

// Run makes the positions.
func (m *Maker) Run(ctx context.Context) error {
	n := m.count
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
func (m *Maker) keep(p *board.Position) {
	if p.Result() != 0 || !outsideHome(p) || !m.seen.Add(p.Key()) {
		return
	}
	if r, ok := labelled(m.known, p); ok {
		m.out = append(m.out, r)
	}
}

// start draws a beginning; ok is false if it found none.
func (m *Maker) start() (p board.Position, ok bool) {
	switch k := m.rng.IntN(4); {
	case k == 0 && len(m.starts) > 0:
		p, err := board.FromKey(m.starts[m.rng.IntN(len(m.starts))])
		return p, err == nil
	case k == 1:
		p = train.StartOf(train.LongRace, m.rng)
		return p, m.holds(&p)
	case k == 2:
		p = train.StartOf(train.StackedRace, m.rng)
		return p, m.holds(&p)
	}
	p = board.Position{Me: m.placement(), Opp: m.placement()}
	return p, p.Validate() == nil && p.Result() == 0 && !p.Contact()
}

// placement puts checkers anywhere inside the database, more often all fifteen than not,
// gathered around some point.
func (m *Maker) placement() (c board.Checkers) {
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

// outsideHome reports whether a checker of either side is not home yet; the engine looks up
// positions at home.
func outsideHome(p *board.Position) bool {
	return p.Me.Rearmost() > 5 || p.Opp.Rearmost() > 5
}

// OpenDatabase opens a one-sided database that knows more than the engine's own.
func OpenDatabase(path string) (*bearoff.OneSided, error) {
	known, err := bearoff.OpenOneSided(path)
	if err != nil {
		return nil, err
	}
	if known.Points() <= 6 || known.Checkers() < board.MaxCheckers {
		known.Close()
		return nil, fmt.Errorf("--db: %s: not a database of 15 checkers on more than 6 points", known)
	}
	return known, nil
}

// labelled is p with the database's chances; ok is false if they are not in it.
func labelled(known *bearoff.OneSided, p *board.Position) (r train.Record, ok bool) {
	c, ok := known.Race(p)
	return train.Record{Key: p.Key(), Label: train.LabelOf(eval.Probs{
		eval.Win: float32(c.Win), eval.WinGammon: float32(c.WinGammon), eval.LoseGammon: float32(c.LoseGammon)})}, ok
}
