package bearoff

import (
	"context"
	"encoding/binary"
	"slices"
)

// one is an equity of 1 in the builder's whole numbers. They leave room for the
// value of a doubled cube and are compared without branches.
const one = 1 << 28

// reply is what a position is worth to the player who is then on roll and may
// double: cubeless, with the opponent's cube, a centred cube, an own cube.
type reply [4]int32

// plays lists, for each placement and roll, the placements that a play can lead
// to. It does not depend on the opponent, so it is made once for all pairs. Up to 15 checkers have
// 54,264 placements on 6 points, which fit into 16 bits.
type plays struct {
	starts []uint32 // 21 for each placement, and one behind the last
	to     []uint16
}

func listPlays(points, checkers int) *plays {
	n := uint32(Size(points, checkers))
	// single[x] are the moves of one checker.
	single := make([]moves, n)
	for x := range n {
		c := Placement(x, points)
		single[x].from(&c, x, points)
	}
	p := &plays{starts: make([]uint32, 0, 21*n+1)}
	var found, next []uint32
	for x := range n {
		for _, roll := range weight21 {
			p.starts = append(p.starts, uint32(len(p.to)))
			found = found[:0]
			if roll.a == roll.b {
				found = append(found, x)
				for range 4 {
					next = next[:0]
					for _, y := range found {
						next = step(next, single, y, roll.a)
					}
					slices.Sort(next)
					found, next = slices.Compact(next), found
				}
			} else {
				for _, order := range [2][2]int{{roll.a, roll.b}, {roll.b, roll.a}} {
					next = step(next[:0], single, x, order[0])
					for _, y := range next {
						found = step(found, single, y, order[1])
					}
				}
				slices.Sort(found)
				found = slices.Compact(found)
			}
			for _, y := range found {
				p.to = append(p.to, uint16(y))
			}
		}
	}
	p.starts = append(p.starts, uint32(len(p.to)))
	return p
}

// step appends the placements one checker away from x; without a checker left
// the rest of the roll is not played.
func step(dst []uint32, single []moves, x uint32, die int) []uint32 {
	if x == 0 {
		return append(dst, 0)
	}
	return append(dst, single[x].to[die][:single[x].n[die]]...)
}

// builder2 makes a two-sided database. The value of a pair needs pairs of a
// smaller pip sum only, so each pip sum is a layer, shared out among all cores.
type builder2 struct {
	points, checkers int
	n                uint32
	work             workspace
	plays            *plays
	replies          []reply // mover * n + opponent
	table            []byte
	byPips           [][]uint32
	layer            int
}

func newBuilder2(points, checkers int, work workspace) (*builder2, error) {
	size := Size(points, checkers)
	b := &builder2{points: points, checkers: checkers, n: uint32(size), work: work, layer: 2}
	p, err := work.alloc("replies", size*size*16)
	if err != nil {
		return nil, err
	}
	b.replies = cast[reply](p)
	if b.table, err = work.alloc("table", size*size*twoRecord); err != nil {
		return nil, err
	}
	b.plays = listPlays(points, checkers)
	b.byPips = make([][]uint32, points*checkers+1)
	for x := range b.n {
		c := Placement(x, points)
		b.byPips[c.Pips()] = append(b.byPips[c.Pips()], x)
	}
	for x := range b.n {
		b.set(x, 0, [4]int64{-one, -one, -one, -one})
		b.set(0, x, [4]int64{one, one, one, one})
	}
	return b, nil
}

// set stores the four values of the player on roll with x against y, given in
// the order of the file, and what they are worth with the right to double.
func (b *builder2) set(x, y uint32, v [4]int64) {
	k := uint64(x)*uint64(b.n) + uint64(y)
	doubled := min(2*v[3], one)
	b.replies[k] = reply{int32(v[0]), int32(v[3]), int32(max(v[2], doubled)), int32(max(v[1], doubled))}
	t := b.table[k*twoRecord:]
	for i, e := range v {
		// raw = (equity+1) * 32767.5, rounded
		raw := ((e+one)*65535 + one) / (2 * one)
		binary.LittleEndian.PutUint16(t[2*i:], uint16(raw))
	}
}

// pair solves the player on roll with x against y; row is what y's owner can
// expect on roll, by the placement left to the player with x.
func (b *builder2) pair(x, y uint32, row []reply) {
	var sum [4]int64
	starts := b.plays.starts[21*x : 21*x+22]
	for r := range weight21 {
		best := reply{one, one, one, one}
		for _, to := range b.plays.to[starts[r]:starts[r+1]] {
			q := &row[to]
			best[0] = min(best[0], q[0])
			best[1] = min(best[1], q[1])
			best[2] = min(best[2], q[2])
			best[3] = min(best[3], q[3])
		}
		w := int64(weight21[r].w)
		for i := range sum {
			sum[i] -= w * int64(best[i])
		}
	}
	for i := range sum {
		sum[i] = rounded36(sum[i])
	}
	// The cube on my side is the opponent's without the right to double, the
	// middle his right, his own cube his right.
	b.set(x, y, [4]int64{sum[0], sum[1], sum[2], sum[3]})
}

func rounded36(v int64) int64 {
	if v < 0 {
		return (v - 18) / 36
	}
	return (v + 18) / 36
}

// task2 is one opponent placement against all placements of a pip count.
type task2 struct {
	y    uint32
	pips int
}

func (b *builder2) run(ctx context.Context, threads int, report Progress) error {
	top := len(b.byPips) - 1
	var done, total uint64
	weigh := func(s int) (n uint64) {
		for px := max(1, s-top); px <= min(top, s-1); px++ {
			n += uint64(len(b.byPips[px])) * uint64(len(b.byPips[s-px]))
		}
		return n
	}
	for s := 2; s <= 2*top; s++ {
		if s < b.layer {
			done += weigh(s)
		}
		total += weigh(s)
	}
	for ; b.layer <= 2*top; b.layer++ {
		var tasks []task2
		for px := max(1, b.layer-top); px <= min(top, b.layer-1); px++ {
			for _, y := range b.byPips[b.layer-px] {
				tasks = append(tasks, task2{y, px})
			}
		}
		err := share(ctx, threads, len(tasks), func() func(int) {
			return func(k int) {
				y := tasks[k].y
				row := b.replies[uint64(y)*uint64(b.n):][:b.n]
				for _, x := range b.byPips[tasks[k].pips] {
					b.pair(x, y, row)
				}
			}
		})
		if err != nil {
			return err
		}
		if err := b.work.checkpoint(state{Layer: b.layer + 1}); err != nil {
			return err
		}
		done += weigh(b.layer)
		if report != nil {
			report(done, total)
		}
	}
	return nil
}

// BuildTwoSided makes a two-sided database in memory, on all cores if threads
// is 0. It returns ctx's error when cancelled. report may be nil.
func BuildTwoSided(ctx context.Context, points, checkers, threads int, report Progress) (*TwoSided, error) {
	if err := checkSize(points, checkers, 6); err != nil {
		return nil, err
	}
	b, err := newBuilder2(points, checkers, heap{})
	if err != nil {
		return nil, err
	}
	if err := b.run(ctx, threads, report); err != nil {
		return nil, err
	}
	return &TwoSided{extent: extent{points: b.points, checkers: b.checkers}, n: b.n, table: trusted(b.table)}, nil
}
