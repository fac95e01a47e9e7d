package bearoff

import (
	"fmt"

	"fibsbot/engine/board"
)

const (
	// MaxPoints is the largest board of a one-sided database. Beyond 18 points a
	// loser may still have a checker in the winner's home, so backgammons would count.
	MaxPoints = 18
	// MaxCheckers is the largest number of checkers of any database.
	MaxCheckers = board.MaxCheckers

	hyperPoints = 25
)

// ranks[m][s] is C(s+m-1, m): how many placements of fewer than s checkers m
// points have. Numbers beyond 32 bits belong to no database of this package.
var ranks = func() (t [hyperPoints + 1][MaxCheckers + 2]uint32) {
	for m := range t {
		for s := range t[m] {
			t[m][s] = uint32(choose(s+m-1, m))
		}
	}
	return t
}()

// choose returns the number of ways to take k things of n.
func choose(n, k int) uint64 {
	if k < 0 || n < k {
		return 0
	}
	r := uint64(1)
	for i := 1; i <= k; i++ {
		r = r * uint64(n-k+i) / uint64(i)
	}
	return r
}

// Size is the number of placements of at most the given number of checkers on
// the given number of points: C(checkers+points, points).
func Size(points, checkers int) uint64 { return choose(checkers+points, points) }

// Index is the number of the placement c in a database of the given number of
// points (1..25): the sum over m of C(s_m+m-1, m), where s_m is the number of
// checkers on the m highest points. Placements with fewer checkers come first;
// each legal play leads to a smaller number. Checkers above the highest point
// are not counted.
func Index(c *board.Checkers, points int) uint32 {
	var idx uint32
	s := 0
	for m := 1; m <= points; m++ {
		s += int(c[points-m])
		idx += ranks[m][s&15]
	}
	return idx
}

// indexHome is Index for six points without a loop; it is the innermost
// function of every race evaluation.
func indexHome(c *board.Checkers) uint32 {
	s1 := c[5]
	s2 := s1 + c[4]
	s3 := s2 + c[3]
	s4 := s3 + c[2]
	s5 := s4 + c[1]
	s6 := s5 + c[0]
	return ranks[1][s1&15] + ranks[2][s2&15] + ranks[3][s3&15] +
		ranks[4][s4&15] + ranks[5][s5&15] + ranks[6][s6&15]
}

// Placement is the inverse of Index. idx must be below Size(points, 15).
func Placement(idx uint32, points int) (c board.Checkers) {
	s := MaxCheckers
	above := 0
	for m := points; m >= 1; m-- {
		for s > 0 && ranks[m][s] > idx {
			s--
		}
		idx -= ranks[m][s]
		if m < points {
			c[points-m-1] = uint8(above - s)
		}
		above = s
	}
	c[points-1] = uint8(above)
	return c
}

// checkSize reports a database shape that cannot exist.
func checkSize(points, checkers, maxPoints int) error {
	if points < 1 || points > maxPoints {
		return fmt.Errorf("bearoff database of %d points: must be 1 to %d", points, maxPoints)
	}
	if checkers < 1 || checkers > MaxCheckers {
		return fmt.Errorf("bearoff database of %d checkers: must be 1 to %d", checkers, MaxCheckers)
	}
	return nil
}

// moves lists where one checker can go for each die, as database numbers.
// It holds for placements without contact, where every die can be played as
// long as a checker is left.
type moves struct {
	to [6][MaxPoints]uint32
	n  [6]int
}

// from fills mv for the placement c with number idx. Moving a checker from
// point i by d changes only the partial sums s_m that contain the old point
// and not the new one, so with prefix sums of the changes each move costs one
// subtraction.
func (mv *moves) from(c *board.Checkers, idx uint32, points int) {
	var drop [MaxPoints + 1]uint32
	s, rear := 0, -1
	for m := 1; m <= points; m++ {
		i := points - m
		s += int(c[i])
		if rear < 0 && c[i] > 0 {
			rear = i
		}
		drop[m] = drop[m-1]
		if s > 0 {
			drop[m] += ranks[m][s] - ranks[m][s-1]
		}
	}
	for d := 1; d <= 6; d++ {
		n := 0
		for i := rear; i >= 0; i-- {
			if c[i] == 0 {
				continue
			}
			switch {
			case i >= d:
				mv.to[d-1][n] = idx - (drop[points-i+d-1] - drop[points-i-1])
				n++
			case rear < 6 && (i == d-1 || i == rear):
				mv.to[d-1][n] = idx - (drop[points] - drop[points-i-1])
				n++
			}
		}
		mv.n[d-1] = n
	}
}
