package play

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/engine"
	"fibsbot/engine/record"
	"fibsbot/internal/atomicfile"
)

// Errors of a Store.
var (
	// ErrNotFound means that the Store has no such match.
	ErrNotFound = errors.New("no such unfinished match")
	// ErrFile means that a saved match cannot be read. The file stays unchanged.
	ErrFile = errors.New("damaged match file")
	// ErrFull means that the Store holds too many matches.
	ErrFull = errors.New("too many unfinished matches")
)

// Bounds of a Store.
const (
	maxOpen  = 500     // unfinished matches of a Store
	maxFile  = 4 << 20 // bytes of a file; a match of 99 points has about 300 kB
	fileKind = "fibsbot match 1"
)

// saved is the format of a match file.
type saved struct {
	Format  string    `json:"format"`
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Options Options   `json:"options"`
	From    *From     `json:"from,omitempty"`
	Version int       `json:"version"`
	Undone  int       `json:"undone"`
	Acts    []Act     `json:"acts"`
}

// MarshalJSON writes the match as Read reads it.
func (m *Match) MarshalJSON() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return json.Marshal(saved{fileKind, m.id, m.created, m.opts, m.opts.From, m.version, m.undone, m.acts})
}

var idPattern = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}-[0-9a-f]{8}$`)

// Read reads a match that MarshalJSON wrote and checks every act against the rules. The
// error wraps ErrFile and names the first bad act.
func Read(r io.Reader) (*Match, error) { return read(r, nil) }

// read is Read with the presets that are not built in.
func read(r io.Reader, presets Presets) (*Match, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrFile, maxFile)
	}
	var f saved
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	switch {
	case f.Format != fileKind:
		return nil, fmt.Errorf("%w: format %.40q: want %q", ErrFile, f.Format, fileKind)
	case !idPattern.MatchString(f.ID):
		return nil, fmt.Errorf("%w: id %.40q", ErrFile, f.ID)
	case len(f.Acts) == 0 && !f.Options.ByHand && f.From == nil: // may wait for its first dice
		return nil, fmt.Errorf("%w: no acts", ErrFile)
	}
	f.Options.From = f.From
	if err := f.Options.FindPreset(presets); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if err := f.Options.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	foe, err := f.Options.other()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	m := &Match{id: f.ID, created: f.Created, opts: f.Options, foe: foe, standing: f.Options.standing(foe), undone: max(0, f.Undone)}
	m.state = newState(&m.opts)
	for i, a := range f.Acts {
		if err := m.apply(a); err != nil {
			return nil, fmt.Errorf("%w: act %d: %w", ErrFile, i+1, err)
		}
	}
	m.open()
	m.version = max(m.version, f.Version)
	return m, nil
}

// Store saves unfinished matches in one folder and archives finished ones. It is safe for
// concurrent use in one process.
type Store struct {
	dir     string
	archive *index.DB // nil: finished matches stay in the folder
	// Presets finds presets that are not built in; nil finds none.
	Presets Presets

	mu   sync.Mutex
	open map[string]*Match
	busy map[string]*sync.Mutex // one reader or writer of each file at a time
}

// NewStore saves matches in dir, which it creates for the first one. archive may be nil.
func NewStore(dir string, archive *index.DB) *Store {
	return &Store{dir: dir, archive: archive, open: map[string]*Match{}, busy: map[string]*sync.Mutex{}}
}

// Dir returns the folder.
func (s *Store) Dir() string { return s.dir }

// Add saves a new match. The error wraps ErrFull if the folder holds too many.
func (s *Store) Add(m *Match) error {
	names, err := s.names()
	if err != nil {
		return err
	}
	if len(names) >= maxOpen {
		return fmt.Errorf("%w: %d (finish or delete some first)", ErrFull, len(names))
	}
	s.mu.Lock()
	s.open[m.id] = m
	s.mu.Unlock()
	return s.Save(m)
}

// Get returns a match, from memory or from its file. The error wraps ErrNotFound or ErrFile.
func (s *Store) Get(id string) (*Match, error) {
	if !idPattern.MatchString(id) {
		return nil, ErrNotFound
	}
	have := func() *Match {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.open[id]
	}
	if m := have(); m != nil {
		return m, nil
	}
	defer s.lock(id)()
	if m := have(); m != nil {
		return m, nil // read meanwhile
	}
	f, err := os.Open(s.file(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := read(f, s.Presets)
	if err == nil && m.id != id {
		err = fmt.Errorf("%w: it holds match %s", ErrFile, m.id)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file(id), err)
	}
	s.mu.Lock()
	s.open[id] = m
	s.mu.Unlock()
	return m, nil
}

func (s *Store) file(id string) string { return filepath.Join(s.dir, id+".match") }

// lock locks the file of a match.
func (s *Store) lock(id string) (release func()) {
	s.mu.Lock()
	l := s.busy[id]
	if l == nil {
		l = new(sync.Mutex)
		s.busy[id] = l
	}
	s.mu.Unlock()
	l.Lock()
	return l.Unlock
}

// Save writes the match atomically.
func (s *Store) Save(m *Match) error {
	defer s.lock(m.id)()
	s.mu.Lock()
	gone := s.open[m.id] != m
	s.mu.Unlock()
	if gone {
		return ErrNotFound
	}
	data, err := json.Marshal(m)
	if err == nil {
		err = atomicfile.MkdirPrivate(s.dir)
	}
	if err == nil {
		err = atomicfile.WriteBytesUnsynced(s.file(m.id), 0o600, data)
	}
	if err != nil {
		return fmt.Errorf("save match %s: %w", m.id, err)
	}
	return nil
}

// Finish archives a match that is over and removes it from the folder. It returns the
// match's identity in the archive, "" without an archive. It may be called again after an
// error.
func (s *Store) Finish(ctx context.Context, m *Match) (identity string, err error) {
	if v := m.View(); v.Phase != MatchOver && (v.Phase != GameOver || v.Length > 0 && !v.Posed) {
		return "", fmt.Errorf("%w: the match is not over", ErrNotNow)
	}
	if s.archive == nil {
		return "", s.Save(m)
	}
	rec := m.Record()
	rec.Settle()
	meta := index.Meta{Account: m.opts.Name, Server: "fibsbot", Started: m.created, Finished: time.Now().UTC().Truncate(time.Second), Preset: m.foe.Preset.Name}
	if _, err := s.archive.Import(ctx, rec, meta); err != nil {
		return "", fmt.Errorf("archive match %s: %w", m.id, err)
	}
	return index.PlayedID(rec, meta), s.Remove(m.id)
}

// Analyse analyses a finished match of the archive and returns it with its analysis, nil if
// setting, the archive.analyse of the configuration, is "off". When ctx ends, the file of
// the match keeps the decisions analysed so far.
func (s *Store) Analyse(ctx context.Context, e *engine.Engine, identity, setting string, progress func(done, total int)) (*record.Match, error) {
	j, err := review.Automatic(s.archive, e.RolloutOptions(), setting)
	if err != nil || j == nil {
		return nil, err
	}
	var failed error
	j.Analyst.Progress = progress
	j.Done = func(_ *index.Match, _, _ int, err error) { failed = err }
	if _, err := j.Matches(ctx, identity); err != nil || failed != nil {
		return nil, cmp.Or(err, failed)
	}
	row, err := s.archive.Show(ctx, identity)
	if err != nil {
		return nil, err
	}
	edition, err := s.archive.Edit(row)
	if err != nil {
		return nil, err
	}
	return edition.Match, nil
}

// Remove deletes a match and its file; a missing one is not an error.
func (s *Store) Remove(id string) error {
	if !idPattern.MatchString(id) {
		return ErrNotFound
	}
	defer s.lock(id)()
	s.mu.Lock()
	delete(s.open, id)
	s.mu.Unlock()
	if err := os.Remove(s.file(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// names lists the matches of the folder, newest first.
func (s *Store) names() (ids []string, err error) {
	list, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range list {
		if id, ok := strings.CutSuffix(f.Name(), ".match"); ok && idPattern.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, nil
}

// List returns the unfinished matches, newest first. It skips files that cannot be read and
// joins their errors.
func (s *Store) List() (list []*Match, err error) {
	ids, err := s.names()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		m, bad := s.Get(id)
		switch {
		case errors.Is(bad, ErrNotFound): // removed meanwhile
		case bad != nil:
			err = errors.Join(err, bad)
		default:
			list = append(list, m)
		}
	}
	return list, err
}
