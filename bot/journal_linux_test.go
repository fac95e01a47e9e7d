package bot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

// fillJournals makes every write to the open journals below dir fail as on a full
// disk.
func fillJournals(t *testing.T, dir string) {
	t.Helper()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("skipped: no device that is always full: %v", err)
	}
	defer full.Close()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, e := range fds {
		name, err := os.Readlink("/proc/self/fd/" + e.Name())
		if fd, bad := strconv.Atoi(e.Name()); err == nil && bad == nil && strings.HasPrefix(name, filepath.Join(dir, "open")+"/") && strings.HasSuffix(name, ".journal") {
			if err := syscall.Dup3(int(full.Fd()), fd, syscall.O_CLOEXEC); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestAccount_passingJournalError: an account whose journal cannot be written stops playing
// and logs it once. Soon after writing works again it continues the same match, complete.
func TestAccount_passingJournalError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		open, away := filepath.Join(dir, "open"), filepath.Join(dir, "away")
		parser := fibs.Protocol{}.Reader()
		hear := func(l *lastLink, line string) {
			for _, ev := range parser.FromServer(line) {
				l.events <- ev
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var began, told []time.Time
		var broken, healed time.Time
		var healing sync.WaitGroup // the account may be done before who healed it
		a := &Account{Protocol: fibs.Protocol{}, Name: "me", Archive: archive.Options{Dir: dir, NoSync: true}}
		conduct := &scripted{Plain: Plain{Min: 1, Max: 13, Backoff: Backoff{Min: time.Second, Max: 5 * time.Minute}}}
		a.Conduct = conduct
		var link *lastLink
		a.Dial = func(context.Context) (Link, error) {
			began = append(began, time.Now())
			link = &lastLink{events: make(chan protocol.Event, 9), onBye: func() {}}
			switch len(began) {
			case 1:
				hear(link, "** Player bob has joined you for a 1 point match.")
			case 2:
				hear(link, "bob has joined you. Your running match was loaded.")
				hear(link, "bob wins the 1 point match 1-0 .")
			}
			return link, nil
		}
		lastErr := errors.New("nothing told")
		conduct.told = func(n News) {
			if s, ok := n.(JournalState); ok {
				lastErr, told = s.Err, append(told, time.Now())
			}
		}
		conduct.Seen = func(m Observation) {
			if m.Over != nil {
				cancel()
			}
			if m.Table == nil || !broken.IsZero() {
				return
			}
			broken = time.Now()
			fillJournals(t, dir)
			if err := errors.Join(os.Rename(open, away), os.WriteFile(open, nil, 0o600)); err != nil {
				t.Error(err)
			}
			hear(link, "Starting a new game with bob.")
			healing.Go(func() {
				time.Sleep(10 * time.Minute)
				healed = time.Now()
				if err := errors.Join(os.Remove(open), os.Rename(away, open)); err != nil {
					t.Error(err)
				}
			})
		}
		if err := a.Run(ctx); err != nil {
			t.Fatal(err)
		}
		healing.Wait()
		if len(began) != 2 {
			t.Fatalf("%d logins, want 2", len(began))
		}
		if late := began[1].Sub(healed); late < 0 || late > 30*time.Second {
			t.Errorf("played again %v after the cause had ended", late)
		}
		if len(told) < 2 || !told[0].Equal(broken) || lastErr != nil {
			t.Errorf("told %d times, the last time %v; want failures at once and the end of them", len(told), lastErr)
		}
		done, _ := filepath.Glob(filepath.Join(dir, "journal", "*.journal"))
		if len(done) != 1 {
			t.Fatalf("journals of ended matches: %q", done)
		}
		text, err := os.ReadFile(done[0])
		if err != nil || !strings.Contains(string(text), "Starting a new game") {
			t.Errorf("the line that could not be written is missing (%v):\n%s", err, text)
		}
	})
}

// TestAccount_journalFailureIsLoggedOnce: if a journal cannot be written, nor can the end of
// the match, which is not another failure.
func TestAccount_journalFailureIsLoggedOnce(t *testing.T) {
	parser := fibs.Protocol{}.Reader()
	begins := slices.Clone(parser.FromServer("** Player bob has joined you for a 5 point match."))
	board := parser.FromServer("Starting a new game with bob.")
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	l := &lastLink{events: make(chan protocol.Event, 2), onBye: func() {}}
	l.events <- begins[0]
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	a := &Account{Protocol: fibs.Protocol{}, Name: "me", Archive: archive.Options{Dir: dir, NoSync: true}, Dial: func(context.Context) (Link, error) { return l, nil }}
	conduct := &scripted{Plain: Plain{Min: 1, Max: 13}}
	a.Conduct = conduct
	filled := false
	conduct.Seen = func(m Observation) {
		if m.Table != nil && !filled {
			filled = true
			fillJournals(t, dir)
			if err := errors.Join(os.Rename(open, open+".away"), os.WriteFile(open, nil, 0o600)); err != nil {
				t.Error(err)
			}
			l.events <- board[0]
		}
	}
	conduct.told = func(n News) {
		if _, ok := n.(JournalState); ok {
			cancel()
		}
	}
	err := a.Run(ctx)
	if !errors.Is(err, errJournal) || strings.Count(err.Error(), "journal bob:") != 1 {
		t.Errorf("ended with %v, want the failure of the journal once", err)
	}
}
