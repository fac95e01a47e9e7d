package revise

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot/internal/changes"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

// played is a file with one game of three plays.
func played(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "match.sgf")
	text := "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[anna]PB[bert]\n;W[31hefe]\n;B[52lqac]C[old]\n;W[61ygfe])\n"
	text = strings.Replace(text, "\n;W[61ygfe]", "\n;W[61mghg]", 1)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// luck adds an analysis of luck only to an action.
func luck(m *record.Match, i int, v float64) {
	m.Games[0].Actions[i].Analysis = &record.Analysis{Played: -1, Luck: &v}
}

// A long analysis keeps a replaced comment, a deleted comment and a rollout that were made
// meanwhile.
func TestAnalysis_ofAFileChangedMeanwhile(t *testing.T) {
	path := played(t)
	slow, m, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	quick, q, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	q.Games[0].Actions[1].Comment = "new"
	deep := &record.Analysis{Played: 0, Candidates: []record.Candidate{{Steps: q.Games[0].Actions[0].Steps, Rollout: &record.Rollout{Trials: 1296, Settings: "SK 0"}}}}
	q.Games[0].Actions[0].Analysis = deep
	if _, err := quick.Store(t.Context(), q, func(*record.Match) error { return fmt.Errorf("called") }); err != nil {
		t.Fatal(err)
	}
	luck(m, 0, 0.25)
	luck(m, 2, 0.5)
	now, err := slow.Store(t.Context(), m, Judge(m))
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := sgf.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*record.Match{now, again} {
		a := m.Games[0].Actions
		if a[1].Comment != "new" || a[2].Analysis == nil || *a[2].Analysis.Luck != 0.5 || *a[0].Analysis.Luck != 0.25 || a[0].Analysis.Candidates[0].Rollout.Trials != 1296 {
			t.Errorf("%+v", a)
		}
	}
	// The long one continues from what it wrote.
	luck(now, 1, -0.5)
	if _, err := slow.Store(t.Context(), now, func(*record.Match) error { return fmt.Errorf("called") }); err != nil {
		t.Error(err)
	}
}

// Many writers of comments and analyses to one file lose nothing.
func TestStore_manyWriters(t *testing.T) {
	path := played(t)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			f, m, _, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			note := func(m *record.Match) error {
				m.Games[0].Actions[0].Comment += fmt.Sprintf("<%d>", w)
				return nil
			}
			if w%2 == 0 {
				luck(m, w%3, 0.1)
				_, err = f.Store(t.Context(), m, Judge(m))
			} else if err = note(m); err == nil {
				_, err = f.Store(t.Context(), m, note)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	m, _, err := sgf.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for w := 1; w < 8; w += 2 {
		if c := m.Games[0].Actions[0].Comment; strings.Count(c, fmt.Sprintf("<%d>", w)) != 1 {
			t.Errorf("comments %q", c)
		}
	}
	for i := range 3 {
		if m.Games[0].Actions[i].Analysis == nil {
			t.Errorf("action %d lost its analysis", i)
		}
	}
}

// Written matches the file of a match that was just written.
func TestWritten(t *testing.T) {
	path := played(t)
	_, m, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Written(path, m)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := text(m); err != nil || os.WriteFile(path, data, 0o644) != nil {
		t.Fatal(err)
	}
	if _, err := f.Store(t.Context(), m, func(*record.Match) error { return fmt.Errorf("called") }); err != nil {
		t.Error(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Store(t.Context(), m, Judge(m)); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}

// A file longer than any match is not read into memory.
func TestOpen_endless(t *testing.T) {
	testsize.Medium(t)
	path := played(t)
	f, m, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	const size = 1 << 30
	if err := os.Truncate(path, size); err != nil {
		t.Skip(err) // no sparse files here
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, _, err := Open(path); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("Open: %v", err)
	}
	if _, err := f.Store(t.Context(), m, Judge(m)); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("Store: %v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > size {
		t.Errorf("took %d bytes of memory for a file of %d", n, size)
	}
}

// In an archive the file is written by its log of changes, also in the folder of imports.
func TestFile_Store_inAnArchive(t *testing.T) {
	for _, name := range []string{"match.sgf", "imported/match.sgf"} {
		from, dir := played(t), t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Rename(from, path)); err != nil {
			t.Fatal(err)
		}
		log := &changes.Log{Dir: dir}
		c, err := log.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		file, m, _, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m.Games[0].Actions[0].Comment = "new"
		stored := make(chan error, 1)
		go func() { _, err := file.Store(t.Context(), m, Judge(m)); stored <- err }()
		select {
		case err := <-stored:
			t.Errorf("%s: written beside a change: %v", name, err)
		case <-time.After(50 * time.Millisecond):
			if err := errors.Join(c.Close(), <-stored); err != nil {
				t.Fatal(err)
			}
		}
		if c, err = log.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		left, err := c.Left()
		if err != nil || len(left) != 1 || !slices.Equal(left[0].Rows, []string{name}) {
			t.Errorf("%s: the index will follow %+v %v", name, left, err)
		}
		_ = c.Close()
		if now, _, err := sgf.ReadFile(path); err != nil || now.Games[0].Actions[0].Comment != "new" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
