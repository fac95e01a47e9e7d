package server

import (
	"context"
	"encoding/json"
	"errors"
	"fibsbot/internal/filename"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"time"
)

// Folders of before SQLite held
//
//	accounts.json          all accounts
//	matches/ALICE-BOB.json one open match of a pair, names in lower case
//
// They are read once, in one transaction, and kept under another name.
const (
	oldAccounts  = "accounts.json"
	oldMatches   = "matches"
	oldSuffix    = ".before-sqlite"
	maxOldMatch  = 256 << 20 // bytes of one file
	importedFact = "imported accounts.json"
)

// oldAccount is an account in accounts.json.
type oldAccount struct {
	Name       string    `json:"name"`
	Salt       []byte    `json:"salt"`
	Hash       []byte    `json:"hash"`
	Rounds     int       `json:"rounds"`
	Rating     float64   `json:"rating"`
	Experience int       `json:"experience"`
	LastLogin  time.Time `json:"last_login"`
	LastLogout time.Time `json:"last_logout"`
	LastHost   string    `json:"last_host"`
	Email      string    `json:"email"`
	Settings   settings  `json:"settings"`
	lists
}

func (o *oldAccount) account() (*account, error) {
	if !goodName(o.Name) || len(o.Hash) != secretBytes || o.Rounds < 1 || o.Rounds > maxRounds {
		return nil, errors.New("not usable")
	}
	return &account{
		Name: o.Name, secret: secret{salt: o.Salt, hash: o.Hash, rounds: uint32(o.Rounds)},
		Rating: o.Rating, Experience: o.Experience, LastLogin: o.LastLogin, LastLogout: o.LastLogout,
		LastHost: o.LastHost, Email: o.Email, Settings: o.Settings.pack(), lists: o.lists,
	}, nil
}

// migrate takes over a folder of before SQLite, if that is what the folder is.
func (s *Server) migrate(ctx context.Context) error {
	path := filepath.Join(s.store.dir, oldAccounts)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("server data: %w", err)
	}
	defer f.Close()
	var done string
	row := s.store.db.QueryRowContext(ctx, `SELECT value FROM facts WHERE name = ?`, importedFact)
	if err := row.Scan(&done); err == nil {
		// The last start ended between the transaction and the new names.
		return s.putOldAside(path)
	}
	var have int
	if err := s.store.db.QueryRowContext(ctx, `SELECT count(*) FROM accounts`).Scan(&have); err != nil {
		return fmt.Errorf("server data: %w", err)
	}
	if have > 0 {
		return fmt.Errorf("server data: %s holds accounts and so does %s: move one of them away", DatabaseFile, path)
	}
	tx, err := s.store.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("server data: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	accounts := 0
	known := map[string]bool{}
	err = eachOldAccount(f, func(list []account) error {
		for i := range list {
			known[key(list[i].Name)] = true
		}
		accounts += len(list)
		return writeAccounts(ctx, tx, list)
	})
	if err != nil {
		return fmt.Errorf("server data: %s: %w", path, err)
	}
	files, err := filename.Match(filepath.Join(s.store.dir, oldMatches), "*.json")
	if err != nil {
		return fmt.Errorf("server data: %w", err)
	}
	sort.Strings(files)
	matches := 0
	for _, file := range files {
		m, err := readOldMatch(file)
		if err == nil && (!known[key(m.name(0))] || !known[key(m.name(1))]) {
			err = errors.New("a player has no account")
		}
		if err != nil {
			if e := os.Rename(file, file+".damaged"); e != nil {
				err = errors.Join(err, e)
			}
			s.opts.Log.WithField("file", file).WithError(err).Warn("saved match put aside")
			continue
		}
		row := matchRow{of: m, state: *m, games: m.Record.Games}
		row.state.Record.Games = nil
		if err := row.write(ctx, tx); err != nil {
			return fmt.Errorf("server data: %w", err)
		}
		matches++
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO facts VALUES (?, ?)`, importedFact, s.opts.Now().UTC().Format(time.RFC3339)); err != nil {
		return fmt.Errorf("server data: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("server data: %w", err)
	}
	s.opts.Log.WithField("accounts", accounts).WithField("matches", matches).
		WithField("backup", path+oldSuffix).Info("folder taken over into " + DatabaseFile)
	_ = f.Close() // before it is renamed; it was only read
	return s.putOldAside(path)
}

// putOldAside gives the old files names that say what they are.
func (s *Server) putOldAside(accounts string) error {
	for _, path := range []string{accounts, filepath.Join(s.store.dir, oldMatches)} {
		to := path + oldSuffix
		for n := 2; ; n++ {
			if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
				break
			}
			to = path + oldSuffix + "-" + strconv.Itoa(n)
		}
		if err := os.Rename(path, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("server data: %w", err)
		}
	}
	return nil
}

// eachOldAccount reads accounts.json a few accounts at a time: the file may be
// larger than the memory its accounts take.
func eachOldAccount(f *os.File, use func([]account) error) error {
	d := json.NewDecoder(f)
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.New("not a list of accounts")
	}
	var list []account
	for n := 1; d.More(); n++ {
		var o *oldAccount
		if err := d.Decode(&o); err != nil {
			return fmt.Errorf("account %d: %w", n, err)
		}
		if o == nil {
			return fmt.Errorf("account %d is not usable", n)
		}
		a, err := o.account()
		if err != nil {
			return fmt.Errorf("account %d: %w", n, err)
		}
		if list = append(list, *a); len(list) == saveAccounts {
			if err := use(list); err != nil {
				return err
			}
			list = list[:0]
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	return use(list)
}

func readOldMatch(path string) (*match, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxOldMatch {
		return nil, fmt.Errorf("larger than %d bytes", maxOldMatch)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := new(match)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return m, m.playable()
}
