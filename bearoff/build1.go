package bearoff

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"fibsbot/engine/board"
)

// Progress receives how much of a build is done, both numbers in one unspecified unit. It is
// called from one goroutine at a time.
type Progress func(done, total uint64)

// weight21 lists the 21 rolls as die numbers 0..5 with their weight of 36.
var weight21 = func() (r [21]struct{ a, b, w int }) {
	for k, roll := range board.Rolls {
		r[k].a, r[k].b, r[k].w = int(roll.Dice.A)-1, int(roll.Dice.B)-1, roll.Weight
	}
	return r
}()

const (
	segmentBits = 24 // values a segment, as a power of two
	chunkSize   = 128
)

// goal is one thing to be quick at: bearing off all checkers, or the first of
// them. Placements with numbers below base have reached it.
//
// best holds, for each placement and die, where one, two or three checkers
// moved by that die go best. With them a whole roll is chosen by looking at
// single moves only: the best way to play a then b is the best over the moves
// by a of the stored best move by b. That replaces the enumeration of plays.
type goal struct {
	base uint32
	mean []float64
	best []([18]uint32)
}

func (g *goal) value(x uint32) float64 {
	if x < g.base {
		return 0
	}
	return g.mean[x-g.base]
}

// after returns where x goes best by n+1 moves of die d.
func (g *goal) after(x uint32, n, d int) uint32 {
	if x < g.base {
		return x
	}
	return g.best[x-g.base][6*n+d]
}

// solve finds the best result of each roll for placement x with the moves mv.
func (g *goal) solve(x uint32, mv *moves, succ *[21]uint32) {
	best := &g.best[x-g.base]
	var four [6]uint32
	for d := range 6 {
		to := mv.to[d][:mv.n[d]]
		var at [4]uint32
		val := [4]float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
		for _, y := range to {
			if v := g.value(y); v < val[0] {
				val[0], at[0] = v, y
			}
			for n := range 3 {
				z := g.after(y, n, d)
				if v := g.value(z); v < val[n+1] {
					val[n+1], at[n+1] = v, z
				}
			}
		}
		best[d], best[6+d], best[12+d], four[d] = at[0], at[1], at[2], at[3]
	}
	sum := 0.0
	for r, roll := range weight21 {
		if roll.a == roll.b {
			succ[r] = four[roll.a]
		} else {
			v := math.Inf(1)
			for _, dice := range [2][2]int{{roll.a, roll.b}, {roll.b, roll.a}} {
				for _, y := range mv.to[dice[0]][:mv.n[dice[0]]] {
					z := g.after(y, 0, dice[1])
					if w := g.value(z); w < v {
						v, succ[r] = w, z
					}
				}
			}
		}
		sum += float64(roll.w) * g.value(succ[r])
	}
	g.mean[x-g.base] = 1 + sum/36
}

// quickest is what the builders of one-sided databases share: the plays that
// minimise the mean number of rolls, found in layers of equal pip count, each of
// which needs only the layers below and is shared out among all cores.
type quickest struct {
	points, checkers int
	work             workspace
	off, first       goal
	order            []uint32 // placements by pip count
	starts           []uint32 // where each pip count begins in order
	layer            int      // the next one to do
}

// newQuickest prepares the layers; more is called before the placements are
// sorted, for the arrays that a builder has besides.
func newQuickest(points, checkers int, work workspace, more func(n uint32, alloc func(name string, size uint64) []byte)) (*quickest, error) {
	q := &quickest{points: points, checkers: checkers, work: work}
	n := uint32(Size(points, checkers))
	q.off.base = 1
	q.first.base = n
	if checkers == MaxCheckers {
		// Only with all fifteen on the board is a gammon still possible.
		q.first.base = uint32(Size(points, checkers-1))
	}
	var err error
	alloc := func(name string, size uint64) (p []byte) {
		if err == nil {
			p, err = work.alloc(name, size)
		}
		return p
	}
	q.off.alloc("off", n, alloc)
	q.first.alloc("first", n, alloc)
	more(n, alloc)
	q.order = cast[uint32](alloc("order", 4*uint64(n)))
	if err != nil {
		return nil, err
	}
	q.sortByPips(n)
	return q, nil
}

