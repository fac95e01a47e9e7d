package prune

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/engine/record/sgf"

	"fibsbot/bot/archive/verify"

	"github.com/google/go-cmp/cmp"
)

// filled is an archive with three old matches and two new ones, indexed.
func filled(t *testing.T) (string, *index.DB) {
	t.Helper()
	dir := t.TempDir()
	p := archivetest.NewPlayer(t, dir, "bot")
	for i := range 5 {
		if i == 3 {
			p.Now = p.Now.AddDate(2, 0, 0)
		}
		p.Play(len(archivetest.Lines))
	}
	p.Play(9) // goes on
	p.Close()
	return dir, indexed(t, dir)
}

func indexed(t *testing.T, dir string) *index.DB {
	t.Helper()
	db, err := index.Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return db
}

// known is the content of an index, without Pruned.
func known(t *testing.T, db *index.DB) (rows []index.Match, stats []index.Stats, dice index.DiceSum) {
	t.Helper()
	var list []index.Match
	if err := db.List(t.Context(), index.Filter{}, func(m *index.Match) error { list = append(list, *m); return nil }); err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		full, err := db.Show(t.Context(), m.ID) // with its games
		if err != nil {
			t.Fatal(err)
		}
		full.Pruned = false
		rows = append(rows, *full)
	}
	stats, err := db.Stats(t.Context(), index.Filter{}, "opponent")
	if err != nil {
		t.Fatal(err)
	}
	if dice, err = db.DiceCount(t.Context(), index.Filter{}); err != nil {
		t.Fatal(err)
	}
	return rows, stats, dice
}

func same(t *testing.T, what string, want []any, db *index.DB) {
	t.Helper()
	rows, stats, dice := known(t, db)
	if diff := cmp.Diff(want, []any{rows, stats, dice}); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), "index") && !strings.HasSuffix(e.Name(), ".lock") {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	return out
}

func before(t *testing.T) time.Time { return time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC) }

// Rows, statistics and dice are the same before, after, after a rebuild, and in a new index.
func TestRun_keepsEveryResult(t *testing.T) {
	dir, db := filled(t)
	rows, stats, dice := known(t, db)
	want := []any{rows, stats, dice}
	all := names(t, dir)
	dry, err := Run(t.Context(), db, Options{Before: before(t), DryRun: true})
	if err != nil || dry.Matches != 3 || dry.Files != 12 || dry.Bytes == 0 {
		t.Fatalf("dry run: %+v %v", dry, err)
	}
	if diff := cmp.Diff(all, names(t, dir)); diff != "" {
		t.Fatalf("a dry run changes files:\n%s", diff)
	}
	got, err := Run(t.Context(), db, Options{Before: before(t)})
	if err != nil || cmp.Diff(dry, got) != "" {
		t.Fatalf("%+v, the dry run said %+v; %v", got, dry, err)
	}
	if left := names(t, dir); len(left) != len(all)-12+1 {
		t.Errorf("left: %v", left)
	}
	same(t, "after it", want, db)
	if _, err := db.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	same(t, "after a rebuild", want, db)
	db.Close()
	for _, f := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(filepath.Join(dir, index.FileName+f))
	}
	db = indexed(t, dir)
	same(t, "in a new index", want, db)
	if again, err := Run(t.Context(), db, Options{Before: before(t)}); err != nil || again.Matches != 0 {
		t.Errorf("a second time: %+v %v", again, err)
	}
	r, err := verify.Run(t.Context(), db, verify.Options{Protocols: func(string) protocol.Protocol { return fibs.Protocol{} }})
	if err != nil || len(r.Wrong) > 0 || r.Pruned != 3 || r.Matches != 2 {
		t.Errorf("verify: %+v %v", r, err)
	}
	p := archivetest.NewPlayer(t, dir, "bot")
	defer p.Close()
	if found, err := p.Journal.Recover(); err != nil || len(found) != 1 {
		t.Errorf("the running match: %v %v", found, err)
	}
}

