package host

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/ops"
	"fibsbot/fibs/server"
	"fibsbot/internal/figure"
	"fibsbot/internal/testsize"
)

// indexRows counts the matches in the index of an archive.
func indexRows(t *testing.T, dir string) int {
	t.Helper()
	db, err := index.Open(t.Context(), dir, "")
	if err != nil {
		return -1
	}
	defer db.Close()
	n := 0
	if err := db.List(t.Context(), index.Filter{}, func(*index.Match) error { n++; return nil }); err != nil {
		return -1
	}
	return n
}

// TestHost_playsWithoutAnIndex: the bot plays while its index cannot be opened, at the start and
// when matches end. Once the index works again it has all of them.
func TestHost_playsWithoutAnIndex(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{Seed: 3})
	c := testConfig(t, addr, "robbie")
	file := filepath.Join(c.Archive.Dir, index.FileName)
	if err := os.MkdirAll(filepath.Join(file, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := startHost(t, c, nil, func(h *Host) { h.fileAgain = 20 * time.Millisecond })
	<-spar(t, addr, "human", "robbie", 1, 2, nil)
	r.until("the matches are not counted", func(st ops.Status) bool { return st.Accounts[0].Finished == 2 })
	if st := r.Status(); st.IndexError == "" {
		t.Error("nothing is said about the index")
	}
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	r.until("the index does not catch up", func(st ops.Status) bool { return st.IndexError == "" && indexRows(t, c.Archive.Dir) == 2 })
}

// TestHost_damagedIndexIsMadeAnew: the rebuilt index has all matches of the archive.
func TestHost_damagedIndexIsMadeAnew(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{Seed: 4})
	c := testConfig(t, addr, "robbie")
	r := startHost(t, c, nil)
	<-spar(t, addr, "human", "robbie", 1, 1, nil)
	r.until("not indexed", func(ops.Status) bool { return indexRows(t, c.Archive.Dir) == 1 })
	r.stop()
	if err := r.wait(); err != nil {
		t.Fatal(err)
	}
	// It also has a match whose files were pruned.
	gone := &index.Match{ID: "00ff", File: "old.sgf", Account: "robbie", Opponent: "old", Result: 1, Plies: figure.Unknown}
	if err := index.WritePruned(c.Archive.Dir, []*index.Match{gone}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Archive.Dir, index.FileName), bytes.Repeat([]byte("no database"), 999), 0o644); err != nil {
		t.Fatal(err)
	}
	// The test opens the index too; the second to open it may have to try again.
	again := startHost(t, c, nil, func(h *Host) { h.fileAgain = 20 * time.Millisecond })
	again.until("index not rebuilt", func(ops.Status) bool { return indexRows(t, c.Archive.Dir) == 2 })
	if aside, _ := filepath.Glob(filepath.Join(c.Archive.Dir, index.FileName+".damaged*")); len(aside) != 1 {
		t.Errorf("set aside: %q", aside)
	}
}

// TestHost_killedBetweenFileAndMeta: only the match file exists. The next start completes the
// filing: the end of the match comes from the journal, our rating from the server.
func TestHost_killedBetweenFileAndMeta(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{Seed: 5})
	c := testConfig(t, addr, "robbie")
	c.Archive.Formats = []string{"sgf", "mat"}
	began := time.Now().Truncate(time.Second)
	r := startHost(t, c, nil)
	<-spar(t, addr, "human", "robbie", 1, 1, nil)
	r.until("not indexed", func(ops.Status) bool { return indexRows(t, c.Archive.Dir) == 1 })
	r.stop()
	if err := r.wait(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(c.Archive.Dir, "*.sgf"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	before, err := index.ReadMeta(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{index.MetaFile(files[0]), strings.TrimSuffix(files[0], ".sgf") + ".mat", filepath.Join(c.Archive.Dir, index.FileName)} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	again := startHost(t, c, nil, func(h *Host) { h.fileAgain = 20 * time.Millisecond })
	again.until("not indexed again", func(ops.Status) bool { return indexRows(t, c.Archive.Dir) == 1 })
	again.until("the rating after the match is not learned", func(ops.Status) bool {
		m, err := index.Read(c.Archive.Dir, files[0])
		return err == nil && m.RatingAfter[0] > 0
	})
	if _, err := os.Stat(strings.TrimSuffix(files[0], ".sgf") + ".mat"); err != nil {
		t.Errorf("the .mat is not made: %v", err)
	}
	again.stop()
	if err := again.wait(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(c.Archive.Dir, "journal")); err != nil {
		t.Fatal(err)
	}
	m, err := index.Read(c.Archive.Dir, files[0])
	if err != nil {
		t.Fatal(err)
	}
	if m.Finished.Before(began) || m.Finished.After(before.Finished.Add(time.Second)) || m.Account != "robbie" || m.Server != before.Server ||
		float64(m.RatingAfter[0]) != before.RatingAfter[1] {
		t.Errorf("%+v, written by the process itself: %+v", m, before)
	}
}
