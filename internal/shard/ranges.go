package shard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrRange means that an ask is not a range of the job.
var ErrRange = errors.New("no such range")

// Range is the parts From to To-1 of a job whose parts are numbered.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Ask returns the range as the Ask of a piece.
func (r Range) Ask() []byte { return fmt.Appendf(nil, `{"from":%d,"to":%d}`, r.From, r.To) }

// Key returns the range as the Key of a piece.
func (r Range) Key() string { return fmt.Sprintf("%d-%d", r.From, r.To) }

// Piece returns a piece that asks for the range.
func (r Range) Piece() Piece { return Piece{Key: r.Key(), Ask: r.Ask()} }

// ParseRange reads an ask of up to most parts. The error wraps ErrRange.
func ParseRange(ask []byte, most int) (r Range, err error) {
	if err := json.Unmarshal(ask, &r); err != nil {
		return r, fmt.Errorf("%w: %w", ErrRange, err)
	}
	if r.From < 0 || r.To <= r.From || r.To-r.From > most {
		return r, fmt.Errorf("%w: %d to %d, at most %d", ErrRange, r.From, r.To-1, most)
	}
	return r, nil
}

// Split cuts the wanted parts of from..to-1 into at most most ranges of up to size parts. They
// end at multiples of size, so that a resumed job has the same pieces. A nil want means all
// parts.
func Split(from, to, size, most int, want func(k int) bool) (out []Range) {
	for from < to && len(out) < most {
		if want != nil && !want(from) {
			from++
			continue
		}
		end := min(to, (from/size+1)*size)
		if want != nil {
			for k := from + 1; k < end; k++ {
				if !want(k) {
					end = k
					break
				}
			}
		}
		out = append(out, Range{from, end})
		from = end
	}
	return out
}

// Each is a job of numbered parts.
type Each struct {
	From, To int
	// Size is the largest number of parts of a piece.
	Size int
	// Want selects the parts to run; nil means all.
	Want func(k int) bool
	// Piece makes the piece of a range; nil means Range.Piece.
	Piece func(Range) Piece
	// Report, if not nil, is called after each piece with the number of the next part.
	Report func(done int)
}

// round is the number of pieces per call of the crew, which bounds the results in memory.
const round = 512

// Do runs the parts on crew and passes the results to take in order.
func (e *Each) Do(ctx context.Context, crew Crew, take func(r Range, res Result) error) error {
	if e.Size < 1 {
		return fmt.Errorf("%w: pieces of %d parts", ErrRange, e.Size)
	}
	pieces := func(list []Range) (out []Piece) {
		for _, r := range list {
			if e.Piece != nil {
				out = append(out, e.Piece(r))
			} else {
				out = append(out, r.Piece())
			}
		}
		return out
	}
	for from := e.From; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		list := Split(from, e.To, e.Size, round, e.Want)
		if len(list) == 0 {
			return nil
		}
		from = list[len(list)-1].To
		ahead := Split(from, e.To, e.Size, crew.Ahead(), e.Want)
		if err := crew.Do(ctx, pieces(list), pieces(ahead), func(k int, res Result) error {
			err := take(list[k], res)
			if err == nil && e.Report != nil {
				e.Report(list[k].To)
			}
			return err
		}); err != nil {
			return err
		}
	}
}

// Func is a Runner made of a function.
type Func func(ctx context.Context, ask []byte) ([]byte, error)

// Run implements Runner.
func (f Func) Run(ctx context.Context, ask []byte) ([]byte, error) { return f(ctx, ask) }
