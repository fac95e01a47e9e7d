package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"sync"

	"fibsbot/engine/rating"
)

// Duel is a match-up of two sides that may have different nets, for Sprt.
type Duel struct {
	Engines   [2]*Engine
	Settings  [2]Setting
	Length    int
	Seed      uint64
	Luck      bool // take the luck of the dice off the results
	BlockSize int  // pairs between two looks at the test
	Jobs      int  // blocks at the same time, 0 for one a processor
	Signature string
}

// DuelBlock is the result of the pairs from Index*BlockSize on, for the first
// side.
type DuelBlock struct {
	Index  int     `json:"index"`
	Pairs  int     `json:"pairs"`
	Sum    float64 `json:"sum"`
	Square float64 `json:"square"`
}

// DuelTotal is what was played so far.
type DuelTotal struct {
	Pairs          int
	Mean, Variance float64
}

// StdErr is the standard error of Mean.
func (t *DuelTotal) StdErr() float64 { return math.Sqrt(t.Variance / math.Max(1, float64(t.Pairs))) }

// Difference is the rating difference that the share won means, with its 90 %
// interval.
func (t *DuelTotal) Difference(length int) (d, low, high float64) {
	at := func(p float64) float64 { return rating.Difference(math.Max(1e-4, math.Min(1-1e-4, p)), length) }
	half := Z90 * t.StdErr()
	return at(t.Mean), at(t.Mean - half), at(t.Mean + half)
}

type gateHeader struct {
	Version   int     `json:"fibsbot_gate"`
	Signature string  `json:"signature"`
	A         Setting `json:"new"`
	B         Setting `json:"old"`
	Length    int     `json:"length"`
	Seed      uint64  `json:"seed"`
	Luck      bool    `json:"luck"`
	BlockSize int     `json:"block"`
}

func (d *Duel) header() gateHeader {
	return gateHeader{FormatVersion, d.Signature, d.Settings[0], d.Settings[1], d.Length, d.Seed, d.Luck, d.BlockSize}
}

// Header is the first line of the file of a duel.
func (d *Duel) Header() []byte {
	line, err := json.Marshal(d.header())
	if err != nil {
		return nil // Test refuses the settings that cannot be written
	}
	return append(line, '\n')
}

// Line is the block's line in the file of a duel.
func (b DuelBlock) Line() []byte {
	line, err := json.Marshal(b)
	if err != nil {
		return nil // numbers that are none do not occur in results
	}
	return append(line, '\n')
}

// Read reads the file of a duel and returns its blocks, which must be those of
// this duel from the first on, and how many bytes of data are whole lines. The
// error wraps ErrResults, ErrOtherVersion or ErrDuplicate.
func (d *Duel) Read(data []byte) (blocks []DuelBlock, size int, err error) {
	for n := 1; ; n++ {
		end := bytes.IndexByte(data[size:], '\n')
		if end < 0 {
			return blocks, size, nil
		}
		line := data[size : size+end]
		size += end + 1
		if n == 1 {
			var h gateHeader
			if err := json.Unmarshal(line, &h); err != nil || h.Version == 0 {
				return nil, 0, fmt.Errorf("line 1: %w: no header", ErrResults)
			}
			if h != d.header() {
				return nil, 0, fmt.Errorf("line 1: %w: another pair of sides, seed, length or engine", ErrOtherVersion)
			}
			continue
		}
		var b DuelBlock
		if err := json.Unmarshal(line, &b); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w: %w", n, ErrResults, err)
		}
		switch {
		case b.Index < len(blocks):
			return nil, 0, fmt.Errorf("line %d: %w: block %d", n, ErrDuplicate, b.Index)
		case b.Index != len(blocks) || b.Pairs != d.BlockSize || !(b.Square >= 0) || !finite(b.Sum) || !finite(b.Square):
			return nil, 0, fmt.Errorf("line %d: %w: block %+v", n, ErrResults, b)
		}
		blocks = append(blocks, b)
	}
}

// Test plays until the test decides or maxPairs are played. earlier are the
// blocks already there; keep, which may be nil, is called with each new one in
// order. The result does not depend on the number of jobs.
func (d *Duel) Test(ctx context.Context, t *Sprt, maxPairs int, earlier []DuelBlock, keep func(DuelBlock) error) (Outcome, DuelTotal, error) {
	var m moments
	if err := t.Validate(); err != nil {
		return GoOn, DuelTotal{}, err
	}
	if d.BlockSize < 1 || d.BlockSize > maxBlock {
		return GoOn, DuelTotal{}, fmt.Errorf("%w: blocks of %d pairs", ErrSprt, d.BlockSize)
	}
	total := func() DuelTotal { return DuelTotal{Pairs: m.n, Mean: m.mean(), Variance: m.variance()} }
	add := func(b DuelBlock) Outcome {
		m.n, m.sum, m.square = m.n+b.Pairs, m.sum+b.Sum, m.square+b.Square
		return t.Judge(m.n, m.mean(), m.variance())
	}
	for _, b := range earlier {
		if v := add(b); v != GoOn {
			return v, total(), nil
		}
	}
	jobs := d.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	sims := make([]*Sim, jobs)
	for i := range sims {
		s, err := NewSim(d.Engines, d.Settings[0], d.Settings[1], d.Length, SimOptions{Luck: d.Luck})
		if err != nil {
			return GoOn, total(), err
		}
		sims[i] = s
	}
	for next := len(earlier); m.n < maxPairs; next += jobs {
		blocks, errs := make([]DuelBlock, jobs), make([]error, jobs)
		var wg sync.WaitGroup
		for i := range jobs {
			wg.Go(func() { blocks[i], errs[i] = d.block(ctx, sims[i], next+i) })
		}
		wg.Wait()
		// Blocks beyond the decisive one are dropped, so that the number of jobs
		// changes nothing.
		for i := range jobs {
			if errs[i] != nil {
				return GoOn, total(), errs[i]
			}
			if keep != nil {
				if err := keep(blocks[i]); err != nil {
					return GoOn, total(), fmt.Errorf("keep results: %w", err)
				}
			}
			if v := add(blocks[i]); v != GoOn || m.n >= maxPairs {
				return v, total(), nil
			}
		}
	}
	return GoOn, total(), nil
}

func (d *Duel) block(ctx context.Context, s *Sim, index int) (DuelBlock, error) {
	out := DuelBlock{Index: index, Pairs: d.BlockSize}
	for k := range d.BlockSize {
		r, err := s.Pair(ctx, d.Seed, uint64(index)*uint64(d.BlockSize)+uint64(k))
		if err != nil {
			return out, err
		}
		out.Sum += r.Won
		out.Square += r.Won * r.Won
	}
	return out, nil
}
