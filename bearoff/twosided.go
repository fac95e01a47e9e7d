package bearoff

import (
	"encoding/binary"
	"fmt"

	"fibsbot/engine/board"
)

// Equities are the values of a two-sided database for the player on roll who
// does not double now, in units of the present cube, money play without gammons,
// Jacoby and beavers, both sides playing and doubling perfectly afterwards.
// The four are independent: each belongs to the play that is best for it.
type Equities struct {
	Cubeless float64 `json:"cubeless"`  // no cube in play: 2 * chance to win - 1
	Owned    float64 `json:"owned"`     // the player on roll owns the cube
	Centred  float64 `json:"centred"`   // no one has doubled yet
	OppOwned float64 `json:"opp_owned"` // the opponent owns the cube
}

// CentredBest is the equity of the player on roll with the cube in the middle
// who may double now, against the opponent's best answer.
func (e Equities) CentredBest() float64 { return max(e.Centred, e.Doubled()) }

// OwnedBest is CentredBest for the owner of the cube.
func (e Equities) OwnedBest() float64 { return max(e.Owned, e.Doubled()) }

// Doubled is the equity after a double now, in units of the cube before it: 1
// when the opponent passes, twice the value of the opponent's cube after a take.
func (e Equities) Doubled() float64 { return min(2*e.OppOwned, 1) }

const twoRecord = 8

// TwoSided is a two-sided database. It is safe for concurrent use.
type TwoSided struct {
	extent
	n     uint32
	table *section
}

// Holds reports whether p is in the database.
func (t *TwoSided) Holds(p *board.Position) bool {
	return t.holds(&p.Me) && t.holds(&p.Opp)
}

// Raw returns the four stored 16-bit numbers of a pair of placements, in the
// order cubeless, owned, centred, opponent owns; equity = raw/32767.5 - 1. ok is
// false where the file is damaged.
func (t *TwoSided) Raw(me, opp uint32) (raw [4]uint16, ok bool) {
	b := t.table.at((int64(me)*int64(t.n)+int64(opp))*twoRecord, twoRecord)
	if b == nil {
		return raw, false
	}
	for i := range raw {
		raw[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return raw, true
}

// Equities returns the values of p; ok is false when p is outside the database,
// when the sides are not past each other, or where the file is damaged.
func (t *TwoSided) Equities(p *board.Position) (e Equities, ok bool) {
	if !t.Holds(p) || p.Contact() {
		return e, false
	}
	raw, ok := t.Raw(Index(&p.Me, t.points), Index(&p.Opp, t.points))
	return equitiesOf(raw), ok
}

func equitiesOf(raw [4]uint16) Equities {
	f := func(k uint16) float64 { return float64(k)/32767.5 - 1 }
	return Equities{f(raw[0]), f(raw[1]), f(raw[2]), f(raw[3])}
}

// String names the database by its shape.
func (t *TwoSided) String() string {
	return fmt.Sprintf("two-sided database, %d checkers on %d points", t.checkers, t.points)
}
