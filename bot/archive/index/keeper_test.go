package index

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

// damage returns ways to damage the file of an index.
func damage() map[string]func(t *testing.T, file string) {
	return map[string]func(*testing.T, string){
		"garbage": func(t *testing.T, file string) {
			if err := os.WriteFile(file, bytes.Repeat([]byte("rubbish "), 4096), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"one page": func(t *testing.T, file string) {
			f, err := os.OpenFile(file, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			st, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			for page := int64(1); page < st.Size()/4096; page++ { // all but the head
				if _, err := f.WriteAt(bytes.Repeat([]byte{0xff}, 512), page*4096); err != nil {
					t.Fatal(err)
				}
			}
		},
		"cut": func(t *testing.T, file string) {
			if err := os.Truncate(file, 6000); err != nil {
				t.Fatal(err)
			}
		},
	}
}

// After any damage the archive can be listed again, and the damaged file is kept.
func TestOpenSound_damagedIsSetAside(t *testing.T) {
	testsize.Medium(t)
	for name, harm := range damage() {
		t.Run(name, func(t *testing.T) {
			dir := archive(t)
			d := open(t, dir, "")
			if _, err := d.Rebuild(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			want := list(t, d, Filter{})
			d.Close()
			harm(t, filepath.Join(dir, FileName))
			d, aside, err := openSound(t.Context(), dir, "")
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if _, err := os.Stat(aside); err != nil || !strings.Contains(aside, ".damaged") {
				t.Errorf("set aside as %q: %v", aside, err)
			}
			if _, err := d.Rebuild(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if got := list(t, d, Filter{}); len(got) != len(want) || len(got) == 0 {
				t.Errorf("%d matches after the repair, want %d", len(got), len(want))
			}
		})
	}
}

// The file is damaged while it is open: one use notices, and the next has an empty index.
func TestKeeper_damagedInUse(t *testing.T) {
	testsize.Medium(t)
	dir := archive(t)
	var told []error
	asides := 0
	k := &Keeper{Dir: dir, Told: func(err error, aside string) {
		told = append(told, err)
		if aside != "" {
			asides++
		}
	}}
	defer k.Close()
	rebuild := func(d *DB) error {
		_, err := d.Rebuild(t.Context(), nil)
		return err
	}
	if err := k.Use(t.Context(), rebuild); err != nil || len(told) != 0 || k.Behind() {
		t.Fatalf("sound: %v, told %v, behind %v", err, told, k.Behind())
	}
	// The page cache of the connection hides the damage: close it.
	k.Close()
	damage()["one page"](t, filepath.Join(dir, FileName))
	if err := k.Use(t.Context(), rebuild); err != nil {
		t.Fatalf("the new index: %v", err)
	}
	if asides != 1 || !k.Behind() {
		t.Errorf("set aside %d times, behind %v", asides, k.Behind())
	}
	k.CaughtUp()
	if k.Behind() {
		t.Error("behind after it has caught up")
	}
}

// A database that is unavailable at the start is used when it becomes available.
func TestKeeper_awayIsTriedAgain(t *testing.T) {
	dir := archive(t)
	file := filepath.Join(dir, FileName)
	if err := os.Mkdir(file, 0o755); err != nil {
		t.Fatal(err)
	}
	var last error
	n := 0
	k := &Keeper{Dir: dir, Every: time.Nanosecond, Told: func(err error, _ string) { last, n = err, n+1 }}
	defer k.Close()
	nothing := func(*DB) error { return nil }
	if err := k.Use(t.Context(), nothing); err == nil || !k.Behind() {
		t.Fatalf("away: %v, behind %v", err, k.Behind())
	}
	k.Every = time.Hour
	if err := k.Use(t.Context(), nothing); !errors.Is(err, ErrAway) {
		t.Errorf("asked again at once: %v", err)
	}
	k.Every = time.Nanosecond
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := k.Use(t.Context(), nothing); err != nil || last == nil {
		t.Errorf("back: %v, told %d times, the last time %v", err, n, last)
	}
	if !k.Behind() {
		t.Error("what was missed while it was away is not behind")
	}
	if k.CaughtUp(); last != nil || n != 2 || k.Behind() {
		t.Errorf("caught up: told %d times, the last time %v", n, last)
	}
}

// Reading works on a full disk, so it does not count as a sign that the index works again.
func TestKeeper_readIsNotWritten(t *testing.T) {
	var told []error
	k := &Keeper{Dir: archive(t), Told: func(err error, _ string) { told = append(told, err) }}
	defer k.Close()
	full, read := errors.New("disk is full"), error(nil)
	for _, err := range []error{read, full, read, full, read} {
		if got := k.Use(t.Context(), func(*DB) error { return err }); !errors.Is(got, err) {
			t.Fatal(got)
		}
	}
	if len(told) != 2 || told[0] != full || told[1] != full || !k.Behind() {
		t.Errorf("told %v, behind %v", told, k.Behind())
	}
	_ = k.Use(t.Context(), func(*DB) error { return full })
	if k.CaughtUp(); !k.Behind() || len(told) != 3 {
		t.Errorf("right after a failure: told %v, behind %v", told, k.Behind())
	}
	_ = k.Use(t.Context(), func(*DB) error { return read })
	k.CaughtUp()
	if k.CaughtUp(); k.Behind() || len(told) != 4 || told[3] != nil {
		t.Errorf("caught up: told %v, behind %v", told, k.Behind())
	}
}

func TestDescribe_startIsNotMidnight(t *testing.T) {
	m := load(t, "match3.sgf")
	m.Date = "2026-11-22"
	got := Describe(m, Meta{}, "opponents/bob/2026-11-22_134501_bot-bob_5pt_2.sgf").Started
	if want := time.Date(2026, 11, 22, 13, 45, 1, 0, time.UTC); !got.Equal(want) {
		t.Errorf("started %v, want %v", got, want)
	}
	if got := Describe(m, Meta{}, "imported/0123.sgf").Started; got.Hour() != 0 || got.Day() != 22 {
		t.Errorf("started %v, want the day", got)
	}
}

// A deleted index of a running bot is created again; writes do not go to the deleted file.
func TestKeeper_removedInUse(t *testing.T) {
	dir := archive(t)
	k := &Keeper{Dir: dir}
	defer k.Close()
	rebuild := func(d *DB) error {
		_, err := d.Rebuild(t.Context(), nil)
		return err
	}
	if err := k.Use(t.Context(), rebuild); err != nil || k.Behind() {
		t.Fatalf("%v, behind %v", err, k.Behind())
	}
	for _, ext := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(dir, FileName) + ext); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if err := k.Use(t.Context(), rebuild); err != nil || !k.Behind() {
		t.Errorf("after the removal: %v, behind %v", err, k.Behind())
	}
	again, err := Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	n := 0
	if err := again.List(t.Context(), Filter{}, func(*Match) error { n++; return nil }); err != nil || n == 0 {
		t.Errorf("%d matches in the new index, %v", n, err)
	}
}

// Callers who wait for an index that does not answer get the error of that attempt, and do
// not start another one.
func TestKeeper_slowTries(t *testing.T) {
	clock, tries := time.Now(), 0
	k := &Keeper{DSN: "postgres://nobody", now: func() time.Time { return clock }}
	k.open = func(context.Context, string, string) (*DB, string, error) {
		tries++
		clock = clock.Add(openLimit)
		return nil, "", context.DeadlineExceeded
	}
	for range 20 {
		if err := k.Use(t.Context(), func(*DB) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
	if tries != 1 {
		t.Errorf("%d tries for 20 uses at once", tries)
	}
	clock = clock.Add(6 * time.Second)
	_ = k.Use(t.Context(), func(*DB) error { return nil })
	if tries != 2 {
		t.Errorf("%d tries, one of them after a while", tries)
	}
}

// The Keeper answers while it opens an index that does not answer and while Told runs. A
// waiting caller stops with its own context.
func TestKeeper_nothingUnderItsLock(t *testing.T) {
	begun, answer := make(chan struct{}), make(chan struct{})
	k := &Keeper{DSN: "postgres://nobody"}
	k.open = func(context.Context, string, string) (*DB, string, error) {
		close(begun)
		<-answer
		return nil, "", errors.New("refused")
	}
	told := make(chan bool, 1)
	k.Told = func(error, string) { told <- k.Behind() }
	nothing := func(*DB) error { return nil }
	first := make(chan error, 1)
	go func() { first <- k.Use(t.Context(), nothing) }()
	soon := func(what string, c <-chan error) error {
		t.Helper()
		select {
		case err := <-c:
			return err
		case <-time.After(20 * time.Second):
			t.Fatalf("%s waits for the lock", what)
			return nil
		}
	}
	<-begun
	asked := make(chan error, 2)
	go func() { k.Behind(); k.CaughtUp(); asked <- nil }()
	_ = soon("Behind", asked)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { asked <- k.Use(ctx, nothing) }()
	cancel()
	if err := soon("Use without a context", asked); !errors.Is(err, context.Canceled) {
		t.Errorf("given up with %v", err)
	}
	close(answer)
	if err := soon("Use", first); err == nil || !<-told {
		t.Errorf("refused: %v", err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

// An index that is opened and closed during use is opened once for all callers, and is whole
// at the end.
func TestKeeper_manyAtOnce(t *testing.T) {
	dir := archive(t)
	k := &Keeper{Dir: dir, Told: func(err error, aside string) { t.Errorf("told %v, %q", err, aside) }}
	opened := 0
	k.open = func(ctx context.Context, dir, dsn string) (*DB, string, error) {
		opened++ // the race detector finds two at once
		return openSound(ctx, dir, dsn)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if err := k.Use(t.Context(), func(*DB) error { return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if opened != 1 {
		t.Errorf("opened %d times", opened)
	}
	if err := errors.Join(k.Close(), k.Close()); err != nil {
		t.Error(err)
	}
}
