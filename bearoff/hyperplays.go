package bearoff

import (
	"cmp"
	"slices"

	"fibsbot/engine/board"
)

// hyperPlay is one way to play a whole roll on a board without opponent: where it
// leads, and the points that a checker touched after one of its steps, in the
// view of the mover. Ways to the same placement over different points are
// different plays, because they may hit or be blocked.
type hyperPlay struct {
	touched uint32
	to      uint16
}

// hyperPlays lists them for each placement and roll. At most three checkers a side
// hold one point, so for nearly all pairs that is the list of legal plays. It is
// made once for all opponents and rounds.
type hyperPlays struct {
	starts []uint32 // 21 for each placement, and one behind the last
	all    []hyperPlay
}

func listHyperPlays(all []board.Checkers) *hyperPlays {
	p := &hyperPlays{starts: make([]uint32, 0, len(board.Rolls)*len(all)+1)}
	type way struct {
		c       board.Checkers
		touched uint32
	}
	step := func(dst []way, w way, die int) []way {
		rear := w.c.Rearmost()
		if rear < 0 {
			return append(dst, w) // nothing left to play with
		}
		for from := rear; from >= 0; from-- {
			if w.c[from] == 0 {
				continue
			}
			to, next := from-die, w
			next.c[from]--
			switch {
			case to >= 0:
				next.c[to]++
				next.touched |= 1 << to
			case rear >= 6 || to < -1 && from != rear:
				continue // may not be borne off
			}
			dst = append(dst, next)
			if from == board.Bar {
				break // a checker on the bar enters first
			}
		}
		return dst
	}
	var now, next []way
	var found []hyperPlay
	for _, c := range all {
		for _, roll := range board.Rolls {
			p.starts = append(p.starts, uint32(len(p.all)))
			a, b := int(roll.Dice.A), int(roll.Dice.B)
			orders := [][]int{{a, b}, {b, a}}
			if a == b {
				orders = [][]int{{a, a, a, a}}
			}
			found = found[:0]
			for _, dice := range orders {
				now = append(now[:0], way{c: c})
				for _, die := range dice {
					next = next[:0]
					for _, w := range now {
						next = step(next, w, die)
					}
					now, next = next, now
				}
				for _, w := range now {
					found = append(found, hyperPlay{w.touched, uint16(sparseIndex(&w.c))})
				}
			}
			slices.SortFunc(found, func(a, b hyperPlay) int {
				return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.touched, b.touched))
			})
			p.all = append(p.all, slices.Compact(found)...)
		}
	}
	p.starts = append(p.starts, uint32(len(p.all)))
	return p
}

// of returns the plays of placement x with a roll, by its place in board.Rolls.
func (p *hyperPlays) of(x uint32, roll int) []hyperPlay {
	k := int(x)*len(board.Rolls) + roll
	return p.all[p.starts[k]:p.starts[k+1]]
}

// hyperTarget is an opponent's placement as the mover meets it.
type hyperTarget struct {
	blots, blocked uint32 // points, in the mover's view
	// hit is the placement after hits: one bit a blot, the lowest point first.
	hit [8]uint32
}

func listHyperTargets(all []board.Checkers) []hyperTarget {
	out := make([]hyperTarget, len(all))
	for y := range all {
		t := &out[y]
		var blots []int
		for i := 23; i >= 0; i-- { // the mover's lowest point first
			switch n := all[y][i]; {
			case n > 1:
				t.blocked |= 1 << (23 - i)
			case n == 1:
				t.blots |= 1 << (23 - i)
				blots = append(blots, i)
			}
		}
		for set := range uint32(1) << len(blots) {
			c := all[y]
			for k, i := range blots {
				if set>>k&1 == 1 {
					c[i]--
					c[board.Bar]++
				}
			}
			t.hit[set] = sparseIndex(&c)
		}
	}
	return out
}

// after is the opponent's placement when a play has touched those points.
func (t *hyperTarget) after(touched uint32) uint32 {
	hit := touched & t.blots
	if hit == 0 {
		return t.hit[0]
	}
	set, left := uint32(0), t.blots
	for bit := uint32(1); left != 0; bit <<= 1 {
		lowest := left & -left
		if hit&lowest != 0 {
			set |= bit
		}
		left ^= lowest
	}
	return t.hit[set]
}
