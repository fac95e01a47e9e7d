package eval

import (
	"encoding/binary"
	"math/bits"
	"strconv"

	"fibsbot/engine/board"
)

// Class is the kind of a position, which decides who judges it. The order is from
// the end of a game backwards.
type Class uint8

// The classes.
const (
	// Over: one side has borne off everything.
	Over Class = iota
	// Bearoff2: no contact, both sides home with at most six checkers each; small
	// enough for an exact table of pairs.
	Bearoff2
	// Bearoff1: no contact, both sides home; each side's distribution of rolls is
	// known.
	Bearoff1
	// Race: no contact.
	Race
	// Crashed: contact, and a side with almost no checkers left that are neither
	// borne off nor buried on its ace and deuce points.
	Crashed
	// Contact: everything else.
	Contact
	numClasses
)

// String is the class in a word.
func (c Class) String() string {
	if c > numClasses {
		return "Class(" + strconv.Itoa(int(c)) + ")"
	}
	return [...]string{"over", "bearoff2", "bearoff1", "race", "crashed", "contact", "unknown"}[c]
}

// ClassOf returns the class of position p. It does not check the rules of the
// board; positions that break them get some class.
func ClassOf(p *board.Position) Class {
	m, o := look(&p.Me), look(&p.Opp)
	if m.count == 0 || o.count == 0 {
		return Over
	}
	if m.rear+o.rear > 22 {
		if m.crashed(&p.Me) || o.crashed(&p.Opp) {
			return Crashed
		}
		return Contact
	}
	if m.rear > 5 || o.rear > 5 {
		return Race
	}
	if m.count > 6 || o.count > 6 {
		return Bearoff1
	}
	return Bearoff2
}

// CrashedTheirs reports, of a position of class Crashed, whether that is so by the opponent's
// checkers alone.
func CrashedTheirs(p *board.Position) bool { return !look(&p.Me).crashed(&p.Me) }

// glance is what class needs of one side.
type glance struct{ count, rear int }

func look(c *board.Checkers) glance {
	a := binary.LittleEndian.Uint64(c[0:8])
	b := binary.LittleEndian.Uint64(c[8:16])
	d := binary.LittleEndian.Uint64(c[16:24])
	bar := int(c[board.Bar])
	g := glance{count: int((a+b+d)*0x0101010101010101>>56) + bar}
	switch {
	case bar > 0:
		g.rear = board.Bar
	case d != 0:
		g.rear = 23 - bits.LeadingZeros64(d)/8
	case b != 0:
		g.rear = 15 - bits.LeadingZeros64(b)/8
	default:
		g.rear = 7 - bits.LeadingZeros64(a)/8
	}
	return g
}

// spent is how few live checkers make a position crashed.
const spent = 6

// crashed reports whether at most six of the side's checkers are live. A point needs
// two; what is left of the ace point once it is made, and of the deuce point
// beyond its second checker or all of it behind a made ace point, is dead wood.
// This is the dividing line that programs of the GNU Backgammon family draw.
func (g glance) crashed(c *board.Checkers) bool {
	live := g.count
	if ace, deuce := int(c[0]), int(c[1]); ace > 1 {
		live -= ace
		if deuce > 1 {
			live -= deuce - 1
		}
	} else if deuce > 1 {
		live -= deuce - 1
	}
	return live <= spent
}
