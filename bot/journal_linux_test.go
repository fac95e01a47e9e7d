package bot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/fibs/clip"
)

// TestAccount_journalFailureIsToldOnce: on a full disk the end of the match cannot
// be written down either, which says nothing new.
func TestAccount_journalFailureIsToldOnce(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("skipped: no device that is always full: %v", err)
	}
	defer full.Close()
	parser := clip.RunningParser()
	begins, board := parser.Parse("** Player bob has joined you for a 5 point match."), parser.Parse("Starting a new game with bob.")
	dir := t.TempDir()
	l := &lastLink{events: make(chan clip.Event, 2)}
	l.events <- begins[0]
	fill := func() {
		fds, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skipf("skipped: %v", err)
		}
		for _, e := range fds {
			name, err := os.Readlink("/proc/self/fd/" + e.Name())
			if fd, bad := strconv.Atoi(e.Name()); err == nil && bad == nil && strings.HasPrefix(name, filepath.Join(dir, "open")+"/") {
				if err := syscall.Dup3(int(full.Fd()), fd, syscall.O_CLOEXEC); err != nil {
					t.Error(err)
				}
			}
		}
	}
	a := &Account{Name: "me", Archive: archive.Options{Dir: dir, NoSync: true}, Dial: func(context.Context) (Link, error) { return l, nil }}
	filled := false
	a.Observe = func(m Moment) {
		if m.Table != nil && !filled {
			filled = true
			fill()
			l.events <- board[0]
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err = a.Run(ctx)
	if !errors.Is(err, errJournal) || strings.Count(err.Error(), "no space left") != 1 {
		t.Errorf("ended with %v, want the failure of the journal once", err)
	}
}
