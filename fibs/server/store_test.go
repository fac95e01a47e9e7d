package server

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// exec changes a server's database while no server has it.
func exec(t *testing.T, dir, query string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, DatabaseFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatal(err)
	}
}

// tempDir is a temporary folder in memory where the system has one: the disk takes
// longer for the syncs of these tests than the processor for all else.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "fibsbot-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// made opens and closes a folder with two users who have a saved match.
func made(t *testing.T) string {
	t.Helper()
	dir := tempDir(t)
	s, stop := startStoppable(t, Options{Data: dir, Seed: 9, CheapPasswords: true})
	begin(t, s, "7")
	stop()
	return dir
}

// TestStore_emptyFile: an empty database is not taken for a new one, in which any name would be free.
func TestStore_emptyFile(t *testing.T) {
	testsize.Medium(t)
	dir := made(t)
	path := filepath.Join(dir, DatabaseFile)
	for _, name := range []string{path + "-wal", path + "-shm"} {
		os.Remove(name)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if s, err := New(Options{Data: dir, CheapPasswords: true}); err == nil || !strings.Contains(err.Error(), DatabaseFile+" is empty") {
		t.Errorf("%v, %v", s, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Data: dir, CheapPasswords: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 || st.Size() == 0 {
		t.Errorf("%v, %v", st, err)
	}
}

func TestStore_damage(t *testing.T) {
	testsize.Large(t)
	for _, tt := range []struct {
		name, query string
		want        string // in the error of New; empty when the match is put aside
	}{
		{"half a match", `UPDATE matches SET state = '{"length": 5, "cu'`, ""},
		{"a match with a cube of 0", `UPDATE matches SET state = replace(state, '"cube":1', '"cube":0')`, ""},
		{"a match of others", `UPDATE matches SET a = 'zoe'`, ""},
		{"no games", `DELETE FROM games`, ""},
		{"half a game", `UPDATE games SET record = '{'`, ""},
		{"a name with a colon", `UPDATE accounts SET name = 'a:b' WHERE key = 'alice'`, `account "a:b"`},
		{"no hash", `UPDATE accounts SET password = '$argon2id$v=19$m=1,t=1,p=1$$' WHERE key = 'alice'`, "account alice"},
		{"lists", `UPDATE accounts SET lists = '['  WHERE key = 'alice'`, "account alice: lists"},
		{"settings", `UPDATE accounts SET settings = ''  WHERE key = 'alice'`, "account alice: settings"},
		{"newer", `PRAGMA user_version = 77`, "newer fibsbot"},
		{"older", `PRAGMA user_version = 0`, "move the file away"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := made(t)
			exec(t, dir, tt.query)
			s, err := New(Options{Data: dir})
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), DatabaseFile) || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(s.saved) != 0 {
				t.Error("the match is kept")
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if s, err = New(Options{Data: dir}); err != nil {
				t.Fatal(err)
			}
			var n int
			if err := s.store.db.QueryRow(`SELECT count(*) FROM put_aside`).Scan(&n); err != nil || tt.name != "no games" && n != 1 {
				t.Errorf("%d matches put aside, %v", n, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("no database", func(t *testing.T) {
		dir := tempDir(t)
		if err := os.WriteFile(filepath.Join(dir, DatabaseFile), bytes.Repeat([]byte("rubbish "), 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := New(Options{Data: dir}); err == nil || !strings.Contains(err.Error(), DatabaseFile) {
			t.Errorf("error %v", err)
		}
	})
}

// nameOf makes a name of a number.
func nameOf(i int) string {
	name := "p_"
	for ; i > 0 || len(name) < 4; i /= 26 {
		name += string(rune('a' + i%26))
	}
	return name
}

// TestStore_developmentFolder: a folder from before the first release is refused with the
// remedy, and nothing in it changes.
func TestStore_developmentFolder(t *testing.T) {
	dir := tempDir(t)
	path := filepath.Join(dir, "accounts.json")
	if err := os.WriteFile(path, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{Data: dir}); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

// TestStore_weakHashIsReplaced: a password that was hashed cheaply is hashed again at the
// next login.
func TestStore_weakHashIsReplaced(t *testing.T) {
	testsize.Medium(t)
	dir := made(t)
	s, stop := startStoppable(t, Options{Data: dir})
	login(t, s, "alice")
	stop()
	s, stop = startStoppable(t, Options{Data: dir})
	defer stop()
	if a, b := s.accounts["alice"].secret, s.accounts["bob"].secret; a.Weak(false) || !b.Weak(false) {
		t.Errorf("alice %s, bob %s", a.Text(), b.Text())
	}
	login(t, s, "alice")
}

// TestStore_failedSaveIsTriedAgain: what could not be written is written later.
func TestStore_failedSaveIsTriedAgain(t *testing.T) {
	testsize.Medium(t)
	dir := tempDir(t)
	s, stop := startStoppable(t, Options{Data: dir, CheapPasswords: true, Seed: 3})
	alice, _ := begin(t, s, "5")
	other, err := sql.Open("sqlite", "file:"+filepath.Join(dir, DatabaseFile)+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := s.store.db.Exec("PRAGMA busy_timeout(0)"); err != nil {
		t.Fatal(err)
	}
	tx, err := other.Begin() // holds the database
	if err != nil {
		t.Fatal(err)
	}
	alice.ask("address a@example.com", "Your email")
	if err := s.flush(); err == nil {
		t.Error("saved in another connection's transaction")
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	stop()
	if s, err = New(Options{Data: dir}); err != nil {
		t.Fatal(err)
	}
	if a := s.accounts["alice"]; a == nil || a.Email != "a@example.com" || len(a.open) != 1 {
		t.Errorf("alice %+v", a)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestRecord_unlimitedMatchIsBounded: a match without end lets go of its first
// games, in memory and on disk, and is the same match after a restart.
func TestRecord_unlimitedMatchIsBounded(t *testing.T) {
	testsize.Medium(t)
	dir := tempDir(t)
	s, stop := startStoppable(t, Options{Data: dir, CheapPasswords: true, Seed: 3})
	alice, bob := begin(t, s, "unlimited")
	_ = bob
	s.mu.Lock()
	m := s.openMatches()[0]
	for played := range maxGames + 80 {
		actions := 10
		if played > maxGames+60 {
			actions = maxActions / 2
		}
		for range actions {
			m.act(Action{Kind: Moved, Side: X, Roll: [2]int{2, 1}, Steps: []Step{{24, 22}, {22, 21}}, Done: true})
		}
		s.endGame(m, 0, 1)
		s.startGame(m)
		if played%70 == 0 {
			s.mu.Unlock()
			if err := s.flush(); err != nil {
				t.Fatal(err)
			}
			s.mu.Lock()
		}
	}
	n, games, all := m.recorded(), len(m.Record.Games), m.Record.Earlier+len(m.Record.Games)
	if n > maxMatchActions+2*maxActions || games > maxGames+1 || all != maxGames+81 || s.recorded != n {
		t.Errorf("%d actions of %d games kept, %d games played, %d counted", n, games, all, s.recorded)
	}
	for range 2 * maxActions {
		m.act(Action{Kind: Moved, Side: X})
	}
	if g := m.game(); len(g.Actions) != maxActions || !g.Cut {
		t.Errorf("%d actions of one game", len(g.Actions))
	}
	s.deliver(nil)
	s.release()
	alice.ask("leave", "terminated")
	stop()
	want := s.Matches()
	if s, err := New(Options{Data: dir}); err != nil {
		t.Error(err)
	} else {
		before, err1 := json.Marshal(want)
		after, err2 := json.Marshal(s.Matches())
		if !bytes.Equal(before, after) || err1 != nil || err2 != nil {
			t.Errorf("another match: %.2000s\n%.2000s", before, after)
		}
		rows := 0
		if err := s.store.db.QueryRow(`SELECT count(*) FROM games`).Scan(&rows); err != nil || rows != len(want[0].Games) {
			t.Errorf("%d games on disk, %v", rows, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRanking_staysInOrder: by rating, through matches that change it.
func TestRanking_staysInOrder(t *testing.T) {
	var r ranking
	var list []*account
	for i := range 300 {
		a := &account{Name: nameOf(i), Rating: 1500 + float64(i*7919%101), Experience: 100}
		list = append(list, a)
		r.add(a)
	}
	for i, a := range list {
		r.remove(a)
		a.Rating += float64(i*31%17) - 8
		r.add(a)
	}
	if len(r) != len(list) {
		t.Fatalf("%d of %d", len(r), len(list))
	}
	for i := range r {
		if r.rank(r[i]) != i+1 || i > 0 && !ahead(r[i-1], r[i]) {
			t.Fatalf("%d is %+v of rank %d", i, r[i], r.rank(r[i]))
		}
	}
	if r.rank(&account{Name: "nobody", Rating: 1500}) != 0 {
		t.Error("an account without a rank has one")
	}
}

// TestMail_isBounded by sender and in all.
func TestMail_isBounded(t *testing.T) {
	s := start(t, Options{Accounts: map[string]string{"alice": "secret", "bob": "secret", "carol": "secret"}})
	alice, bob := login(t, s, "alice"), login(t, s, "bob")
	for range maxMailFrom {
		alice.ask("message carol hello", "^11 carol")
	}
	alice.ask("message carol hello", "mailbox of carol is full")
	bob.ask("message carol hello", "^11 carol")
	carol := login(t, s, "carol")
	_ = carol
	s.mu.Lock()
	if s.mailed != 0 {
		t.Errorf("%d bytes waiting", s.mailed)
	}
	s.mailed = maxMailed
	s.mu.Unlock()
	carol.send("bye")
	carol.closed()
	bob.ask("message carol hello", "mailbox of carol is full")
	if fmt.Sprint(len(s.Users())) != "2" {
		t.Error(s.Users())
	}
}

// TestStore_anyFolder: special characters in the folder's name do not change the file that is
// opened.
func TestStore_anyFolder(t *testing.T) {
	for _, name := range []string{"what?now", "a#b", "100%41"} {
		dir := filepath.Join(tempDir(t), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Skip(err) // Windows has no such names
		}
		st, err := openStore(t.Context(), dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := st.db.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(filepath.Join(dir, DatabaseFile)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		if err := st.db.Close(); err != nil {
			t.Error(err)
		}
	}
}
