package bearoff

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"fibsbot/engine/board"
)

// normalRecord is the size of one entry of a database of means and variances:
//
//	0  float32 mean number of rolls until all checkers are off
//	4  float32 until the first of fifteen is; 0 with fewer
//	8  uint16  variance of the first, in parts of varianceUnit
//	10 uint16  variance of the second
const normalRecord = 12

// varianceUnit is the step in which variances are kept, in rolls squared. The
// largest, of fifteen checkers on the 18 point, is about 9.
const varianceUnit = 1.0 / 4096

// Moments are the mean and variance of a distribution of rolls.
type Moments struct{ Mean, Variance float64 }

// Normal is a one-sided database that keeps no distributions but only their
// means and variances: about a quarter of the size of a OneSided. Chances come
// from it by the normal approximation, see normalApprox. It is safe for concurrent use.
type Normal struct {
	extent
	recs *section
}

// Len returns the number of placements.
func (n *Normal) Len() uint32 { return uint32(n.size()) }

// Holds reports whether the placement c is in the database.
func (n *Normal) Holds(c *board.Checkers) bool { return n.holds(c) }

func (n *Normal) entry(idx uint32) (off, first Moments, ok bool) {
	r := n.recs.at(int64(idx)*normalRecord, normalRecord)
	if r == nil {
		return off, first, false
	}
	le := binary.LittleEndian
	off = Moments{float64(math.Float32frombits(le.Uint32(r))), float64(le.Uint16(r[8:])) * varianceUnit}
	first = Moments{float64(math.Float32frombits(le.Uint32(r[4:]))), float64(le.Uint16(r[10:])) * varianceUnit}
	// Checksums prove who wrote a file, not that it makes sense.
	possible := func(m Moments) bool { return m.Mean >= 0 && m.Mean < maxRolls }
	return off, first, possible(off) && possible(first)
}

// Rolls returns mean and variance of the number of rolls that the placement c
// needs to bear off everything and to bear off its first checker (of fifteen;
// with fewer checkers that has happened, at 0 rolls). ok is false when c is
// outside the database or the file is damaged there.
func (n *Normal) Rolls(c *board.Checkers) (off, first Moments, ok bool) {
	if !n.Holds(c) {
		return off, first, false
	}
	return n.entry(Index(c, n.points))
}

// Race returns the chances of p, without contact: the formulas of OneSided.Race
// with distributions that have the means and variances kept. ok is false when a
// side is outside the database.
func (n *Normal) Race(p *board.Position) (c Chances, ok bool) {
	me, myFirst, ok1 := n.Rolls(&p.Me)
	opp, oppFirst, ok2 := n.Rolls(&p.Opp)
	if !ok1 || !ok2 || p.Contact() {
		return c, false
	}
	var mine, theirs, first normalApprox
	mine.fit(me)
	theirs.fit(opp)
	c.Win = mine.noLater(&theirs, 0)
	if oppFirst.Mean > 0 {
		first.fit(oppFirst)
		c.WinGammon = min(mine.noLater(&first, 0), c.Win)
	}
	if myFirst.Mean > 0 {
		first.fit(myFirst)
		c.LoseGammon = min(theirs.noLater(&first, 1), 1-c.Win)
	}
	return c, true
}

// String names the database by its shape.
func (n *Normal) String() string {
	return fmt.Sprintf("approximate one-sided database, %d checkers on %d points", n.checkers, n.points)
}

// normalApprox approximates a distribution of a whole number of rolls, at least one, by its
// mean and variance: chances in proportion to exp(a*x + b*x*x) with x the distance from the
// mean, the distribution of largest entropy with that mean and variance. a and b are fitted,
// since a normal density at the whole numbers has other moments where the variance is small,
// as in the last rolls of a race.
type normalApprox struct {
	from int
	n    int // chances in p: of from, from+1, ... rolls
	p    [approxWidth]float64
}

