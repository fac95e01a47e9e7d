package bearoff

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"fibsbot/engine/board"
)

// Verify proves a database file: the sha-256 of its contents, or of gnubg's files, which
// have none, every entry; then n random entries, each derived again from the entries it
// follows from with the legal plays of package board, which shares nothing with the
// builders. The error wraps ErrDamaged, or is ctx's. report may be nil.
func Verify(ctx context.Context, path string, n int, seed uint64, report Progress) error {
	info, err := ReadInfo(path)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 0x62656172))
	if info.Whole() {
		if err := gnubgWhole(ctx, path, report); err != nil {
			return err
		}
	}
	again, closer, err := opened(path, info, r)
	if err != nil {
		return err
	}
	defer closer()
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := again(); err != nil {
			return fmt.Errorf("bearoff database %s: %w: %w", path, ErrDamaged, err)
		}
		if report != nil {
			report(uint64(i+1), uint64(n))
		}
	}
	return nil
}

// Whole reports whether Verify derives every entry: of gnubg's files, which no checksum guards.
func (i *Info) Whole() bool { return i.Version == 0 && i.Part == 0 }

// opened checks the contents of a file and returns a function that derives a random entry.
func opened(path string, info Info, r *rand.Rand) (again, closer func() error, err error) {
	if info.Part > 0 {
		return sconyersAgain(path, r)
	}
	if info.Version == 0 {
		again, err := gnubgAgain(path, r)
		return again, func() error { return nil }, err
	}
	if err := checkPayload(path); err != nil {
		return nil, nil, err
	}
	switch info.Kind {
	case KindOneSided:
		return derives(path, OpenOneSided, func(db *OneSided) error { return db.derive(r.Uint32N(db.Len())) })
	case KindNormal:
		return derives(path, OpenNormal, func(db *Normal) error { return db.derive(r.Uint32N(db.Len())) })
	case KindTwoSided:
		return derives(path, OpenTwoSided, func(db *TwoSided) error { return db.derive(r.Uint32N(db.n), r.Uint32N(db.n)) })
	case KindHyper:
		return derives(path, OpenHyper, func(db *Hyper) error { return db.derive(r.Uint32N(db.n), r.Uint32N(db.n)) })
	}
	return nil, nil, fmt.Errorf("bearoff database %s: %w: %v", path, ErrForeign, info.Kind)
}

// derives opens a database for one that derives entries.
func derives[T interface{ Close() error }](path string, open func(string) (T, error), one func(T) error) (again, closer func() error, err error) {
	db, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	return func() error { return one(db) }, db.Close, nil
}

// derive computes entry x again. The mean must agree within the precision of
// float32; the chances within rounding where one play is clearly the quickest.
func (o *OneSided) derive(x uint32) error { return o.deriveBy(x, 2e-5) }

// deriveBy is derive with a mean that may be off by slack.
func (o *OneSided) deriveBy(x uint32, slack float64) error {
	e, ok := o.entry(x)
	if !ok {
		return fmt.Errorf("placement %d cannot be read", x)
	}
	c := Placement(x, o.points)
	if x == 0 {
		if e.mean != 0 || e.off.At(0) != 1 {
			return fmt.Errorf("placement 0 needs %v rolls", e.mean)
		}
		return nil
	}
	// The opponent's checker on its ace point is behind every one of ours.
	p := board.Position{Me: c}
	p.Opp[0] = 1
	mean, clear := 1.0, true
	var sum [maxRolls]float64
	var buf []board.Play
	for _, roll := range board.Rolls {
		buf = board.AppendPlays(buf[:0], p, roll.Dice)
		var best entry
		next := float32(math.Inf(1))
		for i := range buf {
			s, ok := o.find(&buf[i].Result.Me)
			switch {
			case !ok:
				return fmt.Errorf("placement %d leads outside", x)
			case i == 0 || s.mean < best.mean:
				if i > 0 {
					next = best.mean
				}
				best = s
			default:
				next = min(next, s.mean)
			}
		}
		clear = clear && (float64(next-best.mean) > slack/2 || best.mean == 0)
		w := float64(roll.Weight) / 36
		mean += w * float64(best.mean)
		for i := best.off.start; i < best.off.Len(); i++ {
			sum[i+1] += w * best.off.At(i)
		}
	}
	if math.Abs(mean-float64(e.mean)) > slack {
		return fmt.Errorf("placement %d: mean %.6f rolls, derived %.6f", x, e.mean, mean)
	}
	if m := e.off.Mean(); math.Abs(m-float64(e.mean)) > 0.001 {
		return fmt.Errorf("placement %d: mean %.6f rolls, its chances say %.6f", x, e.mean, m)
	}
	for i := 0; clear && i < maxRolls; i++ {
		// Rounded sums leave the rest of up to 20 roundings with the largest part.
		if d := math.Abs(sum[i] - e.off.At(i)); d > 10.0/full {
			return fmt.Errorf("placement %d: chance of %d rolls %.6f, derived %.6f", x, i, e.off.At(i), sum[i])
		}
	}
	return nil
}

