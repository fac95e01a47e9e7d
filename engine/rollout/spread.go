package rollout

import "math"

// faces is how many rolls there are, counted as two dice.
const faces = 36

// firstRolls is how many trials had each first roll, by its place in the
// shuffled list.
type firstRolls [faces]int

// fewest is how many trials it takes before the first roll is taken out of a
// standard error: with less there is too little left to estimate it from.
const fewest = 4 * faces

// standardError is that of the mean of n trials with that sum and sum of squares.
// Where even is not 0, the first roll is dealt evenly within every even trials:
// what varies only with it varies between trials and not between rollouts, so it
// is taken out, as in an analysis of variance with one factor. of gives the sum of
// the trials with the first roll number r. Trials beyond the last full round
// are not dealt evenly and count whole.
//
// The second and third rolls are dealt evenly too. Their part is left in: the three
// cannot be told apart before 1296 trials are full, and subtracting them as if they
// could gave errors a third too small. So the error is a little too large where the
// outcome hangs on those rolls and no variance reduction has removed their luck.
func standardError(n int, sum, squares float64, even int, counts *firstRolls, of func(r int) float64) float64 {
	if n < 2 {
		return math.NaN() // nothing to estimate a spread from
	}
	all := float64(n)
	mean := sum / all
	total := max(squares-all*mean*mean, 0)
	variance := total / (all - 1)
	if even > 0 && n >= fewest {
		within, groups := squares, 0
		for r, m := range counts {
			if m > 0 {
				s := of(r)
				within -= s * s / float64(m)
				groups++
			}
		}
		full := float64(n - n%even)
		variance = (full*max(within, 0)/float64(n-groups) + (all-full)*variance) / all
	}
	return math.Sqrt(variance / all)
}
