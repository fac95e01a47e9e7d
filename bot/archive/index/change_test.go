package index

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/record/sgf"
)

func imported(t *testing.T) (*DB, *Match) {
	t.Helper()
	d, err := Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if _, err := d.Import(t.Context(), given("2026-01-31"), Meta{Account: "Robo"}); err != nil {
		t.Fatal(err)
	}
	m, err := d.Find(t.Context(), given("2026-01-31"))
	if err != nil {
		t.Fatal(err)
	}
	return d, m
}

func TestChange(t *testing.T) {
	d, row := imported(t)
	text := func(s string) *string { return &s }
	now, err := d.Change(t.Context(), row, Change{Players: &[2]string{"Me", "You"}, Event: text("Open"), Round: text("1"), Place: text("Here"),
		Date: text("2026-02-01"), Annotator: text("Ann"), Comment: text("Short."), Tags: &[]string{"study", "lost"}, Swap: true})
	if err != nil {
		t.Fatal(err)
	}
	if now.ID != row.ID || now.Account != "Me" || now.Opponent != "You" || now.Result != row.Result || now.Me == row.Me {
		t.Errorf("row %+v, was %+v", now, row)
	}
	path := filepath.Join(d.Dir(), filepath.FromSlash(now.File))
	m, _, err := sgf.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if rows := list(t, d, Filter{Event: "op*"}); len(rows) != 1 {
		t.Errorf("by event: %v", rows)
	}
	if rows := list(t, d, Filter{Event: "club"}); len(rows) != 0 {
		t.Errorf("by another event: %v", rows)
	}
	if m.Event != "Open" || m.Round != "1" || m.Place != "Here" || m.Date != "2026-02-01" || m.Annotator != "Ann" || m.Comment != "Short." || m.Players[0].Name != "Me" {
		t.Errorf("file %+v", m)
	}
	if tags := now.Tags; !slices.Equal(tags, []string{"study", "lost"}) {
		t.Errorf("tags %q, %v", tags, err)
	}
	// A copy of the original file is still known, also after a rebuild.
	for range 2 {
		if became, err := d.Import(t.Context(), given("2026-01-31"), Meta{}); err != nil || became == WasAdded || count(t, d) != 1 {
			t.Errorf("imported again: %v %v, %d matches", became, err, count(t, d))
		}
		if _, err := d.Rebuild(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []Change{{Date: text("yesterday")}, {Players: &[2]string{"a", "A"}}, {Account: text("carl")}, {Tags: &[]string{"a,b"}}} {
		if _, err := d.Change(t.Context(), now, bad); !errors.Is(err, ErrFilter) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestChange_botsMatchKeepsItsSides(t *testing.T) {
	d, err := Open(t.Context(), family(t), "")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	row, err := d.Show(t.Context(), "2026-11-23")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Change(t.Context(), row, Change{Swap: true}); !errors.Is(err, ErrChange) {
		t.Errorf("swapped: %v", err)
	}
	place := "Club"
	if now, err := d.Change(t.Context(), row, Change{Players: &[2]string{"Robo", "Robert"}, Place: &place}); err != nil || now.ID != row.ID || now.Opponent != "Robert" {
		t.Errorf("%+v %v", now, err)
	}
}

// Two names of one opponent become one; others and bad names change nothing.
func TestRename(t *testing.T) {
	d, row := imported(t)
	for _, bad := range [][2]string{{"", "x"}, {"nobody here", "x"}, {row.Opponent, ""}, {row.Opponent, row.Opponent}, {row.Opponent, "a\tb"}} {
		if n, err := d.Rename(t.Context(), bad[0], bad[1]); !errors.Is(err, ErrChange) || n != 0 {
			t.Errorf("%q: %d %v", bad, n, err)
		}
	}
	if n, err := d.Rename(t.Context(), row.Opponent, row.Account); err == nil || n != 0 {
		t.Errorf("the account as its own opponent: %d %v", n, err)
	}
	if n, err := d.Rename(t.Context(), strings.ToUpper(row.Opponent), "One Name"); n != 1 || err != nil {
		t.Fatalf("%d %v", n, err)
	}
	now, err := d.Show(t.Context(), row.ID)
	if err != nil || now.Opponent != "One Name" || now.Account != row.Account {
		t.Errorf("%+v %v", now, err)
	}
}

func TestDelete(t *testing.T) {
	d, row := imported(t)
	file := filepath.Join(d.Dir(), filepath.FromSlash(row.File))
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Delete(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Show(t.Context(), row.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted, and shown: %v", err)
	}
	if r, err := d.Rebuild(t.Context(), nil); err != nil || r.Added != 0 || len(r.Bad) != 0 {
		t.Errorf("rebuilt: %+v %v", r, err)
	}
	list, err := d.Trash()
	if err != nil || len(list) != 1 || list[0].ID != row.ID || list[0].Account != "Robo" {
		t.Fatalf("trash %+v %v", list, err)
	}
	mode := func(path string, want fs.FileMode) {
		t.Helper()
		if st, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, st.Mode(), err)
		}
	}
	mode(filepath.Dir(d.trashed(row.ID)), 0o700)
	mode(d.trashed(row.ID), 0o600)
	back, err := d.Undelete(t.Context(), row.ID[:6])
	if err != nil || back.ID != row.ID || back.Account != row.Account {
		t.Fatalf("%+v %v", back, err)
	}
	mode(file, 0o600)
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("%v, another file", err)
	}
	// It is kept for 30 days.
	if err := d.Delete(t.Context(), back); err != nil {
		t.Fatal(err)
	}
	for _, age := range []time.Duration{trashFor - time.Hour, trashFor + time.Hour} {
		if err := d.emptyTrash(time.Now().Add(age)); err != nil {
			t.Fatal(err)
		}
		if list, _ := d.Trash(); (len(list) == 1) != (age < trashFor) {
			t.Errorf("after %v: %v", age, list)
		}
	}
}
