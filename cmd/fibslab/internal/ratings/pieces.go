package ratings

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"fibsbot/internal/shard"
)

// measureSpec is all on which blocks of a measurement depend besides their cell and index.
type measureSpec struct {
	Header Header `json:"header"`
	Errors bool   `json:"errors"`
}

// blockAsk is a piece of a measurement: one block.
type blockAsk struct {
	Cell  Cell `json:"cell"`
	Index int  `json:"index"`
	// Presets are the settings' fingerprints on the planning side.
	Presets Fingerprints `json:"presets,omitzero"`
}

// Spec describes the blocks of a store to another process, where FromSpec opens them.
func (s *Store) Spec(errorRates bool) ([]byte, error) {
	return json.Marshal(measureSpec{s.Header, errorRates})
}

// FromSpec returns what makes runners of blocks. The error wraps ErrOtherVersion if eng plays
// differently from the one that the store belongs to.
func FromSpec(ctx context.Context, eng *Engine, text []byte) (func() (shard.Runner, error), error) {
	var s measureSpec
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrResults, err)
	}
	if err := s.Header.validate(); err != nil {
		return nil, err
	}
	sig, err := Signature(ctx, eng)
	if err != nil {
		return nil, err
	}
	if sig != s.Header.Signature {
		return nil, fmt.Errorf("%w: the engine there plays as %s, this one as %s", ErrOtherVersion, s.Header.Signature, sig)
	}
	return func() (shard.Runner, error) { return &blockRunner{eng, s}, nil }, nil
}

// blockRunner plays blocks.
type blockRunner struct {
	eng  *Engine
	spec measureSpec
}

// Run implements shard.Runner. The time of the block is not part of the result.
func (r *blockRunner) Run(ctx context.Context, text []byte) ([]byte, error) {
	var a blockAsk
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrResults, err)
	}
	if err := a.Cell.Validate(); err != nil {
		return nil, err
	}
	if now := a.Cell.Fingerprints(); a.Presets != now {
		return nil, fmt.Errorf("%w: presets %q there, %q here", ErrOtherVersion, a.Presets, now)
	}
	b, err := playBlock(ctx, r.eng, r.spec.Header, a.Cell, a.Index, r.spec.Errors)
	if err != nil {
		return nil, err
	}
	b.CPU = 0
	return json.Marshal(b)
}

// piece is the block as a piece. Its key is the cell's seed of the dice, derived from the cell's
// name, and the index.
func (d due) piece(seed uint64) shard.Piece {
	text, err := json.Marshal(blockAsk{d.cell, d.index, d.cell.Fingerprints()})
	if err != nil {
		panic(err) // plain structures; Validate has seen the numbers
	}
	return shard.Piece{Key: fmt.Sprintf("%016x-%d", streamSeed(seed, d.cell), d.index), Ask: text}
}

// doBlocks has crew play the blocks of list and passes them to take in order; ahead are those
// that will most likely be next.
func doBlocks(ctx context.Context, crew shard.Crew, seed uint64, list, ahead []due, take func(k int, b Block) error) error {
	pieces := func(list []due) (out []shard.Piece) {
		for _, d := range list {
			out = append(out, d.piece(seed))
		}
		return out
	}
	return crew.Do(ctx, pieces(list), pieces(ahead), func(k int, r shard.Result) error {
		var b Block
		if err := json.Unmarshal(r.Data, &b); err != nil {
			return fmt.Errorf("%w: block %d of %s: %w", ErrResults, list[k].index, list[k].cell, err)
		}
		if b.Cell != list[k].cell || b.Index != list[k].index {
			return fmt.Errorf("%w: block %d of %s came for block %d of %s", ErrResults, b.Index, b.Cell, list[k].index, list[k].cell)
		}
		b.CPU = math.Round(r.Seconds*1000) / 1000
		return take(k, b)
	})
}

// playBlocks has the blocks of list played and keeps them in order; ahead are those that the next
// rounds will most likely want.
func playBlocks(ctx context.Context, store *Store, o *Measurement, list, ahead []due) error {
	return doBlocks(ctx, o.Crew, store.Header.Seed, list, ahead, func(_ int, b Block) error {
		if err := store.Add(b); err != nil {
			return err
		}
		if o.Keep != nil {
			return o.Keep(b)
		}
		return nil
	})
}
