package bearoff

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
)

const (
	// sconyersNear is how far a chance to win may be from that of the one-sided
	// database, which plays for the fewest rolls. The furthest pair of up to 8 checkers is
	// off by 0.014.
	sconyersNear = 0.03
	// sconyersSlack is how far an equity may be from what the exact database has, or
	// from what follows from others.
	sconyersSlack = 1e-3
	// sixCheckers is how many placements the exact database of this program has.
	sixCheckers = 924
)

// believed returns an entry that can be right: possible as such, its chance to win near the
// one-sided database's, and no hole that a copy has left. As nothing guards the bytes of
// these files, every entry is looked at so; it takes a tenth of a microsecond.
func (f *sconyers) believed(us, them uint32, one *OneSided) (e Equities, ok bool) {
	e, ok = f.read(us, them)
	if !ok {
		return e, false
	}
	// Zeros are a hole: all four equities are 0 only where the next two rolls end
	// the game, with few checkers.
	if e == (Equities{}) && (us >= sixCheckers || them >= sixCheckers) {
		return e, false
	}
	a, ok1 := one.entry(us)
	b, ok2 := one.entry(them)
	return e, ok1 && ok2 && math.Abs(noLater(a.off, b.off, 0)-(e.Cubeless+1)/2) <= sconyersNear
}

// rows are the first and the last placement of the player on roll that the file is asked
// for; last is less than first where it is for none.
func (f *sconyers) rows() (first, last uint32) {
	first = uint32(f.number-1)*sconyersRows + 1
	return first, min(first+sconyersRows-1, sconyersAsked)
}

// pair names an entry: the placements of the player on roll and of the opponent.
type pair struct{ us, them uint32 }

// proofs are the entries that a file is proved by when it is opened, few and always the
// same ones: exact ones that the database of 6 checkers holds, near ones beside the
// one-sided database, derived ones that follow from others of the same file.
func (f *sconyers) proofs() (exact, near, derived []pair) {
	first, last := f.rows()
	if last < first {
		return nil, nil, nil
	}
	r := rand.New(rand.NewPCG(uint64(f.number), 0x62673135))
	draw := func(first, last uint32) uint32 { return first + r.Uint32N(last-first+1) }
	for range 16 {
		if first < sixCheckers {
			exact = append(exact, pair{draw(first, sixCheckers-1), draw(1, sixCheckers-1)})
		}
		near = append(near, pair{draw(first, last), draw(1, sconyersAsked)})
	}
	for range 2 {
		derived = append(derived, pair{draw(first, last), draw(first, last)})
	}
	return exact, near, derived
}

// prove compares entries with known values, so that a different file of the same name, numbers
// in another order or other equities never steer play. A file that is never asked is never
// proved.
func (f *sconyers) prove(s *Source) error {
	exact, near, derived := f.proofs()
	for _, p := range exact {
		got, ok := f.read(p.us, p.them)
		raw, known := s.two().Raw(p.us, p.them)
		if !ok || !known {
			return p.unbelieved()
		}
		if err := p.compare(got, equitiesOf(raw)); err != nil {
			return err
		}
	}
	for _, p := range near {
		if _, ok := f.believed(p.us, p.them, s.one()); !ok {
			return p.unbelieved()
		}
	}
	for _, p := range derived {
		if err := f.derive(p, f); err != nil {
			return err
		}
	}
	return nil
}

// derive compares an entry with its successors, which are in the file next.
func (f *sconyers) derive(p pair, next *sconyers) error {
	got, ok := f.read(p.us, p.them)
	if !ok {
		return p.unbelieved()
	}
	want, ok := lookAhead(p.us, p.them, 6, func(me, opp uint32) (Equities, bool) {
		if opp == 0 {
			return Equities{-1, -1, -1, -1}, true
		}
		return next.read(me, opp)
	})
	if !ok {
		return fmt.Errorf("pair %d, %d: a successor cannot be believed", p.us, p.them)
	}
	return p.compare(got, want)
}

func (p pair) unbelieved() error {
	return fmt.Errorf("pair %d, %d cannot be believed", p.us, p.them)
}

func (p pair) compare(got, want Equities) error {
	for _, v := range [4]struct {
		name      string
		got, want float64
	}{
		{"cubeless", got.Cubeless, want.Cubeless}, {"with the own cube", got.Owned, want.Owned},
		{"with the cube in the middle", got.Centred, want.Centred}, {"with the opponent's cube", got.OppOwned, want.OppOwned},
	} {
		if math.Abs(v.got-v.want) > sconyersSlack {
			return fmt.Errorf("pair %d, %d: equity %s %+.4f, must be %+.4f", p.us, p.them, v.name, v.got, v.want)
		}
	}
	return nil
}

// sconyersInfo is ReadInfo of a file of Sconyers', which is proved as for play.
func sconyersInfo(path string) (i Info, err error) {
	s := NewSource(Options{})
	defer func() { err = errors.Join(err, s.Close()) }()
	f, err := openSconyers(path, s)
	if err != nil {
		return i, err
	}
	return Info{Kind: KindTwoSided, Points: 6, Checkers: MaxCheckers, Bytes: sconyersBytes(f.number), Path: path, Part: f.number}, f.Close()
}

// sconyersAgain is what looks at a random entry of one of Sconyers' files and derives it
// again, from the other files of the folder where they hold what follows.
func sconyersAgain(path string, r *rand.Rand) (again, closer func() error, err error) {
	s := NewSource(Options{})
	f, err := openSconyers(path, s)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	s.keep(f.Close)
	first, last := f.rows()
	if last < first {
		return nil, nil, errors.Join(fmt.Errorf("bearoff database %s: %w: placements of 15 checkers alone, where gammons are possible and nothing is asked",
			path, ErrForeign), s.Close())
	}
	s.sconyers[f.number] = f
	s.scanSconyers(filepath.Dir(path))
	return func() error {
		p := pair{first + r.Uint32N(last-first+1), 1 + r.Uint32N(sconyersAsked)}
		if _, ok := f.believed(p.us, p.them, s.one()); !ok {
			return p.unbelieved()
		}
		next := s.sconyers.holding(p.them)
		if next == nil {
			next, p.them = f, first+r.Uint32N(last-first+1)
		}
		return f.derive(p, next)
	}, s.Close, nil
}
