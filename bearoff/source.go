package bearoff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"fibsbot/internal/filename"
)

// Options say where a Source finds and keeps its databases. The zero value is
// good: the two small databases in the user's cache folder.
type Options struct {
	// Dir is a folder of bigger databases, *.bearoff as Build makes them, *.bd of
	// gnubg's makebearoff, and bg15_1.dat to bg15_44.dat of Hugh Sconyers, all or some of
	// them; "" for none.
	Dir string
	// Cache is the folder that keeps the two small databases between runs; "" for
	// the user's cache folder.
	Cache string
	// NoCache builds the small databases in memory each time.
	NoCache bool
	// Warn is told, in one line each, what could not be used. May be nil.
	Warn func(text string)
}

// Source returns the known values of positions near the end of the game. It always has 15
// checkers on 6 points one-sided and 6 checkers two-sided, each made or mapped when first
// needed, and the databases in Options.Dir. It is safe for concurrent use.
type Source struct {
	opt  Options
	one  func() *OneSided
	two  func() *TwoSided
	ones []*OneSided // bigger ones, smallest first
	twos []*TwoSided
	// sconyers is asked where no other two-sided database holds a position.
	sconyers sconyersSet
	// normals are asked where no database with distributions holds a position.
	normals []*Normal
	making  chan struct{} // holds a value while a database of hypergammon is opened or made
	once    sync.Once     // Close
	mu      sync.Mutex
	hypers  [4]*Hyper // by checkers, made or opened when first needed; under mu
	open    []func() error

	warned sync.Map // what has been warned about
	unused []string // under mu, see Unused
}

// NewSource makes a source. It opens the files in opt.Dir; those that are not databases,
// damaged or of no use are named in a warning and skipped.
func NewSource(opt Options) *Source {
	s := &Source{opt: opt, making: make(chan struct{}, 1)}
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

// standard opens a small database of the cache folder, or makes it and stores it there.
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
			// It is small enough to be checked at once, in about a millisecond: a damaged
			// file is then rebuilt here, not skipped in the middle of a game.
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
			s.opt.Warn(err.Error() + "; it is made again")
		}
	}
	db, err := build()
	if err != nil {
		// Only a wrong size or a cancelled context end a build, and neither occurs here.
		panic(fmt.Sprintf("bearoff: build %s: %v", name, err))
	}
	if !s.opt.NoCache {
		if err := db.Save(path); err != nil {
			s.opt.Warn(err.Error() + "; it is kept in memory only")
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
	foreign := s.scanGnubg(dir) + s.scanSconyers(dir)
	if err != nil || len(files)+foreign == 0 {
		s.without("no bearoff databases in " + dir)
		return
	}
	for _, path := range files {
		info, err := ReadInfo(path)
		if err == nil {
			switch info.Kind {
			case KindOneSided:
				err = take(s, path, OpenOneSided, func(o *OneSided) { s.ones = append(s.ones, o) })
			case KindNormal:
				err = take(s, path, OpenNormal, func(n *Normal) { s.normals = append(s.normals, n) })
			case KindHyper:
				err = take(s, path, OpenHyper, func(h *Hyper) { s.hypers[h.checkers] = h })
			case KindTwoSided:
				err = take(s, path, OpenTwoSided, func(t *TwoSided) { s.twos = append(s.twos, t) })
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

// take opens a database, adds it and closes it with the source.
func take[T interface{ Close() error }](s *Source, path string, open func(string) (T, error), add func(T)) error {
	db, err := open(path)
	if err == nil {
		add(db)
		s.keep(db.Close)
	}
	return err
}

// scanGnubg opens the databases of gnubg in a folder and returns how many files have their
// extension.
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

// without warns about a database that cannot be used.
func (s *Source) without(text string) {
	s.opt.Warn(text)
	s.mu.Lock()
	s.unused = append(s.unused, text)
	s.mu.Unlock()
}

// Unused lists, a line each, the files in Options.Dir that cannot be used, including those found
// damaged later.
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
