package ratings

import (
	"context"
	"encoding/json"
	"fmt"

	"fibsbot/engine"
	"fibsbot/internal/shard"
)

// blockAsk is a piece of a measurement: one block.
type blockAsk struct {
	Cell  Cell `json:"cell"`
	Index int  `json:"index"`
	// Presets are the settings' fingerprints on the planning side.
	Presets Fingerprints `json:"presets,omitzero"`
}

// Spec describes the blocks of a store to another process, where FromSpec opens them.
func (s *Store) Spec() ([]byte, error) { return json.Marshal(s.Header) }

// FromSpec returns what makes runners of blocks. The error wraps ErrOtherVersion if eng plays
// differently from the one that the store belongs to.
func FromSpec(ctx context.Context, eng *engine.Engine, text []byte) (func() (shard.Runner, error), error) {
	var h Header
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrResults, err)
	}
	if err := h.validate(); err != nil {
		return nil, err
	}
	sig, err := Signature(ctx, eng)
	if err != nil {
		return nil, err
	}
	if sig != h.Signature {
		return nil, fmt.Errorf("%w: the engine there plays as %s, this one as %s", ErrOtherVersion, h.Signature, sig)
	}
	return func() (shard.Runner, error) { return &blockRunner{eng, h}, nil }, nil
}

// blockRunner plays blocks.
type blockRunner struct {
	eng    *engine.Engine
	header Header
}

// Run implements shard.Runner.
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
	b, err := playBlock(ctx, r.eng, r.header, a.Cell, a.Index)
	if err != nil {
		return nil, err
	}
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

// playBlocks has the blocks of list played and keeps them in order; ahead are those that the next
// rounds will most likely want.
func playBlocks(ctx context.Context, store *Store, o *Measurement, list, ahead []due) error {
	pieces := func(list []due) (out []shard.Piece) {
		for _, d := range list {
			out = append(out, d.piece(store.Header.Seed))
		}
		return out
	}
	return o.Crew.Do(ctx, pieces(list), pieces(ahead), func(k int, r shard.Result) error {
		var b Block
		if err := json.Unmarshal(r.Data, &b); err != nil {
			return fmt.Errorf("%w: block %d of %s: %w", ErrResults, list[k].index, list[k].cell, err)
		}
		if b.Cell != list[k].cell || b.Index != list[k].index {
			return fmt.Errorf("%w: block %d of %s came for block %d of %s", ErrResults, b.Index, b.Cell, list[k].index, list[k].cell)
		}
		if err := store.Add(b); err != nil {
			return err
		}
		if o.Keep != nil {
			return o.Keep(b)
		}
		return nil
	})
}
