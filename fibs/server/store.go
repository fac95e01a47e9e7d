package server

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fibsbot/internal/filename"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/sirupsen/logrus"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// store keeps accounts and saved matches in a SQLite database. The world is in memory; changes
// are written within a second. Rows are copied under the server's mutex, a few hundred at a time,
// and encoded and written without it, so that a save delays no one.
type store struct {
	dir string
	db  *sql.DB

	writing sync.Mutex // one writer at a time

	// What is not written yet; guarded by the server's mutex.
	accounts map[*account]bool
	matches  map[*match]bool
	gone     map[pair]bool

	failing  bool      // the last save failed; guarded by writing
	told     time.Time // when that was logged
	failures int       // since then
}

// DatabaseFile is the name of the database in Options.Data.
const DatabaseFile = "server.sqlite"

// schema is the database's layout. SQLite's user_version holds schemaVersion.
const (
	schemaVersion = 1
	schema        = `
PRAGMA user_version = 1;
CREATE TABLE accounts (
	key TEXT PRIMARY KEY,         -- the name in lower case
	name TEXT NOT NULL,
	password TEXT NOT NULL,       -- a hash, as PHC strings have it
	rating REAL NOT NULL,
	experience INTEGER NOT NULL,
	last_login INTEGER NOT NULL,  -- nanoseconds since 1970, 0 for never
	last_logout INTEGER NOT NULL,
	last_host TEXT NOT NULL,
	email TEXT NOT NULL,
	settings TEXT NOT NULL,       -- JSON
	lists TEXT NOT NULL           -- JSON, empty without mail, gagged, blinded, awaited
) WITHOUT ROWID;
CREATE TABLE matches (
	a TEXT NOT NULL, b TEXT NOT NULL, -- keys of the players, in order
	state TEXT NOT NULL,              -- JSON without the games
	PRIMARY KEY (a, b)
) WITHOUT ROWID;
CREATE TABLE games (
	a TEXT NOT NULL, b TEXT NOT NULL, number INTEGER NOT NULL,
	record TEXT NOT NULL,             -- JSON
	PRIMARY KEY (a, b, number)
) WITHOUT ROWID;
CREATE TABLE put_aside (a TEXT, b TEXT, state TEXT, reason TEXT);`
)

func openStore(ctx context.Context, dir string) (*store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("server data: %w", err)
	}
	path := filepath.Join(dir, DatabaseFile)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := createDatabase(ctx, path); err != nil {
			return nil, fmt.Errorf("server data: %w", err)
		}
	case err != nil:
		return nil, fmt.Errorf("server data: %w", err)
	case info.Size() == 0:
		return nil, fmt.Errorf("server data: %s is empty, so all accounts are lost; restore a backup, or delete the file to start without accounts", path)
	}
	db, err := openDatabase(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("server data: %s: %w", path, err)
	}
	return &store{dir: dir, db: db, accounts: map[*account]bool{}, matches: map[*match]bool{}, gone: map[pair]bool{}}, nil
}