func (g *goal) alloc(name string, n uint32, alloc func(string, uint64) []byte) {
	m := uint64(n - g.base)
	g.mean = cast[float64](alloc(name+".mean", 8*m))
	g.best = cast[[18]uint32](alloc(name+".best", 72*m))
}

// list is the layer to do next.
func (q *quickest) list() []uint32 { return q.order[q.starts[q.layer]:q.starts[q.layer+1]] }

// share lets threads goroutines (0: one per processor) each take numbers below n; worker makes what one of
// them does with a number. It returns ctx's error when that ends it.
func share(ctx context.Context, threads, n int, worker func() func(k int)) error {
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var team errgroup.Group
	for range min(threads, n) {
		team.Go(func() error {
			do := worker()
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= n {
					return nil
				}
				do(k)
			}
			return ctx.Err()
		})
	}
	return team.Wait()
}

// share lets goroutines take parts of list, numbered from 0 on and chunkSize long but for the last.
func (q *quickest) share(ctx context.Context, threads int, list []uint32, worker func() func(k int, part []uint32)) error {
	return share(ctx, threads, (len(list)+chunkSize-1)/chunkSize, func() func(int) {
		do := worker()
		return func(k int) { do(k, list[k*chunkSize:min((k+1)*chunkSize, len(list))]) }
	})
}

// builder1 makes a one-sided database of whole distributions.
type builder1 struct {
	*quickest
	recs []byte
	segs [][]byte
	used uint64 // values, over all segments
}

func newBuilder1(points, checkers int, work workspace) (*builder1, error) {
	b := &builder1{}
	var err error
	b.quickest, err = newQuickest(points, checkers, work, func(n uint32, alloc func(string, uint64) []byte) {
		b.recs = alloc("index", uint64(n)*recordSize)
	})
	return b, err
}

// sortByPips fills order and starts by counting.
func (q *quickest) sortByPips(n uint32) {
	q.starts = make([]uint32, q.points*q.checkers+2)
	// Walking through all placements with a known pip count is cheaper than
	// decoding each, but decoding twice is still a small part of the build.
	for x := range n {
		c := Placement(x, q.points)
		q.starts[c.Pips()+1]++
	}
	for i := 1; i < len(q.starts); i++ {
		q.starts[i] += q.starts[i-1]
	}
	next := append([]uint32(nil), q.starts...)
	for x := range n {
		c := Placement(x, q.points)
		p := c.Pips()
		q.order[next[p]] = x
		next[p]++
	}
}

