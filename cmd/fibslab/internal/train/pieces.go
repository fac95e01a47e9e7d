package train

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/internal/shard"
)

// ErrPiece means a piece or a result that belongs to no job of this package.
var ErrPiece = errors.New("not of this job")

// maxKeys is the most positions in a piece of labels.
const maxKeys = 10_000

// Labeller runs pieces of labels: the teacher labels the positions of a piece at so many
// plies.
func Labeller(t Teacher, plies int) shard.Runner {
	return shard.Func(func(ctx context.Context, ask []byte) ([]byte, error) {
		if len(ask) == 0 || len(ask)%len(board.Key{}) != 0 || len(ask) > maxKeys*len(board.Key{}) {
			return nil, fmt.Errorf("%w: %d bytes of positions", ErrPiece, len(ask))
		}
		keys := make([]board.Key, len(ask)/len(board.Key{}))
		for i := range keys {
			keys[i] = board.Key(ask[i*len(keys[i]):])
			if _, err := board.FromKey(keys[i]); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrPiece, err)
			}
		}
		labels := make([]Label, len(keys))
		var out []byte
		// A few at a time, so that a piece ends soon when ctx does.
		few := 4096
		if plies > 0 {
			few = 100
		}
		for at := 0; at < len(keys); at += few {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			end := min(at+few, len(keys))
			if err := t.Label(ctx, keys[at:end], plies, labels[at:end]); err != nil {
				return nil, err
			}
		}
		for i := range labels {
			out = labels[i].append(out)
		}
		return out, nil
	})
}

// AskLabels is the request of a piece for the labels of keys.
func AskLabels(keys []board.Key) []byte {
	out := make([]byte, 0, len(keys)*len(board.Key{}))
	for i := range keys {
		out = append(out, keys[i][:]...)
	}
	return out
}

// labelSize is the size of a label in bytes.
const labelSize = 10

func (l *Label) append(b []byte) []byte {
	for _, v := range l {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

// ReadLabels reads the result of a piece of n labels.
func ReadLabels(data []byte, n int) ([]Label, error) {
	if len(data) != n*labelSize {
		return nil, fmt.Errorf("%w: %d bytes for %d labels", ErrPiece, len(data), n)
	}
	out := make([]Label, n)
	for i := range out {
		for j := range out[i] {
			out[i][j] = binary.LittleEndian.Uint16(data[i*labelSize+2*j:])
		}
	}
	return out, nil
}
