package bearoff

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// value3 holds the nine numbers of a pair while it is being solved.
type value3 [hyperValues]float32

// builder3 solves hypergammon by rounds of one-roll look-ahead over all pairs
// until no number changes by more than hyperEpsilon. Pairs are taken in layers
// of equal pip sum, lowest first: races are then final after one round and
// contact settles in a fraction of the rounds that a plain order needs. A layer
// is computed from the values before it and stored as a whole, so the result
// does not depend on the number of threads.
type builder3 struct {
	checkers int
	n        uint32
	work     workspace
	all      []board.Checkers
	plays    *hyperPlays
	targets  []hyperTarget
	table    []value3
	layers   [][]uint32 // pairs to solve, by pip sum
	contact  []int      // how many of each layer, its first, have contact
	round    int
	layer    int     // the next one of this round
	change   float32 // the largest of this round
	epsilon  float32
}

func newBuilder3(checkers int, work workspace) (*builder3, error) {
	n := uint32(Size(hyperPoints, checkers))
	b := &builder3{checkers: checkers, n: n, work: work, epsilon: hyperEpsilon}
	p, err := work.alloc("values", uint64(n)*uint64(n)*hyperRecord)
	if err != nil {
		return nil, err
	}
	b.table = cast[value3](p)
	b.all = make([]board.Checkers, n)
	for x := range n {
		b.all[x] = Placement(x, hyperPoints)
	}
	b.plays, b.targets = listHyperPlays(b.all), listHyperTargets(b.all)
	b.layers = make([][]uint32, 2*25*checkers+1)
	b.contact = make([]int, len(b.layers))
	// Pairs with the same opponent follow each other: without a hit they read the
	// same row of the table, which fits into a second-level cache.
	for y := range n {
		for x := range n {
			pos := board.Position{Me: b.all[x], Opp: b.all[y]}
			switch {
			case x == 0 && y == 0:
			case x == 0:
				b.table[y] = b.won(&pos.Opp)
			case y == 0:
				v := b.won(&pos.Me)
				b.table[uint64(x)*uint64(n)] = v.turned()
			case pos.Validate() == nil:
				s := pos.Me.Pips() + pos.Opp.Pips()
				l := append(b.layers[s], x*n+y)
				if pos.Contact() {
					k := b.contact[s]
					l[k], l[len(l)-1] = l[len(l)-1], l[k]
					b.contact[s]++
				}
				b.layers[s] = l
			}
		}
	}
	return b, nil
}

// won returns the value for a player who is off while the opponent has c.
func (b *builder3) won(c *board.Checkers) (v value3) {
	v[eval.Win] = 1
	points := float32(1)
	if c.Count() == b.checkers {
		v[eval.WinGammon], points = 1, 2
		if c.Rearmost() >= 18 {
			v[eval.WinBackgammon], points = 1, 3
		}
	}
	v[hyperJacoby] = 1
	v[hyperCentred], v[hyperOwned], v[hyperOppOwned] = points, points, points
	return v
}

// turned returns v, a finished game, as the other player sees it.
func (v value3) turned() (t value3) {
	p := eval.Probs(v[:5]).Invert()
	copy(t[:], p[:])
	for i := hyperJacoby; i < hyperValues; i++ {
		t[i] = -v[i]
	}
	return t
}

// solve computes the pair k from the values of its successors.
func (b *builder3) solve(k uint32, buf *[]board.Play) (v value3) {
	x, y := k/b.n, k%b.n
	t := &b.targets[y]
	var sum [hyperValues]float64
	for r := range board.Rolls {
		best := choice{cubeless: math.Inf(-1)}
		lastTo, lastOpp := ^uint32(0), uint32(0)
		for _, pl := range b.plays.of(x, r) {
			if pl.touched&t.blocked != 0 {
				continue
			}
			// Ways to one position follow each other.
			to, opp := uint32(pl.to), t.after(pl.touched)
			if to != lastTo || opp != lastOpp {
				b.consider(&best, to, opp)
				lastTo, lastOpp = to, opp
			}
		}
		if math.IsInf(best.cubeless, -1) {
			// Points in the way: fewer dice than the roll has, or none.
			pos := board.Position{Me: b.all[x], Opp: b.all[y]}
			*buf = board.AppendPlays((*buf)[:0], pos, board.Rolls[r].Dice)
			if len(*buf) == 0 {
				b.consider(&best, x, y)
			}
			for i := range *buf {
				b.consider(&best, sparseIndex(&(*buf)[i].Result.Me), sparseIndex(&(*buf)[i].Result.Opp))
			}
		}
		w := float64(board.Rolls[r].Weight)
		for j := range sum {
			sum[j] += w * best.values[j]
		}
	}
	for j := range v {
		v[j] = float32(sum[j] / 36)
	}
	return v
}

// choice is the best play of a roll so far, for each kind of value.
type choice struct {
	cubeless float64 // equity of the chances
	values   [hyperValues]float64
}

