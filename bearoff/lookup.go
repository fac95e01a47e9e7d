package bearoff

import (
	"encoding/binary"
	"fmt"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// home counts the checkers of c; ok is false when one stands outside the home
// board.
func home(c *board.Checkers) (n int, ok bool) {
	le := binary.LittleEndian
	if le.Uint64(c[6:])|le.Uint64(c[14:])|le.Uint64(c[17:]) != 0 {
		return 0, false
	}
	return int(c[0]) + int(c[1]) + int(c[2]) + int(c[3]) + int(c[4]) + int(c[5]), true
}

// Lookup returns the chances of p, seen from the player on roll. exact tells
// that they come from a two-sided database and are right to its precision,
// 0.00001 (that of Sconyers' files is not known, see docs/bearoff.md); otherwise they join two one-sided distributions, right to about
// 0.003, or where none are kept their normal approximations, which add a mean
// error of 0.0006 (docs/bearoff.md). ok is false when no database holds p, or
// when the game is over.
func (s *Source) Lookup(p *board.Position) (pr eval.Probs, exact, ok bool) {
	me, okMe := home(&p.Me)
	opp, okOpp := home(&p.Opp)
	if !okMe || !okOpp {
		return s.far(p)
	}
	if me == 0 || opp == 0 || me > MaxCheckers || opp > MaxCheckers {
		return pr, false, false
	}
	x, y := indexHome(&p.Me), indexHome(&p.Opp)
	if raw, ok := s.pair(p, me, opp, x, y); ok {
		pr[eval.Win] = float32(raw[0]) / full
		return pr, true, true
	}
	if e, ok := s.askSconyers(me, opp, x, y); ok {
		pr[eval.Win] = (float32(e.Cubeless) + 1) / 2
		return pr, true, true
	}
	one := s.one()
	a, ok1 := one.entry(x)
	b, ok2 := one.entry(y)
	if !ok1 || !ok2 {
		s.bypass(one)
		return pr, false, false
	}
	return join(&a, &b), false, true
}

// pair returns what a two-sided database holds of p, with so many checkers and these placements; ok is
// false where none does. Bigger ones are not asked where a side has all fifteen left, since they count
// every game as one point and a gammon is two.
func (s *Source) pair(p *board.Position, me, opp int, x, y uint32) (raw [4]uint16, ok bool) {
	if me <= 6 && opp <= 6 {
		return s.two().Raw(x, y)
	}
	if me >= MaxCheckers || opp >= MaxCheckers {
		return raw, false
	}
	for _, t := range s.twos {
		if me > t.checkers || opp > t.checkers {
			continue
		}
		u, v := x, y
		if t.points < 6 { // gnubg makes such
			if !t.Holds(p) {
				continue
			}
			u, v = Index(&p.Me, t.points), Index(&p.Opp, t.points)
		}
		if raw, ok := t.Raw(u, v); ok {
			return raw, true
		}
		s.bypass(t)
	}
	return raw, false
}

// far is Lookup for races outside the home boards.
func (s *Source) far(p *board.Position) (pr eval.Probs, exact, ok bool) {
	for _, o := range s.ones {
		if !o.Holds(&p.Me) || !o.Holds(&p.Opp) {
			continue
		}
		if !racing(p) {
			return pr, false, false
		}
		a, ok1 := o.find(&p.Me)
		b, ok2 := o.find(&p.Opp)
		if ok1 && ok2 {
			return join(&a, &b), false, true
		}
		s.bypass(o)
	}
	for _, n := range s.normals {
		if !n.Holds(&p.Me) || !n.Holds(&p.Opp) {
			continue
		}
		if !racing(p) {
			return pr, false, false
		}
		if c, ok := n.Race(p); ok {
			pr[eval.Win] = float32(c.Win)
			pr[eval.WinGammon] = min(float32(c.WinGammon), pr[eval.Win])
			pr[eval.LoseGammon] = min(float32(c.LoseGammon), 1-pr[eval.Win])
			return pr, false, true
		}
		s.bypass(n)
	}
	return pr, false, false
}

// racing reports whether p is an unfinished race.
func racing(p *board.Position) bool {
	return !p.Contact() && p.Me.Count() > 0 && p.Opp.Count() > 0
}

// Side is what the one-sided databases know about the checkers of one side.
type Side struct {
	// Mean and StdDev are those of the number of rolls to bear off everything.
	Mean, StdDev float64
	// EPC is the effective pip count, the mean rolls times PipsPerRoll, and Wastage
	// what it exceeds the pip count by (Walter Trice). Both are exact in every kind
	// of database.
	EPC, Wastage float64
	// Off and First are the chances of 0, 1, 2, ... rolls until all checkers and
	// until the first of fifteen are off; Approximate tells that they were made of
	// their means and variances.
	Off, First  []float64
	Approximate bool
}

// Side asks the smallest database with distributions that holds c, or else the
// smallest one with means and variances. ok is false when none holds it.
func (s *Source) Side(c *board.Checkers) (v Side, ok bool) {
	if c.Count() > MaxCheckers {
		return v, false
	}
	for _, o := range append([]*OneSided{s.one()}, s.ones...) {
		if e, ok := o.find(c); ok {
			v = Side{Off: e.off.Slice(), First: e.first.Slice()}
			v.count(c, Moments{float64(e.mean), e.off.Variance()})
			return v, true
		}
	}
	for _, n := range s.normals {
		if off, first, ok := n.Rolls(c); ok {
			v = Side{Off: off.Chances(), First: first.Chances(), Approximate: true}
			v.count(c, off)
			return v, true
		}
	}
	return v, false
}

func (v *Side) count(c *board.Checkers, off Moments) {
	v.Mean, v.StdDev = off.Mean, math.Sqrt(off.Variance)
	v.EPC = off.Mean * PipsPerRoll
	v.Wastage = v.EPC - float64(c.Pips())
}

// join makes chances of two one-sided entries.
func join(me, opp *entry) (pr eval.Probs) {
	pr[eval.Win] = float32(noLater(me.off, opp.off, 0))
	if opp.first.start > 0 {
		pr[eval.WinGammon] = min(float32(noLater(me.off, opp.first, 0)), pr[eval.Win])
	}
	if me.first.start > 0 {
		pr[eval.LoseGammon] = min(float32(noLater(opp.off, me.first, 1)), 1-pr[eval.Win])
	}
	return pr
}

// bypass warns once of a database that turned out to be damaged in use.
func (s *Source) bypass(db fmt.Stringer) {
	if _, again := s.warned.LoadOrStore(db.String(), true); !again {
		s.without(db.String() + ": " + ErrDamaged.Error() + "; bypassed where it is damaged")
	}
}

// Equities returns the exact money equities of p from a two-sided database; ok
// is false when none holds it, when a gammon is possible or the game is over.
func (s *Source) Equities(p *board.Position) (e Equities, ok bool) {
	me, okMe := home(&p.Me)
	opp, okOpp := home(&p.Opp)
	if !okMe || !okOpp || me == 0 || opp == 0 {
		return e, false
	}
	x, y := indexHome(&p.Me), indexHome(&p.Opp)
	if raw, ok := s.pair(p, me, opp, x, y); ok {
		return equitiesOf(raw), true
	}
	return s.askSconyers(me, opp, x, y)
}

// Cubeful returns the exact money equities of the player on roll, in units of
// the cube, without a double now: with their own cube, a centred one, the
// opponent's. The value with the right to double is max(centred, min(2 *
// oppOwned, 1)), likewise for owned. No gammons are possible there, so Jacoby
// changes nothing but the value before the first double of a race that cannot
// end in a gammon anyway; beavers are not counted. ok is false outside the
// two-sided databases.
func (s *Source) Cubeful(p *board.Position) (owned, centred, oppOwned float64, ok bool) {
	e, ok := s.Equities(p)
	return e.Owned, e.Centred, e.OppOwned, ok
}

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

// Best is the answer of BestPlay.
type Best struct {
	Play board.Play
	Win  float64 // chance to win the race after it
	// Quick is the play with the smallest mean number of rolls, and its chance.
	Quick    board.Play
	QuickWin float64
}

// BestPlay returns the play of a race that wins most often against the
// opponent's distribution of rolls, and beside it the one that needs the fewest
// rolls on average. They differ when one side is far behind: then a play that
// is slower on average but leaves more doubles that work wins more often. The
// chance counts the plays after this one as quick ones. Equal chances to win are
// told apart by the chance to save the gammon. ok is false when a position is
// outside the database or no play is legal.
func (o *OneSided) BestPlay(p *board.Position, d board.Dice) (b Best, ok bool) {
	opp, found := o.find(&p.Opp)
	if !found || p.Contact() {
		return b, false
	}
	mean, lose := 0.0, 0.0
	for i, pl := range board.AppendPlays(nil, *p, d) {
		me, found := o.find(&pl.Result.Me)
		if !found {
			return b, false
		}
		win, gammon := 1.0, 0.0
		if pl.Result.Me.Count() > 0 {
			win = 1 - noLater(opp.off, me.off, 0)
			if me.first.start > 0 {
				gammon = noLater(opp.off, me.first, 0)
			}
		}
		if i == 0 || win > b.Win || win == b.Win && gammon < lose {
			b.Play, b.Win, lose = pl, win, gammon
		}
		if i == 0 || float64(me.mean) < mean {
			b.Quick, b.QuickWin, mean = pl, win, float64(me.mean)
		}
		ok = true
	}
	return b, ok
}
