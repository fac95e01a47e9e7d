package bearoff

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/internal/filename"
)

// Options say where a Source finds and keeps its databases. The zero value is
// good: the two small databases in the user's cache folder.
type Options struct {
	// Dir is a folder of bigger databases, *.bearoff as Build makes them and *.bd of
	// gnubg's makebearoff; "" for none.
	Dir string
	// Cache is the folder that keeps the two small databases between runs; "" for
	// the user's cache folder.
	Cache string
	// NoCache builds the small databases in memory each time.
	NoCache bool
	// Warn is told, in one line each, what could not be used. May be nil.
	Warn func(text string)
}

// Source answers what is known about positions near the end of the game. It
// has 15 checkers on 6 points one-sided and 6 checkers two-sided always, each
// made or mapped when first needed, and whatever lies in Options.Dir. It is safe
// for concurrent use.
type Source struct {
	opt  Options
	one  func() *OneSided
	two  func() *TwoSided
	ones []*OneSided // bigger ones, smallest first
	twos []*TwoSided
	// normals are asked where no database with distributions holds a position.
	normals []*Normal
	hyper   sync.Mutex
	hypers  [4]*Hyper // by checkers, made or opened when first needed
	once    sync.Once // Close
	mu      sync.Mutex
	open    []func() error

	warned sync.Map // what has been warned about
	unused []string // under mu, see Unused
}

// NewSource makes a source. It opens the files in opt.Dir; what is no database,
// damaged, or of no use is warned about and left alone.
func NewSource(opt Options) *Source {
	s := &Source{opt: opt}
	if s.opt.Warn == nil {
		s.opt.Warn = func(string) {}
	}
	if s.opt.Cache == "" && !s.opt.NoCache {
		dir, err := os.UserCacheDir()
		if err != nil {
			s.opt.NoCache = true
		}
		s.opt.Cache = filepath.Join(dir, "fibsbot")
	}
	s.one = sync.OnceValue(func() *OneSided {
		return standard(s, FileName(KindOneSided, 6, 15), OpenOneSided,
			func(o *OneSided) bool { return o.points == 6 && o.checkers == 15 },
			func() (*OneSided, error) { return BuildOneSided(context.Background(), 6, 15, 0, nil) })
	})
	s.two = sync.OnceValue(func() *TwoSided {
		return standard(s, FileName(KindTwoSided, 6, 6), OpenTwoSided,
			func(t *TwoSided) bool { return t.points == 6 && t.checkers == 6 },
			func() (*TwoSided, error) { return BuildTwoSided(context.Background(), 6, 6, 0, nil) })
	})
	if opt.Dir != "" {
		s.scan(opt.Dir)
	}
	return s
}

// standard opens a small database from the cache folder, or makes it and puts
// it there.
func standard[T interface {
	comparable
	Save(string) error
	Close() error
}](s *Source, name string, open func(string) (T, error), fits func(T) bool, build func() (T, error)) T {
	path := filepath.Join(s.opt.Cache, name)
	if !s.opt.NoCache {
		db, err := open(path)
		switch {
		case err == nil && fits(db):
			// Small enough to be proved at once, which takes about a millisecond: a
			// damaged file is then rebuilt here and not bypassed in the middle of a game.
			if err = checkPayload(path); err == nil {
				s.keep(db.Close)
				return db
			}
			_ = db.Close()
		case err == nil:
			_ = db.Close()
			err = fmt.Errorf("bearoff database %s: %w: another size than its name says", path, ErrForeign)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			s.opt.Warn(err.Error() + "; made anew")
		}
	}
	db, err := build()
	if err != nil {
		// Only a wrong size or a cancelled context end a build, and neither occurs here.
		panic(fmt.Sprintf("bearoff: build %s: %v", name, err))
	}
	if !s.opt.NoCache {
		if err := db.Save(path); err != nil {
			s.opt.Warn(err.Error() + "; it stays in memory only")
		}
	}
	return db
}

func (s *Source) keep(closer func() error) {
	s.mu.Lock()
	s.open = append(s.open, closer)
	s.mu.Unlock()
}

