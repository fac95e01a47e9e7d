package host

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/internal/changes"
	"fibsbot/bot/ops"
	"fibsbot/internal/testsize"
)

// The filing of an ended match is stopped before each operation on a file: the next start of the
// bot files the match as a bot does that was not stopped.
func TestFiling_steps(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	ended := t.TempDir() // the end of the match is in its journal, and nothing is filed
	p := archivetest.NewPlayer(t, ended, "robbie")
	p.Play(len(archivetest.Lines))
	p.Close()
	filed, err := filepath.Glob(filepath.Join(ended, "*.*"))
	for _, name := range filed {
		err = errors.Join(err, os.Remove(name))
	}
	journals, _ := filepath.Glob(filepath.Join(ended, "journal", "*"))
	if err = errors.Join(err, os.Rename(journals[0], filepath.Join(ended, "open", filepath.Base(journals[0])))); err != nil {
		t.Fatal(err)
	}
	stem := strings.TrimSuffix(filepath.Base(journals[0]), ".journal")
	want := []string{"bobx/" + stem + ".json", "bobx/" + stem + ".mat", "bobx/" + stem + ".sgf", "journal/" + stem + ".journal"}
	for steps := 0; ; steps++ {
		c := testConfig(t, "host:4321", "robbie")
		c.Archive.Formats, c.Archive.Group = []string{"sgf", "mat"}, "opponent"
		if err := os.CopyFS(c.Archive.Dir, os.DirFS(ended)); err != nil {
			t.Fatal(err)
		}
		start := func(before func(string) error) *running {
			return startHost(t, c, func(o *Options) {
				o.Protocols = onFIBS(fibs.Protocol{Connect: func(context.Context, string, string) (net.Conn, error) { return nil, net.ErrClosed }})
			}, func(h *Host) { h.before, h.fileAgain = before, 20*time.Millisecond })
		}
		whole := func(ops.Status) bool {
			return cmp.Equal(want, matchFiles(c.Archive.Dir)) && !(&changes.Log{Dir: c.Archive.Dir}).Open()
		}
		var mu sync.Mutex
		n, last := 0, ""
		r := start(func(step string) error {
			mu.Lock()
			defer mu.Unlock()
			if n++; n <= steps {
				return nil
			}
			if last == "" {
				last = step
			}
			return errors.New("killed")
		})
		killed := func() bool { mu.Lock(); defer mu.Unlock(); return n > steps }
		r.until("neither filed nor killed", func(s ops.Status) bool { return killed() || whole(s) })
		r.stop()
		if err := r.wait(); err != nil {
			t.Fatal(err)
		}
		if killed() {
			r = start(nil)
			r.until("stopped before "+last+", and not filed", whole)
			r.stop()
			if err := r.wait(); err != nil {
				t.Fatal(err)
			}
		} else if steps < 10 {
			t.Fatalf("%d steps only", steps)
		}
		archivetest.Sound(t, c.Archive.Dir, fibs.Protocol{})
		if got := rows(t, c); len(got) != 1 || got[0].Account != "robbie" || got[0].Result == 0 {
			t.Errorf("stopped before %q: rows %+v", last, got)
		}
		if !killed() {
			return
		}
	}
}

// matchFiles are the files of matches in an archive.
func matchFiles(dir string) (files []string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		if err == nil && !e.IsDir() && !strings.HasPrefix(name, index.FileName) && !strings.HasPrefix(name, "state/") && !strings.HasSuffix(name, ".lock") && !strings.HasPrefix(name, changes.Dir+"/") {
			files = append(files, name)
		}
		return nil
	})
	slices.Sort(files)
	return files
}
