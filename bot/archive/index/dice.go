package index

import (
	"context"
	"fmt"
	"math"

	"fibsbot/engine/board"
)

// Dice counts rolls by player (account, opponent) and roll, in the order of
// board.Rolls.
type Dice [2][21]int

func (d *Dice) add(o *Dice) {
	for p := range d {
		for i := range d[p] {
			d[p][i] += o[p][i]
		}
	}
}

// rollNumber returns the index of a roll in board.Rolls.
func rollNumber(d board.Dice) int {
	s := d.Sorted()
	return int(s.A)*(int(s.A)-1)/2 + int(s.B) - 1
}

// DiceSum is the dice of many matches.
type DiceSum struct {
	Matches, Games int
	Dice           Dice
}

// DiceTest compares the rolls of one side with fair dice.
type DiceTest struct {
	Side    string         `json:"side"`
	Rolls   int            `json:"rolls"`
	Counts  map[string]int `json:"counts"`           // by roll, such as 21
	Doubles float64        `json:"doubles"`          // share of the rolls, 0 to 1
	Fair    float64        `json:"doubles_expected"` // share of doubles of fair dice
	ChiSq   float64        `json:"chi_squared"`      // over the 21 rolls, 20 degrees of freedom
	P       float64        `json:"p_value"`          // chance of a worse fit with fair dice, 0 without rolls
}

// Test compares the rolls of side 0 (account) or 1 (opponents) with fair dice.
// The first roll of a game is never a double and is made by either side equally often, so
// half of the games count as such rolls. Otherwise a long archive would lack doubles.
func (s *DiceSum) Test(side int) DiceTest {
	t := DiceTest{Side: sides[side], Counts: map[string]int{}}
	doubles := 0
	for i, r := range board.Rolls {
		n := s.Dice[side][i]
		t.Counts[fmt.Sprintf("%d%d", r.Dice.A, r.Dice.B)] = n
		t.Rolls += n
		if r.Dice.Double() {
			doubles += n
		}
	}
	if t.Rolls == 0 {
		return t
	}
	first := min(float64(s.Games)/2, float64(t.Rolls))
	for i, r := range board.Rolls {
		want := (float64(t.Rolls) - first) * float64(r.Weight) / 36
		if r.Dice.Double() {
			t.Fair += want / float64(t.Rolls)
		} else {
			want += first * float64(r.Weight) / 30
		}
		if want > 0 {
			off := float64(s.Dice[side][i]) - want
			t.ChiSq += off * off / want
		}
	}
	t.Doubles = float64(doubles) / float64(t.Rolls)
	t.P = chiSquared20(t.ChiSq)
	return t
}

// chiSquared20 returns the chance that chi-squared with 20 degrees of freedom exceeds x.
// With an even number the chance has a closed form.
func chiSquared20(x float64) float64 {
	term, sum := 1.0, 1.0
	for i := 1.0; i < 10; i++ {
		term *= x / 2 / i
		sum += term
	}
	return math.Exp(-x/2) * sum
}

// DiceCount counts the rolls of all matches that fit.
func (d *DB) DiceCount(ctx context.Context, f Filter) (total DiceSum, err error) {
	err = d.list(ctx, f, []string{"games", "dice"}, func(m *Match) error {
		total.Matches++
		total.Games += m.Games
		total.Dice.add(&m.Dice)
		return nil
	})
	return total, err
}