// consider takes the position with placement me for the player who has just
// moved, and opp for the opponent, who is on roll and may double.
func (b *builder3) consider(best *choice, me, opp uint32) {
	v := &b.table[uint64(opp)*uint64(b.n)+uint64(me)]
	first := math.IsInf(best.cubeless, -1)
	if e := 1 - 2*float64(v[eval.Win]) - float64(v[eval.WinGammon]) - float64(v[eval.WinBackgammon]) +
		float64(v[eval.LoseGammon]) + float64(v[eval.LoseBackgammon]); e > best.cubeless {
		best.cubeless = e
		best.values[eval.Win] = 1 - float64(v[eval.Win])
		best.values[eval.WinGammon], best.values[eval.WinBackgammon] = float64(v[eval.LoseGammon]), float64(v[eval.LoseBackgammon])
		best.values[eval.LoseGammon], best.values[eval.LoseBackgammon] = float64(v[eval.WinGammon]), float64(v[eval.WinBackgammon])
	}
	jacoby, centred, owned := float64(v[hyperJacoby]), float64(v[hyperCentred]), float64(v[hyperOwned])
	theirs := float64(v[hyperOppOwned])
	if me != 0 { // else the game is over and no one doubles
		doubled := min(2*theirs, 1)
		jacoby, centred, owned = max(jacoby, doubled), max(centred, doubled), max(owned, doubled)
	}
	// The opponent may not double with the cube on my side, and may with the cube on
	// theirs.
	e := [hyperValues - hyperJacoby]float64{-jacoby, -centred, -theirs, -owned}
	for j, u := range e {
		if first || u > best.values[hyperJacoby+j] {
			best.values[hyperJacoby+j] = u
		}
	}
}

func (b *builder3) restore(s state) error {
	b.round, b.layer, b.change = s.Round, s.Layer, s.Change
	return nil
}

// run solves round after round until no number changes by epsilon.
func (b *builder3) run(ctx context.Context, threads int, report Progress) error {
	var size uint64 // of a round, but for the first
	for _, k := range b.contact {
		size += uint64(k)
	}
	done := uint64(b.round) * size
	var fresh []value3
	for ; ; b.round++ {
		for ; b.layer < len(b.layers); b.layer++ {
			layer := b.layers[b.layer]
			if b.round > 0 {
				// Without contact only smaller pip sums count: final after one round.
				layer = layer[:b.contact[b.layer]]
			}
			if len(layer) == 0 {
				continue
			}
			fresh = slices.Grow(fresh[:0], len(layer))[:len(layer)]
			if err := b.solveAll(ctx, threads, layer, fresh); err != nil {
				return err
			}
			b.store(layer, fresh)
			done += uint64(len(layer))
			if report != nil {
				report(done, max(hyperRounds[b.checkers]*size, done))
			}
			if err := b.work.checkpoint(state{Round: b.round, Layer: b.layer + 1, Change: b.change}); err != nil {
				return err
			}
		}
		if b.change < b.epsilon {
			return nil
		}
		b.layer, b.change = 0, 0
	}
}

// solveAll solves the pairs of a layer into fresh, with the table as it is.
func (b *builder3) solveAll(ctx context.Context, threads int, layer []uint32, fresh []value3) error {
	const chunk = 64
	return share(ctx, threads, (len(layer)+chunk-1)/chunk, func() func(int) {
		buf := make([]board.Play, 0, 64)
		return func(k int) {
			for i := k * chunk; i < min((k+1)*chunk, len(layer)); i++ {
				fresh[i] = b.solve(layer[i], &buf)
			}
		}
	})
}

// store puts the values of a layer into the table and keeps the largest change.
func (b *builder3) store(layer []uint32, fresh []value3) {
	for i, k := range layer {
		old := &b.table[k]
		for j, v := range fresh[i] {
			b.change = max(b.change, v-old[j], old[j]-v)
		}
		*old = fresh[i]
	}
}

// sparseIndex is Index on 25 points for at most three checkers: between two checkers the
// partial sums stay the same, so their ranks are summed in advance.
func sparseIndex(c *board.Checkers) uint32 {
	idx := uint32(0)
	s, from := 0, 0 // s checkers on the from highest points
	for _, k := range [4]int{24, 16, 8, 0} {
		var w uint64
		if k == 24 {
			w = uint64(c[24])
		} else {
			w = binary.LittleEndian.Uint64(c[k : k+8])
		}
		for w != 0 {
			top := (63 - bits.LeadingZeros64(w)) &^ 7
			m := hyperPoints - 1 - (k + top>>3) // points above this one
			idx += runs[s][m] - runs[s][from]
			from = m
			s = min(s+int(w>>top), 3)
			w &^= 0xff << top
		}
	}
	return idx + runs[s][hyperPoints] - runs[s][from]
}

// encode returns the values in the byte order of the file.
func (b *builder3) encode() []byte {
	out := make([]byte, 0, len(b.table)*hyperRecord)
	for i := range b.table {
		for _, v := range b.table[i] {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
	}
	return out
}

func (b *builder3) sections() [][][]byte { return [][][]byte{{b.encode()}} }