// createDatabase creates a database without accounts. It writes another file and renames it,
// so that an empty file at path never is an interrupted creation. Only the owner may read
// the password hashes.
func createDatabase(ctx context.Context, path string) error {
	if old := filepath.Join(filepath.Dir(path), "accounts.json"); exists(old) {
		return fmt.Errorf("%s was written by a development version and cannot be read; move it away to start without accounts", old)
	}
	fresh := path + ".new"
	f, err := os.OpenFile(fresh, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	db, err := connect(fresh, "off")
	if err == nil {
		_, err = db.ExecContext(ctx, schema)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	return os.Rename(fresh, path)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// openDatabase opens a database that createDatabase made.
func openDatabase(ctx context.Context, path string) (*sql.DB, error) {
	db, err := connect(path, "wal")
	if err != nil {
		return nil, err
	}
	version := 0
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	switch {
	case err != nil:
	case version > schemaVersion:
		err = fmt.Errorf("written by a newer fibsbot (layout %d, this version reads %d); update fibsbot", version, schemaVersion)
	case version < schemaVersion:
		err = fmt.Errorf("written by a development version (layout %d, this version reads %d); move the file away to start without accounts", version, schemaVersion)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// connect returns a handle with one connection. journal is SQLite's journal mode.
func connect(path, journal string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filename.URI(path)+"?_pragma=journal_mode("+journal+")&_pragma=busy_timeout(10000)&_pragma=synchronous(full)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// Close saves everything and closes the database of a server that does not serve. A serving
// server is asked to end: Serve then saves and closes, and Close does not wait for it. The server
// cannot serve afterwards.
func (s *Server) Close() error {
	if s.started == nil {
		return nil
	}
	s.mu.Lock()
	ln := s.listener
	if ln == nil && !s.closing {
		s.closing = true
		close(s.started)
	}
	s.mu.Unlock()
	if ln != nil {
		s.shutdown()
		_ = ln.Close() // Serve reports errors
		return nil
	}
	return s.closeStore()
}

// closeStore saves everything and closes the database.
func (s *Server) closeStore() error {
	if s.store == nil {
		return nil
	}
	err := s.flush()
	s.store.writing.Lock()
	defer s.store.writing.Unlock()
	return errors.Join(err, s.store.db.Close())
}

// changedAccount marks an account to be saved.
func (s *Server) changedAccount(a *account) {
	if s.store != nil {
		s.store.accounts[a] = true
	}
}

// changed marks a match to be saved.
func (m *match) changed() {
	if st := m.home.store; st != nil {
		st.matches[m] = true
	}
}

// removeSaved marks a finished match to be removed.
func (s *Server) removeSaved(m *match) {
	if s.store != nil {
		delete(s.store.matches, m)
		s.store.gone[m.pair()] = true
	}
}

// changes are copies of what must be written.
type changes struct {
	accounts []account
	matches  []matchRow
	gone     []pair

	from []*account // whose copies accounts are
}

// matchRow is a match as it is written: its state, and those of its games that are
// not on disk as they ended.
type matchRow struct {
	of    *match
	state match
	first int // number of the first of games, from 0
	games []GameRecord
}

// How much is copied at a time, under the mutex.
const (
	saveAccounts = 500
	saveActions  = 20000
)

// takeChanges copies some of what must be written and marks it as written.
func (s *Server) takeChanges() (c changes, any bool) {
	st := s.store
	s.mu.Lock()
	defer s.release()
	for a := range st.accounts {
		if len(c.accounts) == saveAccounts {
			break
		}
		c.accounts, c.from = append(c.accounts, *a), append(c.from, a)
		delete(st.accounts, a)
	}
	for p := range st.gone {
		if s.saved[p] == nil {
			c.gone = append(c.gone, p)
		}
		delete(st.gone, p)
	}
	budget := saveActions
	for m := range st.matches {
		if budget <= 0 {
			break
		}
		if d, ok := m.dice.(*randomDice); ok {
			m.DiceState = d.state()
		}
		row := matchRow{of: m, state: *m, first: m.written}
		for _, g := range m.Record.Games[max(0, m.written-m.Record.Earlier):] {
			// The last action is completed in place when its roll is played.
			g.Actions = slices.Clone(g.Actions)
			budget -= len(g.Actions) + 10
			row.games = append(row.games, g)
		}
		row.first = max(m.written, m.Record.Earlier)
		row.state.Record.Games = nil
		m.written = m.Record.Earlier + len(m.Record.Games) - 1 // the last one continues
		c.matches = append(c.matches, row)
		delete(st.matches, m)
	}
	return c, len(c.accounts)+len(c.gone)+len(c.matches) > 0
}

// giveBack marks changes as unwritten.
func (s *Server) giveBack(c changes) {
	s.mu.Lock()
	defer s.release()
	for _, a := range c.from {
		s.store.accounts[a] = true
	}
	for _, p := range c.gone {
		s.store.gone[p] = true
	}
	for _, row := range c.matches {
		if m := row.of; s.saved[m.pair()] == m {
			m.written = min(m.written, row.first)
			s.store.matches[m] = true
		}
	}
}

// flush writes what changed since the last time.
func (s *Server) flush() error {
	st := s.store
	if st == nil {
		return nil
	}
	st.writing.Lock()
	defer st.writing.Unlock()
	for {
		c, any := s.takeChanges()
		if !any {
			return nil
		}
		if err := st.write(context.Background(), c); err != nil {
			s.giveBack(c)
			return fmt.Errorf("server data: %s: %w", filepath.Join(st.dir, DatabaseFile), err)
		}
	}
}

// save is flush for every second: errors are logged once a minute, and their end once.
func (s *Server) save() {
	err := s.flush()
	st := s.store
	if st == nil {
		return
	}
	st.writing.Lock()
	defer st.writing.Unlock()
	switch {
	case err == nil && st.failing:
		st.failing, st.failures = false, 0
		s.opts.Log.Info("accounts and matches saved again")
	case err != nil:
		st.failures++
		if now := time.Now(); !st.failing || now.Sub(st.told) >= time.Minute {
			s.opts.Log.WithError(err).WithFields(logrus.Fields{"times": st.failures}).Error("saving failed; changes stay in memory, retrying")
			st.told = now
		}
		st.failing = true
	}
}

const (
	putAccount = `INSERT OR REPLACE INTO accounts (key, name, password, rating, experience, last_login, last_logout, last_host, email, settings, lists)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	putMatch = `INSERT OR REPLACE INTO matches (a, b, state) VALUES (?, ?, ?)`
	putGame  = `INSERT OR REPLACE INTO games (a, b, number, record) VALUES (?, ?, ?, ?)`
)

// write writes changes, all or none of them.
func (st *store) write(ctx context.Context, c changes) error {
	tx, err := st.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	if err := writeAccounts(ctx, tx, c.accounts); err != nil {
		return err
	}
	for _, p := range c.gone {
		for _, table := range []string{"matches", "games"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE a = ? AND b = ?", p.a, p.b); err != nil {
				return err
			}
		}
	}
	for i := range c.matches {
		if err := c.matches[i].write(ctx, tx); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func writeAccounts(ctx context.Context, tx *sql.Tx, list []account) error {
	if len(list) == 0 {
		return nil
	}
	put, err := tx.PrepareContext(ctx, putAccount)
	if err != nil {
		return err
	}
	defer put.Close()
	for i := range list {
		a := &list[i]
		set, err := json.Marshal(a.Settings)
		if err != nil {
			return err
		}
		var rest []byte
		if len(a.Mail)+len(a.Gagged)+len(a.Blinded)+len(a.Awaited) > 0 {
			if rest, err = json.Marshal(a.lists); err != nil {
				return err
			}
		}
		if _, err := put.ExecContext(ctx, key(a.Name), a.Name, a.secret.Text(), a.Rating, a.Experience,
			stamp(a.LastLogin), stamp(a.LastLogout), a.LastHost, a.Email, string(set), string(rest)); err != nil {
			return err
		}
	}
	return nil
}

func (row *matchRow) write(ctx context.Context, tx *sql.Tx) error {
	p, m := row.state.pair(), &row.state
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, putMatch, p.a, p.b, string(b)); err != nil {
		return err
	}
	for i, g := range row.games {
		if b, err = json.Marshal(g); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, putGame, p.a, p.b, row.first+i, string(b)); err != nil {
			return err
		}
	}
	// Games that the record has let go, and those of a match that this one replaced.
	_, err = tx.ExecContext(ctx, "DELETE FROM games WHERE a = ? AND b = ? AND (number < ? OR number >= ?)",
		p.a, p.b, m.Record.Earlier, row.first+len(row.games))
	return err
}

func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func unstamp(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