// scan opens the databases of a folder.
func (s *Source) scan(dir string) {
	files, err := filename.Match(dir, "*.bearoff")
	foreign := s.scanGnubg(dir)
	if err != nil || len(files)+foreign == 0 {
		s.without("no bearoff databases in " + dir)
		return
	}
	for _, path := range files {
		info, err := ReadInfo(path)
		if err == nil {
			switch info.Kind {
			case KindOneSided:
				var o *OneSided
				if o, err = OpenOneSided(path); err == nil {
					s.ones = append(s.ones, o)
					s.keep(o.Close)
				}
			case KindNormal:
				var n *Normal
				if n, err = OpenNormal(path); err == nil {
					s.normals = append(s.normals, n)
					s.keep(n.Close)
				}
			case KindHyper:
				var h *Hyper
				if h, err = OpenHyper(path); err == nil {
					s.hypers[h.checkers] = h
					s.keep(h.Close)
				}
			case KindTwoSided:
				var t *TwoSided
				if t, err = OpenTwoSided(path); err == nil {
					s.twos = append(s.twos, t)
					s.keep(t.Close)
				}
			}
		}
		if err != nil {
			s.without(err.Error() + "; not used")
		}
	}
	slices.SortFunc(s.ones, func(a, b *OneSided) int { return int(a.Len()) - int(b.Len()) })
	slices.SortFunc(s.normals, func(a, b *Normal) int { return int(a.Len()) - int(b.Len()) })
	slices.SortFunc(s.twos, func(a, b *TwoSided) int { return int(a.n) - int(b.n) })
}

// scanGnubg reads the databases of gnubg's that a folder holds, and returns how many files
// look like some.
func (s *Source) scanGnubg(dir string) int {
	files, err := filename.Match(dir, "*.bd")
	if err != nil {
		return 0
	}
	for _, path := range files {
		o, t, err := OpenGnubg(path)
		switch {
		case err != nil:
			s.without(err.Error() + "; not used")
		case o != nil:
			s.ones = append(s.ones, o)
		default:
			s.twos = append(s.twos, t)
		}
	}
	return len(files)
}

// without warns of a database that the source does without.
func (s *Source) without(text string) {
	s.opt.Warn(text)
	s.mu.Lock()
	s.unused = append(s.unused, text)
	s.mu.Unlock()
}

// Unused tells in one line each what cannot be used of Options.Dir, and what has turned out to
// be damaged since.
func (s *Source) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.unused)
}

// Warm makes or opens the small databases now, so that no decision waits for
// them: about a tenth of a second the first time on a machine, else nothing.
func (s *Source) Warm() {
	s.one()
	s.two()
}

// OneSided returns the database of 15 checkers on 6 points.
func (s *Source) OneSided() *OneSided { return s.one() }

// TwoSided returns the database of 6 checkers on 6 points.
func (s *Source) TwoSided() *TwoSided { return s.two() }

// Close releases all files. The source must not be used afterwards.
func (s *Source) Close() error {
	var err error
	s.once.Do(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, f := range s.open {
			err = errors.Join(err, f())
		}
	})
	return err
}

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
// 0.00001; otherwise they join two one-sided distributions, right to about
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
	for _, t := range s.twos {
		if t.points == 6 && me <= t.checkers && opp <= t.checkers {
			if raw, ok := t.Raw(x, y); ok {
				pr[eval.Win] = float32(raw[0]) / full
				return pr, true, true
			}
			s.bypass(t)
		}
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

// racing tells whether p is a race that goes on.
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
// is false when none holds it or the game is over.
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
	for _, t := range s.twos {
		if e, ok := t.Equities(p); ok {
			return e, true
		}
	}
	return e, false
}

// Cubeful returns the exact money equities of the player on roll, in units of
// the cube, when he does not double now: he owns the cube, nobody does, the
// opponent does. The value with the right to double is max(centred, min(2 *
// oppOwned, 1)), likewise for owned. No gammons are possible there, so Jacoby
// changes nothing but the value before the first double of a race that cannot
// end in a gammon anyway; beavers are not counted. ok is false outside the
// two-sided databases.
func (s *Source) Cubeful(p *board.Position) (owned, centred, oppOwned float64, ok bool) {
	e, ok := s.Equities(p)
	return e.Owned, e.Centred, e.OppOwned, ok
}
