package truth

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fibsbot/engine/board"

	"github.com/google/go-cmp/cmp"
)

// made are a few decisions in a file.
func made(t *testing.T, m *Maker) (string, []Reference) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	f, _, err := Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Make(t.Context(), f, nil, "natural=3", "natural=1", func(string, int, int) {}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	ds, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, ds
}

// last chooses the play that the move generator gives last, which nobody would.
func last(p board.Position, d board.Dice) (board.Play, bool, error) {
	plays := board.AppendPlays(nil, p, d)
	if len(plays) == 0 {
		return board.Play{}, false, nil
	}
	return plays[len(plays)-1], true, nil
}

// TestExtend: what a player chooses is rolled out where it was not, the rest stays as it
// was, cube decisions and values of the plays known among it; done once, nothing is left to do.
func TestExtend(t *testing.T) {
	m := quick(t)
	_, before := made(t, m)
	ds := slices.Clone(before)
	for i := range ds {
		ds[i].Plays = slices.Clone(ds[i].Plays)
	}
	none := func(string, int, int) {}
	if err := m.Extend(t.Context(), ds, []Chooser{last}, none); err != nil {
		t.Fatal(err)
	}
	added := 0
	for i := range ds {
		d, was := &ds[i], &before[i]
		if err := d.check(); err != nil {
			t.Fatalf("decision %d: %v", i+1, err)
		}
		if d.Cube != nil {
			if diff := cmp.Diff(was, d); diff != "" {
				t.Errorf("a cube decision changed: %s", diff)
			}
			continue
		}
		p, _ := board.ParseID(d.Position)
		roll, _ := d.Roll()
		play, _, _ := last(p, roll)
		if !d.rolledOut(play.Result.Swap().ID()) {
			t.Errorf("decision %d: the choice is not rolled out: %+v", i+1, d.Plays)
		}
		for _, q := range was.Plays {
			if q.Trials > 0 && !slices.Contains(d.Plays, q) {
				t.Errorf("decision %d: %+v is gone or changed", i+1, q)
			}
		}
		if !was.rolledOut(play.Result.Swap().ID()) {
			added++
		}
	}
	if added == 0 {
		t.Error("nothing was left to roll out")
	}
	again := slices.Clone(ds)
	if err := m.Extend(t.Context(), again, []Chooser{last}, none); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ds, again); diff != "" {
		t.Errorf("the second time changed %s", diff)
	}
}

// TestExtendFile: what ends it leaves a whole file behind, with what was done.
func TestExtendFile(t *testing.T) {
	m := quick(t)
	path, before := made(t, m)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	none := func(string, int, int) {}
	if err := m.ExtendFile(ctx, path, "expert", "", none); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if ds, err := Read(path); err != nil || len(ds) != len(before) {
		t.Errorf("%d decisions left of %d, %v", len(ds), len(before), err)
	}
	if err := m.ExtendFile(t.Context(), path, "expert,1", "", none); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "nobody", "expert,", "gnubg:4", "gnubg:x", "9", "-1"} {
		if err := m.ExtendFile(t.Context(), path, bad, "", none); !errors.Is(err, ErrPlayers) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := m.ExtendFile(t.Context(), filepath.Join(t.TempDir(), "none"), "expert", "", none); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "none")
	if _, _, err := Open(missing, false); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file to open: %v", err)
	}
	if _, err := os.Stat(missing); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file was begun that nobody asked for")
	}
}
