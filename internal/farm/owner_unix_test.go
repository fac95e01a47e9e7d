//go:build linux || darwin || freebsd

package farm

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

// TestNewKey_byRootForAService: what fibsbot farm key, run by root, writes into the folder of
// a service with a user of its own is that user's: else the service could not read whom to
// let in. The key itself stays root's.
func TestNewKey_byRootForAService(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("skipped: only root gives files away")
	}
	const user = 61234
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "rented1.key")
	if err := os.Chown(dir, user, user); err != nil {
		t.Fatal(err)
	}
	if err := NewKey(dir, "rented1", RoleWork, out); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]uint32{filepath.Join(dir, usersFile): user, filepath.Join(dir, caFile): user,
		filepath.Join(dir, caKeyFile): user, filepath.Join(dir, "keys.lock"): user, out: 0} {
		i, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := i.Sys().(*syscall.Stat_t).Uid; got != want {
			t.Errorf("%s is of user %d, want %d", path, got, want)
		}
	}
}

// TestServer_usersThatCannotBeRead: the error is logged once, and the present users stay.
func TestServer_usersThatCannotBeRead(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	said := make(chan string, 100)
	s := testServer(t, ServerOptions{Log: func(text string) { said <- text }})
	submitKey, _ := s.KeyFiles()
	users := filepath.Join(s.dir, usersFile)
	good, err := os.ReadFile(users)
	if err != nil {
		t.Fatal(err)
	}
	change := func(text string) {
		if err := os.WriteFile(users, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change(string(good) + "submit alice\n")
	await := func(want string) {
		t.Helper()
		select {
		case text := <-said:
			if !strings.Contains(text, want) {
				t.Errorf("said %q, want %q", text, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("not told: %q", want)
		}
	}
	await("users:4: not a user")
	if _, err := client(t, s.URL(), submitKey).Status(t.Context()); err != nil {
		t.Error(err)
	}
	change(string(good) + "# bob\n")
	await("list of users is read again")
}

// TestFarm_folderThatCannotBeWritten: a key that is not let in is not made, and a server says
// at once why it does not start.
func TestFarm_folderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "a.key")
	s := testServer(t, ServerOptions{Dir: dir})
	s.Close()
	if err := os.Remove(filepath.Join(dir, usersFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, usersFile), 0o700); err != nil { // not for root either
		t.Fatal(err)
	}
	users := []user{{role: RoleWork, name: "b", public: "U"}}
	if err := addKeys(dir, users, user{role: RoleWork, name: "a", path: out}); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a useless key was left: %v", err)
	}
	if err := writable(filepath.Join(dir, "lock")); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "is not writable") {
		t.Error(err)
	}
}
