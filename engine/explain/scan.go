package explain

import (
	"fibsbot/engine/board"
)

// throws is a set of board.Rolls, a bit each.
type throws uint32

// of36 counts the throws of 36 in the set.
func (t throws) of36() float64 {
	n := 0
	for i := range board.Rolls {
		if t>>i&1 != 0 {
			n += board.Rolls[i].Weight
		}
	}
	return float64(n)
}

func (t throws) dice() (out []board.Dice) {
	for i := range board.Rolls {
		if t>>i&1 != 0 {
			out = append(out, board.Rolls[i].Dice)
		}
	}
	return out
}

// The places that facts are about, as indices of board.Checkers.
const (
	barPoint = 6  // the own bar point
	theirBar = 17 // the opponent's bar point; checkers there and behind are back checkers
	high     = 20 // the last point of an advanced anchor
)

// next is what the 21 rolls can do for the player on roll.
type next struct {
	hits, points, anchors, escapes, breaks throws
	// covers are the rolls that make a point of a blot, by the place of the blot up to the bar point.
	covers [barPoint + 1]throws
}

// scan plays all rolls of p by rules r. Points, anchors and escapes of rolls are those that some
// play of the roll gets, breaks those that every play suffers.
func scan(r board.Rules, p *board.Position, buf []board.Play) (out next, _ []board.Play) {
	points, back, anchored := held(&p.Me, 0, barPoint), behind(&p.Me), held(&p.Me, theirBar, high) > 0
	for i := range board.Rolls {
		bit := throws(1) << i
		buf = r.AppendPlays(buf[:0], *p, board.Rolls[i].Dice)
		all := len(buf) > 0
		for k := range buf {
			q := &buf[k].Result
			now := held(&q.Me, 0, barPoint)
			all = all && now < points
			if q.Opp[board.Bar] > p.Opp[board.Bar] {
				out.hits |= bit
			}
			if now > points {
				out.points |= bit
			}
			if !anchored && held(&q.Me, theirBar, high) > 0 {
				out.anchors |= bit
			}
			if behind(&q.Me) < back {
				out.escapes |= bit
			}
			for n := range out.covers {
				if p.Me[n] == 1 && q.Me[n] > 1 {
					out.covers[n] |= bit
				}
			}
		}
		if all {
			out.breaks |= bit
		}
	}
	return out, buf
}

// held counts the points held between two places.
func held(c *board.Checkers, from, to int) (n int) {
	for i := from; i <= to; i++ {
		if c[i] > 1 {
			n++
		}
	}
	return n
}

// behind counts the back checkers, those on the bar included.
func behind(c *board.Checkers) (n int) {
	for i := theirBar; i <= board.Bar; i++ {
		n += int(c[i])
	}
	return n
}

// block returns the longest run of points before checkers of the other side, its length at most
// 6, and how many of these are behind it.
func block(c, other *board.Checkers) (longest, trapped int) {
	run := 0
	for i := range board.Bar {
		if c[i] < 2 {
			run = 0
			continue
		}
		if run++; run < longest {
			continue
		}
		n := past(other, i-run+1)
		if n > 0 && (run > longest || n > trapped) {
			longest, trapped = min(run, 6), n
		}
	}
	return longest, trapped
}

// past counts the checkers of the other side behind the place n of this one.
func past(other *board.Checkers, n int) (out int) {
	for k := board.Bar - n; k <= board.Bar; k++ {
		out += int(other[k])
	}
	return out
}

// edge counts the checkers right behind a run of four points or more of the other side.
func edge(c, other *board.Checkers) (n int) {
	for i := 4; i < board.Bar; i++ {
		if c[i] == 0 {
			continue
		}
		run := 0
		for k := i - 1; k >= 0 && other[board.Bar-1-k] > 1; k-- {
			run++
		}
		if run >= 4 {
			n += int(c[i])
		}
	}
	return n
}
