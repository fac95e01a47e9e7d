package nn

import (
	"math/bits"

	"fibsbot/engine/board"
)

// rollMask is a set of the 21 distinct rolls, bit numbers as in board.Rolls.
type rollMask = uint32

// tables holds everything about single dice that can be known in advance. It is
// built once at start (about a millisecond) and never changed.
var tables = buildTables()

type dieTables struct {
	// escapes[w] is how many of the 36 rolls one checker can play in full, both
	// dice, when w (see ahead) holds the blocked points in front of it; leaps[w]
	// how many take it past the last blocked point of the twelve, with up to
	// four steps of a double; all 36 when none is blocked.
	escapes, leaps [4096]uint8

	doubles  rollMask
	ofRoll   [7][7]uint8     // roll number of two dice
	withDice [64]rollMask    // rolls that show one of the dice in the set (bit d-1)
	enter    [7][64]rollMask // rolls with die d whose other die is in the set
	both     [64][64]rollMask
	// combined[d][open] are the rolls that reach distance d in exactly two steps
	// when open (bit k-1 = distance k from the target is not blocked) allows the
	// landing in between.
	combined [25][64]rollMask
	// Three and four steps of a double: the roll, and the open landings needed.
	third, fourth         [25]rollMask
	thirdNeed, fourthNeed [25]uint32

	// link is how well two made points g apart work together, by g.
	link [25]float32
	// barLoss[on the bar][closed points] is the expected share of a roll lost.
	barLoss [3][7]float32
}

func buildTables() *dieTables {
	t := new(dieTables)
	for k, r := range board.Rolls {
		a, b := r.Dice.A, r.Dice.B
		t.ofRoll[a][b], t.ofRoll[b][a] = uint8(k), uint8(k)
		if a == b {
			t.doubles |= 1 << k
		}
	}
	for w := range 4096 {
		t.escapes[w], t.leaps[w] = escapeCounts(uint32(w))
	}
	t.diceSets()
	t.steps()
	for g := 1; g <= 6; g++ {
		// Adjacent points are a full link; beyond six apart nothing is left.
		t.link[g] = [...]float32{0, 1, 0.9, 0.75, 0.6, 0.4, 0.25}[g]
	}
	for closed := range 7 {
		c := float32(closed) / 6
		t.barLoss[1][closed] = c * c
		// Both dice are needed by two: each one lost costs half the roll.
		t.barLoss[2][closed] = c
	}
	return t
}

// escapeCounts plays the 36 rolls with one checker against blocked points w.
func escapeCounts(w uint32) (free, past uint8) {
	blocked := func(d int) bool { return d <= 12 && w>>(12-d)&1 == 1 }
	last := 0
	if w != 0 {
		last = 12 - bits.TrailingZeros32(w)
	}
	for _, r := range board.Rolls {
		a, b := int(r.Dice.A), int(r.Dice.B)
		far := 0
		if a == b {
			for far < 4*a && !blocked(far+a) {
				far += a
			}
		} else {
			if !blocked(a) {
				far = a
			}
			if !blocked(b) {
				far = max(far, b)
			}
			if far > 0 && !blocked(a+b) {
				far = a + b
			}
		}
		if far >= a+b {
			free += uint8(r.Weight)
		}
		if far > last || w == 0 {
			past += uint8(r.Weight)
		}
	}
	return free, past
}

func (t *dieTables) diceSets() {
	for set := range 64 {
		for d := 1; d <= 6; d++ {
			for e := 1; e <= 6; e++ {
				if set>>(e-1)&1 == 1 {
					t.enter[d][set] |= 1 << t.ofRoll[d][e]
				}
			}
		}
	}
	for x := range 64 {
		for d := 1; d <= 6; d++ {
			if x>>(d-1)&1 == 1 {
				t.withDice[x] |= t.enter[d][63]
				for y := range 64 {
					t.both[x][y] |= t.enter[d][y]
				}
			}
		}
	}
}

func (t *dieTables) steps() {
	for a := 1; a <= 6; a++ {
		for b := 1; b <= a; b++ {
			for open := range 64 {
				if open>>(a-1)&1 == 1 || open>>(b-1)&1 == 1 {
					t.combined[a+b][open] |= 1 << t.ofRoll[a][b]
				}
			}
		}
		if d := 3 * a; d <= 24 {
			t.third[d] = 1 << t.ofRoll[a][a]
			t.thirdNeed[d] = 1<<(a-1) | 1<<(2*a-1)
		}
		if d := 4 * a; d <= 24 {
			t.fourth[d] = 1 << t.ofRoll[a][a]
			t.fourthNeed[d] = 1<<(a-1) | 1<<(2*a-1) | 1<<(3*a-1)
		}
	}
}

// throws counts how many of the 36 throws a set of rolls has.
func (t *dieTables) throws(m rollMask) int {
	return 2*bits.OnesCount32(m) - bits.OnesCount32(m&t.doubles)
}