// A pruned match that is imported again is complete again, also after a rebuild, with the
// account, times and ratings that only the row had.
func TestRun_importedAgain(t *testing.T) {
	dir, db := filled(t)
	rows, stats, dice := known(t, db)
	want := []any{rows, stats, dice}
	old := &rows[len(rows)-1]
	rec, _, err := sgf.ReadFile(filepath.Join(dir, old.File))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), db, Options{Before: before(t)}); err != nil {
		t.Fatal(err)
	}
	if m, err := db.Show(t.Context(), old.ID); err != nil || !m.Pruned {
		t.Fatalf("%+v %v", m, err)
	}
	for i, became := range []index.Outcome{index.WasMerged, index.WasKnown} {
		if got, err := db.Import(t.Context(), rec, index.Meta{}); err != nil || got != became {
			t.Errorf("import %d: %v %v", i+1, got, err)
		}
	}
	check := func(when string) {
		t.Helper()
		same(t, when, want, db)
		if m, err := db.Show(t.Context(), old.ID); err != nil || m.Pruned {
			t.Errorf("%s: %+v %v", when, m, err)
		}
		if _, _, err := sgf.ReadFile(filepath.Join(dir, old.File)); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	check("after the import")
	if _, err := db.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	check("after a rebuild")
}

func TestRun_journalsOnly(t *testing.T) {
	dir, db := filled(t)
	got, err := Run(t.Context(), db, Options{Before: before(t), Journals: true})
	if err != nil || got.Files != 3 {
		t.Fatalf("%+v %v", got, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "journal", "*")); len(left) != 2 {
		t.Errorf("journals left: %v", left)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.sgf")); len(files) != 5 {
		t.Errorf("match files: %v", files)
	}
}

// An incomplete line after a crash is cut off, and its match still has its files.
func TestRun_tornRow(t *testing.T) {
	dir, db := filled(t)
	if _, err := Run(t.Context(), db, Options{Before: before(t)}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, index.PrunedName)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(file, []byte(lines[0]+lines[1]+lines[2][:40]), 0o644); err != nil {
		t.Fatal(err)
	}
	n := 0
	bad, err := index.ReadPruned(dir, func(*index.Match) error { n++; return nil })
	if n != 2 || len(bad) > 0 || err != nil {
		t.Errorf("%d rows, bad %v, %v", n, bad, err)
	}
	if _, err := Run(t.Context(), db, Options{Before: before(t).AddDate(5, 0, 0)}); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(file)
	if err != nil || strings.Count(string(after), "\n") != 4 || !strings.HasPrefix(string(after), lines[0]+lines[1]+"{") {
		t.Errorf("%v\n%s", err, after)
	}
	// A damaged line in the middle is reported, and the others count.
	if err := os.WriteFile(file, []byte(lines[0]+"{broken\n"+lines[1]), 0o644); err != nil {
		t.Fatal(err)
	}
	n = 0
	if bad, err := index.ReadPruned(dir, func(*index.Match) error { n++; return nil }); n != 2 || len(bad) != 1 || !strings.Contains(bad[0].Error(), ":2:") || err != nil {
		t.Errorf("%d rows, bad %v, %v", n, bad, err)
	}
}

func TestRun_leavesWhatItCannotRead(t *testing.T) {
	dir, db := filled(t)
	files, _ := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if err := os.WriteFile(files[0], []byte("(;FF[4"), 0o644); err != nil {
		t.Fatal(err)
	}
	sum, err := Run(t.Context(), db, Options{Before: before(t)})
	if err != nil || sum.Matches != 2 || len(sum.Kept) != 1 {
		t.Errorf("%+v %v", sum, err)
	}
	if _, err := os.Stat(archive.JournalOf(dir, files[0])); err != nil {
		t.Error("the journal of a match whose file is damaged is gone")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, db, Options{Before: before(t)}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	release, err := archive.Care(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := Run(t.Context(), db, Options{Before: before(t)}); !errors.Is(err, archive.ErrCare) {
		t.Errorf("during a backup: %v", err)
	}
}

func TestBefore(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{"365d": "2025-11-22", "2w": "2026-11-08", "18m": "2025-05-22", "2y": "2024-11-22",
		"": "", "0d": "", "-3d": "", "d": "", "1.5y": "", "365": "", "1h": "", "999999d": ""} {
		got, err := Before(now, text)
		if want == "" {
			if !errors.Is(err, ErrAge) {
				t.Errorf("%q: %v, %v", text, got, err)
			}
			continue
		}
		if err != nil || got.Format(time.DateOnly) != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
}
