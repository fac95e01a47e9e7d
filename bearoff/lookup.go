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
	if me <= 6 && opp <= 6 {
		raw, ok := s.two().Raw(x, y)
		pr[eval.Win] = float32(raw[0]) / full
		return pr, true, ok
	}
	for _, t := range s.twoSided(me, opp) {
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
			pr[eval.Win] = float32(raw[0]) / full
			return pr, true, true
		}
		s.bypass(t)
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

// twoSided returns the bigger two-sided databases that may be asked about so many
// checkers: none where a side has all fifteen left, since they count every game as one
// point and a gammon is two.
func (s *Source) twoSided(me, opp int) []*TwoSided {
	if me >= MaxCheckers || opp >= MaxCheckers {
		return nil
	}
	return s.twos
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
	if me <= 6 && opp <= 6 {
		raw, ok := s.two().Raw(indexHome(&p.Me), indexHome(&p.Opp))
		return equitiesOf(raw), ok
	}
	for _, t := range s.twoSided(me, opp) {
		if e, ok := t.Equities(p); ok {
			return e, true
		}
	}
	return s.askSconyers(me, opp, indexHome(&p.Me), indexHome(&p.Opp))
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
