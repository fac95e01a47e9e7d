package bearoff

import (
	"slices"
	"sync"

	"fibsbot/engine/board"
)

// leaving knows how many rolls a side needs to bring its last checkers out of the other side's home in a
// race, where nothing is in its way. It makes the most of each roll for those checkers alone. It is
// worked out when first needed and is safe for concurrent use.
type leaving struct {
	once  sync.Once
	until [leavingStates]Dist
}

// leavings is the one of the program.
var leavings leaving

const (
	// leavingPlaces are the distances to the first point outside, 1 to 5: a race leaves no checker on
	// the other side's ace point or on the bar.
	leavingPlaces = 5
	// leavingMost is the largest number of checkers that are followed; of more, the rearmost are.
	leavingMost = 6
	// leavingStates numbers the counts by place, each a digit from 0 to leavingMost.
	leavingStates = 7 * 7 * 7 * 7 * 7
	// leavingRolls bounds the rolls: 30 pips, 3 a roll, and less than a roll wasted for a checker.
	leavingRolls = 20
)

// backFrom is the index of the first point of the other side's home.
const backFrom = 18

// back is the number of checkers on each place, the nearest first.
type back [leavingPlaces]uint8

func (b back) index() (k int) {
	for _, n := range b {
		k = k*(leavingMost+1) + int(n)
	}
	return k
}

// backOf returns the checkers of c that are to leave, the rearmost leavingMost of more. ok is false where
// no checker is to leave, or one is on the bar or too deep.
func backOf(c *board.Checkers) (b back, ok bool) {
	if c[board.Bar] > 0 || c[backFrom+leavingPlaces] > 0 {
		return b, false
	}
	sum := 0
	for i := leavingPlaces - 1; i >= 0; i-- {
		b[i] = min(c[backFrom+i], uint8(leavingMost-sum))
		sum += int(b[i])
	}
	return b, sum > 0
}

// rolls returns the distribution of the rolls until c's checkers have left; ok is false unless c has all
// fifteen checkers and some are to leave.
func (l *leaving) rolls(c *board.Checkers) (d Dist, ok bool) {
	b, ok := backOf(c)
	if !ok || c.Count() != MaxCheckers {
		return d, false
	}
	return l.of(b), true
}

// of returns the distribution of the rolls until all of b have left.
func (l *leaving) of(b back) Dist {
	l.once.Do(l.fill)
	return l.until[b.index()]
}

// fill works out all states: soon[n] is the best chance to have left within n rolls.
func (l *leaving) fill() {
	var states []back
	var list func(b back, place, left int)
	list = func(b back, place, left int) {
		if place == leavingPlaces {
			states = append(states, b)
			return
		}
		for n := range left + 1 {
			b[place] = uint8(n)
			list(b, place+1, left-n)
		}
	}
	list(back{}, 0, leavingMost)
	var soon [leavingRolls + 1][]float64
	soon[0] = make([]float64, leavingStates)
	soon[0][0] = 1
	reach := make([][len(weight21)][]int32, len(states)) // what each roll leads to
	for i, b := range states {
		for k, r := range weight21 {
			reach[i][k] = reached(b, r.a+1, r.b+1)
		}
	}
	for n := 1; n <= leavingRolls; n++ {
		soon[n] = make([]float64, leavingStates)
		for i, b := range states {
			sum := 0.0
			for k, r := range weight21 {
				best := 0.0
				for _, to := range reach[i][k] {
					best = max(best, soon[n-1][to])
				}
				sum += float64(r.w) * best
			}
			soon[n][b.index()] = sum / 36
		}
	}
	for _, b := range states {
		k := b.index()
		var p [leavingRolls + 1]float64
		for n := range p {
			if p[n] = soon[n][k]; n > 0 {
				p[n] -= soon[n-1][k]
			}
		}
		vals, start := quantise(make([]byte, 0, 2*len(p)), p[:])
		l.until[k] = Dist{start, vals}
	}
}

// reached returns the states to which b comes with a roll.
func reached(b back, x, y int) (out []int32) {
	dice := []int{x, y}
	if x == y {
		dice = []int{x, x, x, x}
	}
	var play func(b back, dice []int)
	play = func(b back, dice []int) {
		if len(dice) == 0 || b == (back{}) {
			if at := int32(b.index()); !slices.Contains(out, at) {
				out = append(out, at)
			}
			return
		}
		for i, n := range b {
			if n == 0 {
				continue
			}
			next := b
			next[i]--
			if to := i - dice[0]; to >= 0 {
				next[to]++
			}
			play(next, dice[1:])
		}
	}
	play(b, dice)
	if x != y {
		play(b, []int{y, x})
	}
	return out
}

// Backgammons returns the chances of the player on roll in p, a race, to win and to lose a backgammon, -1 for
// one that is not known. It knows them where the winner is home and the loser, who has all fifteen
// checkers, has some in the winner's home. With more than six there, which are almost always too many, the
// chance is that for the rearmost six, a little too low.
func (s *Source) Backgammons(p *board.Position) (win, lose float32) {
	return s.chances(p, leavings.rolls)
}