const (
	// approxWidth holds six standard deviations on either side of the mean for every
	// variance of a race up to 16; the largest is about 9.
	approxWidth = 56
	// approxSteps bounds the fitting; two or three are usual.
	approxSteps = 40
	// approxExact is the largest error of the fitted mean and variance.
	approxExact = 1e-5
)

// fit sets b to the approximation of m; a mean of 0 means no rolls.
func (b *normalApprox) fit(m Moments) {
	floor := math.Floor(m.Mean)
	part := m.Mean - floor
	b.from = int(floor)
	// No distribution of whole numbers has a variance below that of the two next
	// to the mean.
	if m.Variance < part*(1-part)+varianceUnit/2 {
		b.n, b.p[0], b.p[1] = 2, 1-part, part
		return
	}
	reach := 6 * math.Sqrt(m.Variance)
	b.from = max(int(math.Floor(m.Mean-reach)), 1)
	b.n = min(int(math.Ceil(m.Mean+reach))+1-b.from, approxWidth)

	// Newton's method on the dual, which is convex: log of the sum of weights less
	// lin*E[x] less sq*E[x*x]. A step that does not lower it is halved.
	var lin, sq, dLin, dSq float64
	sq = -1 / (2 * max(m.Variance, 0.05))
	last := math.Inf(1)
	for range approxSteps {
		value, e := b.weigh(m.Mean, lin, sq)
		value -= sq * m.Variance
		if value > last && math.Abs(dLin)+math.Abs(dSq) > 1e-9 {
			dLin, dSq = dLin/2, dSq/2
			lin, sq = lin-dLin, sq-dSq
			continue
		}
		last = value
		g1, g2 := -e[1], m.Variance-e[2]
		if math.Abs(g1) < approxExact && math.Abs(g2) < approxExact {
			return
		}
		h11, h12, h22 := e[2]-e[1]*e[1], e[3]-e[1]*e[2], e[4]-e[2]*e[2]
		det := h11*h22 - h12*h12
		if !(det > 1e-12) {
			return
		}
		dLin, dSq = (h22*g1-h12*g2)/det, (h11*g2-h12*g1)/det
		lin, sq = lin+dLin, sq+dSq
	}
}

// weigh sets the chances for the parameters lin and sq and returns the logarithm
// of their sum before it was made 1, and the means of x to the powers 0 to 4.
func (b *normalApprox) weigh(mean, lin, sq float64) (logSum float64, e [5]float64) {
	top := math.Inf(-1)
	for i := range b.n {
		x := float64(b.from+i) - mean
		b.p[i] = x * (lin + sq*x)
		top = max(top, b.p[i])
	}
	for i := range b.n {
		x := float64(b.from+i) - mean
		w := math.Exp(b.p[i] - top)
		b.p[i] = w
		for k := range e {
			e[k] += w
			w *= x
		}
	}
	sum := e[0]
	for i := range b.n {
		b.p[i] /= sum
	}
	for k := range e {
		e[k] /= sum
	}
	return top + math.Log(sum), e
}

// noLater returns the chance that a count drawn from b is at most one drawn from
// o less lead, as the function of that name does for whole distributions.
func (b *normalApprox) noLater(o *normalApprox, lead int) float64 {
	tail, j, sum := 1.0, 0, 0.0
	for i := range b.n {
		// tail is the chance of o of at least as many rolls as b has here, and lead.
		for ; j < o.n && o.from+j < b.from+i+lead; j++ {
			tail -= o.p[j]
		}
		sum += b.p[i] * max(tail, 0)
	}
	return min(max(sum, 0), 1)
}

// Chances returns the chances of 0, 1, 2, ... rolls by the normal approximation,
// without those below one in a million at the end.
func (m Moments) Chances() []float64 {
	var b normalApprox
	b.fit(m)
	n := b.n
	for n > 1 && b.p[n-1] < 1e-6 {
		n--
	}
	return append(make([]float64, b.from), b.p[:n]...)
}

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

func (b *builderN) restore(s state) error { b.layer = s.Layer; return nil }

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
		if err := b.work.checkpoint(state{Layer: b.layer + 1}); err != nil {
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
