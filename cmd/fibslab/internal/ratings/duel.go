package ratings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"fibsbot/engine/dice"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
	"fibsbot/internal/shard"
)

// Duel is a match-up, for Sprt, of two sides that may have different nets.
type Duel struct {
	Engines   [2]*Engine
	Settings  [2]tune.Setting
	Length    int
	Seed      uint64
	Dice      dice.Generator
	Luck      bool // subtract the luck of the dice from the results
	BlockSize int  // pairs between two evaluations of the test
	Jobs      int  // blocks at the same time, 0 for one for each processor
	Signature string
	// Crew plays the blocks, up to Size of them in a piece; nil is this process, with Jobs threads
	// and one block a piece. Results do not depend on it.
	Crew shard.Crew
	Size int
}

// DuelBlock is the result of the pairs from Index*BlockSize on, for the first
// side.
type DuelBlock struct {
	Index  int     `json:"index"`
	Pairs  int     `json:"pairs"`
	Sum    float64 `json:"sum"`
	Square float64 `json:"square"`
}

// DuelTotal is the sum of the blocks so far.
type DuelTotal struct {
	Pairs          int
	Mean, Variance float64
}

// StdErr is the standard error of Mean.
func (t *DuelTotal) StdErr() float64 { return math.Sqrt(t.Variance / math.Max(1, float64(t.Pairs))) }

// Difference is the rating difference that the share won corresponds to, with its 90 %
// interval.
func (t *DuelTotal) Difference(length int) (d, low, high float64) {
	at := func(p float64) float64 { return rating.Difference(math.Max(1e-4, math.Min(1-1e-4, p)), length) }
	half := tune.Z90 * t.StdErr()
	return at(t.Mean), at(t.Mean - half), at(t.Mean + half)
}

type gateHeader struct {
	Version   int          `json:"fibsbot_gate"`
	Signature string       `json:"signature"`
	A         tune.Setting `json:"new"`
	B         tune.Setting `json:"old"`
	Length    int          `json:"length"`
	Seed      uint64       `json:"seed"`
	Luck      bool         `json:"luck"`
	BlockSize int          `json:"block"`

	Dice dice.Generator `json:"dice,omitempty"`
}

func (d *Duel) header() gateHeader {
	return gateHeader{FormatVersion, d.Signature, d.Settings[0], d.Settings[1], d.Length, d.Seed, d.Luck, d.BlockSize, d.Dice}
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
		return nil // results hold no NaN
	}
	return append(line, '\n')
}

// Read reads the file of a duel and returns its blocks, which must be those of this duel from
// the first on, and how many bytes of data are whole lines. The error wraps ErrResults,
// ErrOtherVersion or ErrDuplicate.
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
				return nil, 0, fmt.Errorf("line 1: %w: another pair of sides, seed, dice, length or engine", ErrOtherVersion)
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

// Test plays until the test decides or maxPairs are played. earlier are the blocks of earlier
// runs; keep, unless nil, is called with each new one in order. The result does not depend on
// the number of jobs.
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
		return t.Outcome(m.n, m.mean(), m.variance())
	}
	for _, b := range earlier {
		if v := add(b); v != GoOn {
			return v, total(), nil
		}
	}
	crew, size := d.Crew, d.Size
	if crew == nil {
		crew, size = &shard.Local{Threads: d.Jobs, New: d.runner}, 1
	}
	verdict, left := GoOn, maxPairs-m.n
	if left <= 0 {
		return GoOn, total(), nil
	}
	parts := shard.Each{From: len(earlier), To: len(earlier) + (left+d.BlockSize-1)/d.BlockSize, Size: size}
	// Blocks beyond the decisive one are dropped, so that the result does not depend on the crew.
	err := parts.Do(ctx, crew, func(r shard.Range, res shard.Result) error {
		var list []DuelBlock
		if err := json.Unmarshal(res.Data, &list); err != nil || len(list) != r.To-r.From {
			return fmt.Errorf("%w: blocks %d to %d are not those of this duel", ErrResults, r.From, r.To-1)
		}
		for i, b := range list {
			if b.Index != r.From+i || b.Pairs != d.BlockSize {
				return fmt.Errorf("%w: block %+v in the place of block %d", ErrResults, b, r.From+i)
			}
			if keep != nil {
				if err := keep(b); err != nil {
					return fmt.Errorf("keep results: %w", err)
				}
			}
			if verdict = add(b); verdict != GoOn || m.n >= maxPairs {
				return errDecided
			}
		}
		return nil
	})
	if errors.Is(err, errDecided) {
		err = nil
	}
	return verdict, total(), err
}

// errDecided ends a test whose outcome is known.
var errDecided = errors.New("decided")

// maxDuelPiece is the most blocks in a piece.
const maxDuelPiece = 1024

// runner returns a runner of blocks for one goroutine.
func (d *Duel) runner() (shard.Runner, error) {
	s, err := newSim(d.Engines, d.Settings[0], d.Settings[1], d.Length, simOptions{Luck: d.Luck, Dice: d.Dice})
	if err != nil {
		return nil, err
	}
	return shard.Func(func(ctx context.Context, ask []byte) ([]byte, error) {
		r, err := shard.ParseRange(ask, maxDuelPiece)
		if err != nil {
			return nil, err
		}
		var out []DuelBlock
		for k := r.From; k < r.To; k++ {
			b, err := d.block(ctx, s, k)
			if err != nil {
				return nil, err
			}
			out = append(out, b)
		}
		return json.Marshal(out)
	}), nil
}

// Spec describes the blocks to another process, where DuelFromSpec opens them.
func (d *Duel) Spec() ([]byte, error) { return json.Marshal(d.header()) }

// DuelFromSpec returns what makes runners of blocks between two engines. The error wraps
// ErrOtherVersion if these play differently from those of the duel.
func DuelFromSpec(ctx context.Context, engines [2]*Engine, text []byte) (func() (shard.Runner, error), error) {
	var h gateHeader
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrResults, err)
	}
	if h.Version != FormatVersion || h.BlockSize < 1 || h.BlockSize > maxBlock {
		return nil, fmt.Errorf("%w: version %d, blocks of %d pairs", ErrResults, h.Version, h.BlockSize)
	}
	var sigs [2]string
	for i, b := range engines {
		var err error
		if sigs[i], err = Signature(ctx, b); err != nil {
			return nil, err
		}
	}
	if have := sigs[0] + "/" + sigs[1]; have != h.Signature {
		return nil, fmt.Errorf("%w: the engines there play as %.80s, these as %s", ErrOtherVersion, h.Signature, have)
	}
	d := &Duel{Engines: engines, Settings: [2]tune.Setting{h.A, h.B}, Length: h.Length, Seed: h.Seed, Dice: h.Dice, Luck: h.Luck, BlockSize: h.BlockSize, Signature: h.Signature}
	return d.runner, nil
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
