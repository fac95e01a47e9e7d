package match

import "math"

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
// approximation before the Crawford game, and after it the rule that the trailer
// doubles at once: half of the games are won, worth two or four points.
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
		t.post[i] = t.postRule(i)
	}
}

// postRule is the chance of a trailer who needs i+1 points after the Crawford
// game when doubling at once and winning half of the games.
func (t *Table) postRule(i int) float64 {
	at := func(k int) float64 {
		if k < 0 {
			return 1
		}
		return t.post[k]
	}
	return 0.5 * (trailerGammons*at(i-4) + (1-trailerGammons)*at(i-2))
}
