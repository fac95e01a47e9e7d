package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"sync"

	"fibsbot/internal/atomicfile"
)

// store keeps accounts and saved matches in a directory:
//
//	accounts.json          all accounts
//	matches/ALICE-BOB.json one open match of a pair, names in lower case
//
// Files are replaced whole: temporary file, sync, rename. A match file that
// cannot be read is renamed to .damaged and the server goes on without it; a
// damaged accounts file stops the start, for going on would lose everybody's
// passwords at the next save.
type store struct {
	dir string

	mu       sync.Mutex    // one writer at a time
	accounts bool          // changed since the last save; guarded by the server's mutex
	gone     map[pair]bool // files to remove; guarded by the server's mutex
}

const (
	accountsFile = "accounts.json"
	matchesDir   = "matches"
	maxFile      = 256 << 20 // bytes of one file read at start
)

func openStore(dir string) (*store, error) {
	if err := os.MkdirAll(filepath.Join(dir, matchesDir), 0o700); err != nil {
		return nil, fmt.Errorf("server data: %w", err)
	}
	return &store{dir: dir, gone: map[pair]bool{}}, nil
}

// load reads everything at start.
func (s *Server) load() error {
	path := filepath.Join(s.store.dir, accountsFile)
	var list []*account
	err := readJSON(path, &list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("server data: %w", err)
	}
	for i, a := range list {
		if a == nil || !goodName(a.Name) || len(a.Hash) == 0 || a.Rounds < 1 || a.Rounds > 10_000_000 {
			return fmt.Errorf("server data: %s: account %d is not usable", path, i+1)
		}
		a.Settings = a.Settings.clone()
		s.accounts[key(a.Name)] = a
	}
	files, err := filepath.Glob(filepath.Join(s.store.dir, matchesDir, "*.json"))
	if err != nil {
		return fmt.Errorf("server data: %w", err)
	}
	sort.Strings(files)
	for _, file := range files {
		m, err := readMatch(file)
		if err == nil && (s.accounts[key(m.name(0))] == nil || s.accounts[key(m.name(1))] == nil) {
			err = errors.New("a player has no account")
		}
		if err != nil {
			os.Rename(file, file+".damaged")
			s.opts.Log.WithField("file", file).WithError(err).Warn("saved match put aside")
			continue
		}
		s.saved[m.pair()] = m
		s.begun = max(s.begun, m.Record.Number)
	}
	return nil
}

func readJSON(path string, into any) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() > maxFile {
		return fmt.Errorf("%s: larger than %d bytes", path, maxFile)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readMatch reads a saved match and refuses one that cannot be played on.
func readMatch(path string) (*match, error) {
	m := new(match)
	if err := readJSON(path, m); err != nil {
		return nil, err
	}
	ok := goodName(m.name(0)) && goodName(m.name(1)) && key(m.name(0)) != key(m.name(1)) &&
		m.Length >= 0 && m.Length <= longestMatch && m.Layout.sound() &&
		m.SideO >= 0 && m.SideO <= 1 && m.Turn >= X && m.Turn <= O && (m.Turn != 0 || m.Between) &&
		m.Cube >= 1 && m.Cube <= 1<<21 && m.Owner >= X && m.Owner <= O &&
		m.Doubling >= X && m.Doubling <= O && m.FirstDbl >= X && m.FirstDbl <= O &&
		(m.Doubling == 0 || (m.FirstDbl != 0 && m.Offered >= 2)) &&
		m.Resigning >= X && m.Resigning <= O && m.ResignFor >= 0 && m.ResignFor <= 3 &&
		goodRoll(m.Roll) && len(m.Record.Games) > 0
	if !ok {
		return nil, errors.New("the match is not playable")
	}
	return m, nil
}

func goodRoll(r [2]int) bool {
	return r == [2]int{} || (r[0] >= 1 && r[0] <= 6 && r[1] >= 1 && r[1] <= 6)
}

// changedAccounts asks for the accounts to be saved soon.
func (s *Server) changedAccounts() {
	if s.store != nil {
		s.store.accounts = true
	}
}

// removeSaved asks for the file of a finished match to be removed.
func (s *Server) removeSaved(m *match) {
	if s.store != nil {
		s.store.gone[m.pair()] = true
	}
}

// unwritten is a file as it has to become.
type unwritten struct {
	path  string
	data  []byte
	again func() // asks for it to be written another time; under the server's mutex
}

// flush writes what changed since the last time. Encoding is done under the
// server's mutex, writing is not. all forces the accounts out.
func (s *Server) flush(all bool) error {
	st := s.store
	if st == nil {
		return nil
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	files, gone, err := s.takeChanges(all)
	problems := []error{err}
	for _, f := range files {
		if err := atomicfile.WriteBytes(f.path, 0o600, f.data); err != nil {
			problems = append(problems, err)
			s.mu.Lock()
			f.again()
			s.mu.Unlock()
		}
	}
	for _, p := range gone {
		if err := os.Remove(st.matchFile(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
			// A finished match that stays would be offered for play again at
			// the next start.
			s.mu.Lock()
			st.gone[p] = true
			s.mu.Unlock()
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("server data: %w", err)
	}
	return nil
}

// takeChanges encodes what has to be written and names the matches whose files
// have to go, and takes both for done. The error is about what could not be
// encoded; the rest is returned all the same.
func (s *Server) takeChanges(all bool) (files []unwritten, gone []pair, err error) {
	st := s.store
	var problems []error
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.accounts || all {
		list := make([]*account, 0, len(s.accounts))
		for _, a := range s.accounts {
			list = append(list, a)
		}
		sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
		b, err := json.MarshalIndent(list, "", " ")
		if err != nil {
			problems = append(problems, err)
		} else {
			files = append(files, unwritten{filepath.Join(st.dir, accountsFile), b, func() { st.accounts = true }})
			st.accounts = false
		}
	}
	for p := range st.gone {
		if s.saved[p] == nil {
			gone = append(gone, p)
		}
		delete(st.gone, p)
	}
	for p, m := range s.saved {
		if !m.unsaved {
			continue
		}
		if d, ok := m.dice.(*randomDice); ok {
			m.DiceState = d.state()
		}
		b, err := json.Marshal(m)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		files = append(files, unwritten{st.matchFile(p), b, func() { m.unsaved = true }})
		m.unsaved = false
	}
	return files, gone, errors.Join(problems...)
}

func (st *store) matchFile(p pair) string {
	return filepath.Join(st.dir, matchesDir, p.a+"-"+p.b+".json")
}