// derive computes the means and variances of placement x again. The variance is
// compared where one play of each roll is clearly the quickest.
func (n *Normal) derive(x uint32) error {
	off, first, ok := n.entry(x)
	if !ok {
		return fmt.Errorf("placement %d cannot be read", x)
	}
	p := board.Position{Me: Placement(x, n.points)}
	if p.Me.Count() == 0 {
		if off != (Moments{}) || first != (Moments{}) {
			return fmt.Errorf("placement %d needs %v rolls", x, off.Mean)
		}
		return nil
	}
	// The opponent's checker on its ace point is behind every one of ours.
	p.Opp[0] = 1
	var buf []board.Play
	goals := [2]struct {
		name string
		got  Moments
		done func(c *board.Checkers) bool
	}{
		{"all off", off, func(c *board.Checkers) bool { return c.Count() == 0 }},
		{"first off", first, func(c *board.Checkers) bool { return c.Count() < MaxCheckers }},
	}
	for k, g := range goals {
		if g.done(&p.Me) {
			if g.got != (Moments{}) {
				return fmt.Errorf("placement %d, %s: %v rolls where none are needed", x, g.name, g.got.Mean)
			}
			continue
		}
		mean, square, clear := 1.0, 1.0, true
		for _, roll := range board.Rolls {
			buf = board.AppendPlays(buf[:0], p, roll.Dice)
			var best Moments
			next := math.Inf(1)
			for i := range buf {
				var s [2]Moments
				if s[0], s[1], ok = n.Rolls(&buf[i].Result.Me); !ok {
					return fmt.Errorf("placement %d leads outside", x)
				}
				switch m := s[k]; {
				case i == 0 || m.Mean < best.Mean:
					if i > 0 {
						next = best.Mean
					}
					best = m
				default:
					next = min(next, m.Mean)
				}
			}
			clear = clear && (next-best.Mean > 1e-5 || best.Mean == 0)
			w := float64(roll.Weight) / 36
			mean += w * best.Mean
			square += w * (2*best.Mean + best.Variance + best.Mean*best.Mean)
		}
		if math.Abs(mean-g.got.Mean) > 2e-5 {
			return fmt.Errorf("placement %d, %s: mean %.6f rolls, derived %.6f", x, g.name, g.got.Mean, mean)
		}
		// One rounding here and one in the successors, and the means' in float32.
		if v := square - mean*mean; clear && math.Abs(v-g.got.Variance) > 2*varianceUnit {
			return fmt.Errorf("placement %d, %s: variance %.6f, derived %.6f", x, g.name, g.got.Variance, v)
		}
	}
	return nil
}

// derive computes the pair again from the stored values.
func (t *TwoSided) derive(x, y uint32) error { return t.deriveBy(x, y, 2) }

// deriveBy is derive with equities that may be off by units of 1/32767.5.
func (t *TwoSided) deriveBy(x, y uint32, units float64) error {
	f := followers(x, t.points)
	return t.deriveAfter(&f, x, y, units)
}

// deriveAll is deriveBy for every pair. The plays of a placement are generated once for all
// the opponent's, with which it has no contact.
func (t *TwoSided) deriveAll(ctx context.Context, units float64, report Progress) error {
	for x := range t.n {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := followers(x, t.points)
		for y := range t.n {
			if err := t.deriveAfter(&f, x, y, units); err != nil {
				return err
			}
		}
		if report != nil {
			report(uint64(x+1), uint64(t.n))
		}
	}
	return nil
}