func (b *builder1) restore(s state) error {
	b.layer, b.used = s.Layer, s.Used
	for k := 0; uint64(k)<<segmentBits < b.used; k++ {
		if err := b.addSegment(); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder1) addSegment() error {
	p, err := b.work.alloc(segmentName(len(b.segs)), 2<<segmentBits)
	b.segs = append(b.segs, p)
	return err
}

// chunk is what one worker made of a run of placements.
type chunk struct {
	vals []byte
	recs []byte
}

func (b *builder1) run(ctx context.Context, threads int, report Progress) error {
	total := uint64(len(b.order))
	for ; b.layer+1 < len(b.starts); b.layer++ {
		list := b.list()
		chunks := make([]chunk, (len(list)+chunkSize-1)/chunkSize)
		err := b.share(ctx, threads, list, func() func(int, []uint32) {
			w := worker1{b: b}
			return func(k int, part []uint32) { chunks[k] = w.chunk(part) }
		})
		if err != nil {
			return err
		}
		for k := range chunks {
			if err := b.append(list[k*chunkSize:], &chunks[k]); err != nil {
				return err
			}
		}
		if err := b.work.checkpoint(state{Layer: b.layer + 1, Used: b.used}); err != nil {
			return err
		}
		if report != nil {
			report(uint64(b.starts[b.layer+1]), total)
		}
	}
	return nil
}

// append gives the values of a chunk their place. A record never crosses the
// end of a segment.
func (b *builder1) append(list []uint32, c *chunk) error {
	at := 0
	for k := 0; k*recordSize < len(c.recs); k++ {
		r := c.recs[k*recordSize : (k+1)*recordSize]
		n := uint64(r[6]) + uint64(r[8])
		if room := uint64(1<<segmentBits) - b.used&(1<<segmentBits-1); n > room {
			b.used += room
		}
		if b.used>>segmentBits >= uint64(len(b.segs)) {
			if err := b.addSegment(); err != nil {
				return err
			}
		}
		binary.LittleEndian.PutUint32(r, uint32(b.used))
		r[4] = uint8(b.used >> 32)
		copy(b.segs[b.used>>segmentBits][2*(b.used&(1<<segmentBits-1)):], c.vals[at:at+int(2*n)])
		copy(b.recs[uint64(list[k])*recordSize:], r)
		at += int(2 * n)
		b.used += n
	}
	return nil
}

// stored returns the record and values of a finished placement.
func (b *builder1) stored(x uint32) (r, v []byte) {
	r = b.recs[uint64(x)*recordSize:][:recordSize]
	at := uint64(binary.LittleEndian.Uint32(r)) | uint64(r[4])<<32
	return r, b.segs[at>>segmentBits][2*(at&(1<<segmentBits-1)):]
}

type worker1 struct {
	b    *builder1
	mv   moves
	succ [21]uint32
	sum  [maxRolls]float64
}

func (w *worker1) chunk(list []uint32) (c chunk) {
	b := w.b
	c.vals = make([]byte, 0, len(list)*32)
	c.recs = make([]byte, 0, len(list)*recordSize)
	for _, x := range list {
		var r [recordSize]byte
		pos := Placement(x, b.points)
		w.mv.from(&pos, x, b.points)
		if x < b.off.base {
			r[6] = 1
			c.vals = binary.LittleEndian.AppendUint16(c.vals, full)
		} else {
			b.off.solve(x, &w.mv, &w.succ)
			r[5], r[6] = w.mix(&c, &b.off, 5)
			binary.LittleEndian.PutUint32(r[12:], math.Float32bits(float32(b.off.value(x))))
		}
		if x < b.first.base {
			r[8] = 1
			c.vals = binary.LittleEndian.AppendUint16(c.vals, full)
		} else {
			b.first.solve(x, &w.mv, &w.succ)
			r[7], r[8] = w.mix(&c, &b.first, 7)
		}
		c.recs = append(c.recs, r[:]...)
	}
	return c
}

// mix appends the distribution that follows from the results in succ: their
// weighted mean, one roll later. field is where a record keeps the first number
// of rolls of that distribution.
func (w *worker1) mix(c *chunk, g *goal, field int) (start, n uint8) {
	clear(w.sum[:])
	last := 0
	for k, roll := range weight21 {
		p := float64(roll.w) / 36
		y := w.succ[k]
		if y < g.base {
			w.sum[1] += p
			last = max(last, 1)
			continue
		}
		r, v := w.b.stored(y)
		if field == 7 {
			v = v[2*int(r[6]):]
		}
		s, m := int(r[field]), int(r[field+1])
		for i := range m {
			w.sum[s+i+1] += p * float64(binary.LittleEndian.Uint16(v[2*i:])) / full
		}
		last = max(last, s+m)
	}
	before := len(c.vals)
	var first int
	c.vals, first = quantise(c.vals, w.sum[:last+1])
	return uint8(first), uint8((len(c.vals) - before) / 2)
}

// BuildOneSided makes a one-sided database in memory, on all cores if threads
// is 0. It returns ctx's error when cancelled. report may be nil.
func BuildOneSided(ctx context.Context, points, checkers, threads int, report Progress) (*OneSided, error) {
	if err := checkSize(points, checkers, MaxPoints); err != nil {
		return nil, err
	}
	b, err := newBuilder1(points, checkers, heap{})
	if err != nil {
		return nil, err
	}
	if err := b.run(ctx, threads, report); err != nil {
		return nil, err
	}
	vals := bytes.Join(b.sections()[1], nil)
	return &OneSided{extent: extent{points: b.points, checkers: b.checkers}, recs: trusted(b.recs), vals: trusted(vals)}, nil
}
