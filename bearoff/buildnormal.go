package bearoff

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
)

// builderN makes a database of means and variances. Plays, and with them means
// and variances, are those of a OneSided; only the distributions are left out.
type builderN struct {
	*quickest
	recs []byte
	// off2 and first2 are the mean squares of the numbers of rolls, beside the
	// means of the goals.
	off2, first2 []float64
}

func newBuilderN(points, checkers int, work workspace) (*builderN, error) {
	b := &builderN{}
	var err error
	b.quickest, err = newQuickest(points, checkers, work, func(n uint32, alloc func(string, uint64) []byte) {
		b.recs = alloc("index", uint64(n)*normalRecord)
		first := n
		if checkers == MaxCheckers {
			first = uint32(Size(points, checkers-1))
		}
		b.off2 = cast[float64](alloc("off.square", 8*uint64(n-1)))
		b.first2 = cast[float64](alloc("first.square", 8*uint64(n-first)))
	})
	return b, err
}

// stateN is what a checkpoint remembers besides the arrays.
type stateN struct {
	Layer int `json:"layer"`
}

func (b *builderN) restore(state json.RawMessage) error {
	var s stateN
	if err := json.Unmarshal(state, &s); err != nil {
		return err
	}
	b.layer = s.Layer
	return nil
}

func (b *builderN) run(ctx context.Context, threads int, report Progress) error {
	for ; b.layer+1 < len(b.starts); b.layer++ {
		err := b.share(ctx, threads, b.list(), func() func(int, []uint32) {
			var w struct {
				mv   moves
				succ [21]uint32
			}
			return func(_ int, part []uint32) {
				for _, x := range part {
					c := Placement(x, b.points)
					w.mv.from(&c, x, b.points)
					r := b.recs[uint64(x)*normalRecord:][:normalRecord]
					b.fill(r, 0, 8, &b.off, b.off2, x, &w.mv, &w.succ)
					b.fill(r, 4, 10, &b.first, b.first2, x, &w.mv, &w.succ)
				}
			}
		})
		if err != nil {
			return err
		}
		if err := b.work.checkpoint(stateN{Layer: b.layer + 1}); err != nil {
			return err
		}
		if report != nil {
			report(uint64(b.starts[b.layer+1]), uint64(len(b.order)))
		}
	}
	return nil
}

// fill solves goal g for placement x and writes its mean at byte mean of the
// record r and its variance at byte variance. With N' the number of rolls after
// this one, the mean square is that of 1+N'.
func (b *builderN) fill(r []byte, mean, variance int, g *goal, squares []float64, x uint32, mv *moves, succ *[21]uint32) {
	if x < g.base {
		return // reached: 0 rolls
	}
	g.solve(x, mv, succ)
	sum := 0.0
	for k, roll := range weight21 {
		if y := succ[k]; y >= g.base {
			sum += float64(roll.w) * (2*g.mean[y-g.base] + squares[y-g.base])
		}
	}
	m, m2 := g.mean[x-g.base], 1+sum/36
	squares[x-g.base] = m2
	le := binary.LittleEndian
	le.PutUint32(r[mean:], math.Float32bits(float32(m)))
	le.PutUint16(r[variance:], uint16(min(math.Round(max(m2-m*m, 0)/varianceUnit), math.MaxUint16)))
}

func (b *builderN) sections() [][][]byte { return [][][]byte{{b.recs}} }