// deriveAfter is deriveBy where f are the followers of x.
func (t *TwoSided) deriveAfter(f *following, x, y uint32, units float64) error {
	raw, ok := t.Raw(x, y)
	if !ok {
		return fmt.Errorf("pair %d, %d cannot be read", x, y)
	}
	e := equitiesOf(raw)
	got := [4]float64{e.Cubeless, e.Owned, e.Centred, e.OppOwned}
	var want [4]float64
	switch {
	case x == 0:
		want = [4]float64{1, 1, 1, 1}
	case y == 0:
		want = [4]float64{-1, -1, -1, -1}
	default:
		next, ok := f.lookAhead(y, func(me, opp uint32) (Equities, bool) {
			raw, ok := t.Raw(me, opp)
			return equitiesOf(raw), ok
		})
		if !ok {
			return fmt.Errorf("pair %d, %d: a successor cannot be read", x, y)
		}
		want = [4]float64{next.Cubeless, next.Owned, next.Centred, next.OppOwned}
	}
	for j := range want {
		// Half a step of rounding here, up to one in a doubled successor.
		if math.Abs(want[j]-got[j]) > units/32767.5 {
			return fmt.Errorf("pair %d, %d: value %d is %.6f, derived %.6f", x, y, j, got[j], want[j])
		}
	}
	return nil
}

// following lists the placements that each of board.Rolls leads to, without duplicates.
type following [len(board.Rolls)][]uint32

// followers generates the plays of placement x, without an opponent in the way.
func followers(x uint32, points int) (f following) {
	p := board.Position{Me: Placement(x, points)}
	p.Opp[0] = 1 // its ace point is behind every checker of ours
	var buf []board.Play
	for i, roll := range board.Rolls {
		buf = board.AppendPlays(buf[:0], p, roll.Dice)
		for k := range buf {
			f[i] = append(f[i], Index(&buf[k].Result.Me, points))
		}
		slices.Sort(f[i])
		f[i] = slices.Compact(f[i])
	}
	return f
}

// lookAhead makes the values of the pair x, y, neither of them empty, of those that one roll
// leads to; ok is false where value does not know one of them.
func lookAhead(x, y uint32, points int, value func(me, opp uint32) (Equities, bool)) (e Equities, ok bool) {
	f := followers(x, points)
	return f.lookAhead(y, value)
}

// lookAhead is that of the placement that f follows.
func (f *following) lookAhead(y uint32, value func(me, opp uint32) (Equities, bool)) (e Equities, ok bool) {
	var sum [4]float64
	for r, roll := range board.Rolls {
		var best [4]float64
		for i, x := range f[r] {
			n, ok := value(y, x)
			if !ok {
				return e, false
			}
			for j, v := range [4]float64{-n.Cubeless, -n.OppOwned, -n.CentredBest(), -n.OwnedBest()} {
				if i == 0 || v > best[j] {
					best[j] = v
				}
			}
		}
		for j := range sum {
			sum[j] += float64(roll.Weight) / 36 * best[j]
		}
	}
	return Equities{sum[0], sum[1], sum[2], sum[3]}, true
}

// derive computes the pair again from the stored values: the cubeless equity and
// the four cubeful ones. Single chances are not compared, because plays of equal
// equity may differ in them.
func (h *Hyper) derive(x, y uint32) error {
	p := board.Position{Me: Placement(x, hyperPoints), Opp: Placement(y, hyperPoints)}
	if x == 0 || y == 0 || p.Validate() != nil {
		return nil
	}
	got, ok := h.Value(&p)
	if !ok {
		return fmt.Errorf("pair %d, %d cannot be read", x, y)
	}
	var want [5]float64
	var buf []board.Play
	for _, roll := range board.Rolls {
		buf = board.AppendPlays(buf[:0], p, roll.Dice)
		if len(buf) == 0 {
			buf = append(buf, board.Play{Result: p})
		}
		var best [5]float64
		for i := range buf {
			next := buf[i].Result.Swap()
			v, ok := h.Value(&next)
			if !ok {
				return fmt.Errorf("pair %d, %d: a successor cannot be read", x, y)
			}
			double := min(2*v.OppOwned, 1)
			if next.Opp.Count() == 0 {
				double = math.Inf(-1)
			}
			for j, e := range [5]float64{-max(v.Jacoby, double), -max(v.Centred, double), -v.OppOwned, -max(v.Owned, double), -v.Cubeless()} {
				if i == 0 || e > best[j] {
					best[j] = e
				}
			}
		}
		for j := range want {
			want[j] += float64(roll.Weight) / 36 * best[j]
		}
	}
	for j, g := range [5]float64{got.Jacoby, got.Centred, got.Owned, got.OppOwned, got.Cubeless()} {
		if math.Abs(want[j]-g) > 10*hyperEpsilon {
			return fmt.Errorf("pair %d, %d: equity %d is %.6f, derived %.6f", x, y, j, g, want[j])
		}
	}
	return nil
}
