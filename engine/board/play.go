package board

// Dice is a roll. The order does not matter for the legal plays; text always
// shows the larger die first.
type Dice struct{ A, B uint8 }

// Double reports whether both dice are equal, which gives four steps.
func (d Dice) Double() bool { return d.A == d.B }

// Valid reports whether both dice are between 1 and 6.
func (d Dice) Valid() bool { return d.A >= 1 && d.A <= 6 && d.B >= 1 && d.B <= 6 }

// Sorted returns the same roll with the larger die first.
func (d Dice) Sorted() Dice {
	if d.A < d.B {
		return Dice{A: d.B, B: d.A}
	}
	return d
}

// Step is one checker moved by one die, in the mover's numbering of Checkers:
// From is 0..24 (Bar), To is 0..23 or Off.
type Step struct{ From, To int8 }

// Play is one legal way to use a roll. Steps[:N] are the single steps in an
// order that is legal step by step. Result is the position after the play,
// STILL FROM THE MOVER'S VIEW (Me is the mover); Result.Swap() has the next
// player on roll. A roll that cannot be played has no Play in
// what AppendPlays returns; ParsePlay gives it one with N 0.
type Play struct {
	Steps  [4]Step
	N      uint8
	Result Position
}

// Rolls lists the 21 distinct rolls, larger die first, with the number of the
// 36 throws that show each.
var Rolls = func() (r [21]struct {
	Dice   Dice
	Weight int
}) {
	k := 0
	for a := uint8(1); a <= 6; a++ {
		for b := uint8(1); b <= a; b++ {
			r[k].Dice, r[k].Weight = Dice{A: a, B: b}, 2
			if a == b {
				r[k].Weight = 1
			}
			k++
		}
	}
	return r
}()
