package match

import (
	"fmt"
	"math"
)

// gameSpread is the standard deviation, in points of the match, of what a player
// who needs that many points wins in a game: short needs cap the cube. Source:
// the normal approximation that gnubg extends its tables with.
var gameSpread = [...]float64{0, 1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72, 1.77}

func spread(away int) float64 {
	return gameSpread[min(away, len(gameSpread)-1)]
}

// normalChance is the chance that a normally distributed lead of the match is
// overcome: the player who needs me points has to gain me-opp points on one who
// needs opp in about (me+opp)/2 games.
func normalChance(me, opp int) float64 {
	sigma := math.Hypot(spread(me), spread(opp)) * math.Sqrt(float64(me+opp)/2)
	return 0.5 * math.Erfc(float64(me-opp)/sigma/math.Sqrt2)
}

// trailerGammons is the share of gammons among the games that the trailer wins
// in the formula for post-Crawford scores.
const trailerGammons = 0.25

// extend fills the table beyond what its source publishes: the normal
// approximation before the Crawford game, and after it the trailer's rule that
// he doubles at once: half of the games are won, worth two or four points.
func (t *Table) extend() {
	for i := t.Published; i < MaxLength; i++ {
		for j := range i {
			// The approximation is meaningless for a side so far ahead that the
			// lead is more than six deviations; it is then simply 0.
			t.pre[i][j] = normalChance(i+1, j+1)
			t.pre[j][i] = 1 - t.pre[i][j]
		}
		t.pre[i][i] = 0.5
	}
	for i := t.Published; i < MaxLength; i++ {
		t.post[i] = t.postRule(i, trailerGammons)
	}
}

// postRule is the chance of a trailer who needs i+1 points after the Crawford
// game when he doubles at once and wins half of the games, gammons of them
// gammons.
func (t *Table) postRule(i int, gammons float64) float64 {
	at := func(k int) float64 {
		if k < 0 {
			return 1
		}
		return t.post[k]
	}
	return 0.5 * (gammons*at(i-4) + (1-gammons)*at(i-2))
}

// Formula are the figures from which Computed makes a table.
type Formula struct {
	// Gammons is the share of gammons among the games that are played to the
	// end, 0 to 1.
	Gammons float64
	// Efficiency is Janowski's cube efficiency of an average game, 0 (dead cube)
	// to 1 (live).
	Efficiency float64
	// FreeDrop2 and FreeDrop4 are what the leader's free drop costs the trailer
	// who needs 2 and 4 points after the Crawford game, in match winning chance.
	FreeDrop2, FreeDrop4 float64
}

// UsualFormula has figures commonly taken for equal players: one game in four
// is a gammon, free drops worth 1.5 % and 0.4 % (Zadeh 1977 and later tables).
var UsualFormula = Formula{Gammons: 0.25, Efficiency: 0.7, FreeDrop2: 0.015, FreeDrop4: 0.004}

// Computed makes a table from a model of the game instead of rollouts, in the
// spirit of N. Zadeh (Management Science 23, 1977): a game is a fair continuous
// walk, the cube is partly live (Janowski), and each score follows from the
// scores below it. It is within about 1.5 percentage points of rolled-out
// tables. Figures outside their ranges are an error that wraps ErrTable.
func Computed(f Formula) (*Table, error) {
	for _, v := range [...]float64{f.Gammons, f.Efficiency, f.FreeDrop2, f.FreeDrop4} {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("%w: figure %v is not between 0 and 1", ErrTable, v)
		}
	}
	t := &Table{
		Name:        "computed",
		Description: fmt.Sprintf("gammons %g, cube efficiency %g", f.Gammons, f.Efficiency),
		Published:   MaxLength,
	}
	t.post[0] = 0.5
	for i := 1; i < MaxLength; i++ {
		t.post[i] = t.postRule(i, f.Gammons)
		switch i {
		case 1:
			t.post[i] -= f.FreeDrop2
		case 3:
			t.post[i] -= f.FreeDrop4
		}
	}
	t.pre[0][0] = 0.5
	for i := 1; i < MaxLength; i++ {
		// The Crawford game: no cube, the trailer gains one point or two.
		single := t.Equity(i, 1, true)
		gammon := t.Equity(i-1, 1, true)
		t.pre[i][0] = 0.5 * (f.Gammons*gammon + (1-f.Gammons)*single)
		t.pre[0][i] = 1 - t.pre[i][0]
	}
	for i := 1; i < MaxLength; i++ {
		for j := 1; j < i; j++ {
			t.pre[i][j] = t.gameStart(i+1, j+1, f)
			t.pre[j][i] = 1 - t.pre[i][j]
		}
		t.pre[i][i] = 0.5
	}
	return t, nil
}

// gameStart is the match winning chance of the player who needs a points
// against b at the start of a game that both win equally often, from the part of
// the table below that score.
func (t *Table) gameStart(a, b int, f Formula) float64 {
	after := func(points int) float64 {
		if points > 0 {
			return t.Equity(a-points, b, false)
		}
		return t.Equity(a, b+points, false)
	}
	mean := func(cube int) float64 {
		return f.Gammons*after(2*cube) + (1-f.Gammons)*after(cube)
	}
	// cash returns the game winning chance at which the first or second player
	// cashes a live cube of that size.
	var cash func(second bool, cube int) float64
	cash = func(second bool, cube int) float64 {
		need, sign := a, 1
		if second {
			need, sign = b, -1
		}
		if need <= cube {
			return 1
		}
		win, drop, lose := mean(sign*2*cube), after(sign*cube), after(-sign*2*cube)
		if win == lose {
			return 1
		}
		return 1 - cash(!second, 2*cube)*(win-drop)/(win-lose)
	}
	dead := 0.5*mean(1) + 0.5*mean(-1)
	if a == 2 && b == 2 {
		return dead
	}
	lo, hi := 1-cash(true, 1), cash(false, 1)
	live := after(-1) + (after(1)-after(-1))*(0.5-lo)/(hi-lo)
	return f.Efficiency*live + (1-f.Efficiency)*dead
}
