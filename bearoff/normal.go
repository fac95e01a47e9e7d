package bearoff

import (
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
	points, checkers int
	recs             *section
	close            func() error
}

// Len returns the number of placements.
func (n *Normal) Len() uint32 { return uint32(Size(n.points, n.checkers)) }

// Close releases the file behind the database.
func (n *Normal) Close() error { return n.close() }

// Holds reports whether the placement c is in the database.
func (n *Normal) Holds(c *board.Checkers) bool { return holds(c, n.points, n.checkers) }

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
