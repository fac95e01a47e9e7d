package reference

import (
	"context"
	"fmt"
	"hash/fnv"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/shard"
)

// Chooser chooses a play; ok is false without a legal one.
type Chooser func(p board.Position, d board.Dice) (play board.Play, ok bool, err error)

// ByPreset chooses cubeless money plays as a preset does, with its rollouts.
func ByPreset(ctx context.Context, e *engine.Engine, pr preset.Preset) Chooser {
	pr.Checker.Cubeful = false
	return func(p board.Position, d board.Dice) (board.Play, bool, error) {
		// Noise is drawn for the decision, however often it is asked.
		key := p.Key()
		h := fnv.New64a()
		h.Write(append(key[:], d.A, d.B))
		pr := pr.WithSeed(h.Sum64() | 1)
		best, ok, err := e.BestPlay(ctx, p, d, match.Money(false, 0), pr)
		return best.Play, ok, err
	}
}

// ByPlayer chooses as a player does.
func ByPlayer(p train.Player) Chooser {
	return func(pos board.Position, d board.Dice) (board.Play, bool, error) {
		play, ok := p.Play(pos, d)
		return play, ok, nil
	}
}

// Losses returns the loss of a chooser in each decision, in millipoints. A play that the file
// does not list counts as its worst.
func Losses(ds []train.Problem, choose Chooser) ([]float64, error) {
	out := make([]float64, len(ds))
	for i := range ds {
		play, ok, err := choose(ds[i].Position, ds[i].Dice)
		if err != nil {
			return nil, fmt.Errorf("decision %d: %w", i+1, err)
		}
		if ok {
			out[i] = ds[i].LossOf(play.Result.Swap().Key()) * 1000
		}
	}
	return out, nil
}

// maxPlays is the most decisions in a piece.
const maxPlays = 10_000

// askPlay is the size of a decision in a piece: position and dice.
const askPlay = len(board.Key{}) + 2

// Player runs pieces of decisions: a result has the position after the play of each, in the form
// of LossOf, or zeros if no play is legal.
func Player(choose func(ctx context.Context) Chooser) shard.Runner {
	return shard.Func(func(ctx context.Context, ask []byte) ([]byte, error) {
		if len(ask) == 0 || len(ask)%askPlay != 0 || len(ask) > maxPlays*askPlay {
			return nil, fmt.Errorf("%w: %d bytes of decisions", train.ErrPiece, len(ask))
		}
		by := choose(ctx)
		var out []byte
		for ; len(ask) > 0; ask = ask[askPlay:] {
			p, err := board.FromKey(board.Key(ask))
			d := board.Dice{A: ask[askPlay-2], B: ask[askPlay-1]}
			if err != nil || !d.Valid() {
				return nil, fmt.Errorf("%w: no such decision", train.ErrPiece)
			}
			play, ok, err := by(p, d)
			if err != nil {
				return nil, err
			}
			var k board.Key
			if ok {
				k = play.Result.Swap().Key()
			}
			out = append(out, k[:]...)
		}
		return out, nil
	})
}

// LossesOn is Losses with the plays chosen by crew, up to size decisions in a piece.
func LossesOn(ctx context.Context, ds []train.Problem, crew shard.Crew, size int, report func(done int)) ([]float64, error) {
	out := make([]float64, len(ds))
	parts := shard.Each{To: len(ds), Size: min(size, maxPlays), Report: report, Piece: func(r shard.Range) shard.Piece {
		var ask []byte
		for k := r.From; k < r.To; k++ {
			key := ds[k].Position.Key()
			ask = append(append(ask, key[:]...), ds[k].Dice.A, ds[k].Dice.B)
		}
		return shard.Piece{Key: r.Key(), Ask: ask}
	}}
	return out, parts.Do(ctx, crew, func(r shard.Range, res shard.Result) error {
		if len(res.Data) != (r.To-r.From)*len(board.Key{}) {
			return fmt.Errorf("decisions %d to %d: %w", r.From+1, r.To, train.ErrPiece)
		}
		for k := r.From; k < r.To; k++ {
			if key := board.Key(res.Data[(k-r.From)*len(board.Key{}):]); key != (board.Key{}) {
				out[k] = ds[k].LossOf(key) * 1000
			}
		}
		return nil
	})
}
