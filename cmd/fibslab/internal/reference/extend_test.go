package reference

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/internal/lockfile"

	"github.com/google/go-cmp/cmp"
)

// made are a few decisions in a file.
func made(t *testing.T, m *Maker) (string, []Reference) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	if done, err := run(t, t.Context(), m, path, Ask{Counts: "natural=3", Cubes: "natural=1"}); err != nil || done != 4 {
		t.Fatal(done, err)
	}
	ds, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, ds
}

// run does what ask says to the file at path.
func run(t *testing.T, ctx context.Context, m *Maker, path string, ask Ask) (int, error) {
	t.Helper()
	j, err := ask.Start(path)
	if err != nil {
		return 0, err
	}
	defer j.Close()
	return j.Run(ctx, m, func(string, int, int) {})
}

// last chooses the last play of the move generator, which no player would.
func last(p board.Position, d board.Dice) (board.Play, bool, error) {
	plays := board.AppendPlays(nil, p, d)
	if len(plays) == 0 {
		return board.Play{}, false, nil
	}
	return plays[len(plays)-1], true, nil
}

// TestExtend: choices without a rollout get one and the rest stays unchanged, cube decisions
// and values of the known plays included; a second run changes nothing.
func TestExtend(t *testing.T) {
	m := quick(t)
	_, before := made(t, m)
	ds := slices.Clone(before)
	for i := range ds {
		ds[i].Plays = slices.Clone(ds[i].Plays)
	}
	none := func(string, int, int) {}
	if _, err := m.Extend(t.Context(), ds, []Panelist{{Play: last}}, none); err != nil {
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
	if n, err := m.Extend(t.Context(), again, []Panelist{{Play: last}}, none); err != nil || n != 0 {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ds, again); diff != "" {
		t.Errorf("the second time changed %s", diff)
	}
}

// TestJob_extends: an interrupted run leaves a whole file with the finished decisions.
func TestJob_extends(t *testing.T) {
	m := quick(t)
	path, before := made(t, m)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run(t, ctx, m, path, Ask{Extend: "expert"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if ds, err := Load(path); err != nil || len(ds) != len(before) {
		t.Errorf("%d decisions left of %d, %v", len(ds), len(before), err)
	}
	done, err := run(t, t.Context(), m, path, Ask{Extend: "beginner,beginner,expert,1"})
	if err != nil {
		t.Fatal(done, err)
	}
	ds, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	rolled := 0
	for i := range ds {
		for _, p := range ds[i].Plays {
			if p.Trials > 0 && !slices.Contains(before[i].Plays, p) {
				rolled++
			}
		}
	}
	if rolled != done {
		t.Errorf("%d choices reported, the file holds %d more", done, rolled)
	}
	if done, err = run(t, t.Context(), m, path, Ask{Extend: "expert,1"}); err != nil || done != 0 {
		t.Errorf("the second time: %v, %v", done, err)
	}
}

// TestAsk_Start refuses bad input before it begins or opens a file.
func TestAsk_Start(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none")
	for _, c := range []struct {
		ask  Ask
		want error
	}{
		{Ask{Counts: "natural=3,bogus=1"}, ErrCounts},
		{Ask{Counts: "natural=3", Cubes: "nothere=1"}, ErrCounts},
		{Ask{Counts: "natural"}, ErrCounts},
		{Ask{Counts: "natural=-1"}, ErrCounts},
		{Ask{Counts: "natural=1000000000"}, ErrCounts},
		{Ask{Extend: "nobody"}, ErrPlayers},
		{Ask{Extend: "expert,"}, ErrPlayers},
		{Ask{Extend: "gnubg:4"}, ErrPlayers},
		{Ask{Extend: "gnubg:x"}, ErrPlayers},
		{Ask{Extend: "5"}, ErrPlayers},
		{Ask{Extend: "-1"}, ErrPlayers},
		{Ask{Extend: "4"}, os.ErrNotExist}, // as deep as --plies goes
	} {
		if _, err := c.ask.Start(missing); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.ask, err, c.want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("unexpected files %v, %v", left, err)
	}
}

// TestOpen_alone: only one process works on a file at a time; the error names the file.
func TestOpen_alone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	f, err := Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []Ask{{Counts: "natural=3"}, {Extend: "expert"}} {
		if _, err := ask.Start(path); !errors.Is(err, lockfile.ErrLocked) || !strings.Contains(err.Error(), path) {
			t.Errorf("%+v: %v", ask, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = Open(path, false); err != nil {
		t.Fatalf("after it was closed: %v", err)
	}
	f.Close()
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
	nowhere := filepath.Join(path+"x", "t.jsonl")
	if _, err := Open(nowhere, true); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), nowhere) || strings.Contains(err.Error(), "lock") {
		t.Errorf("no folder: %v", err)
	}
}

// TestOpen_leavesAlone a file without decisions, even one shorter than a line.
func TestOpen_leavesAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	for text, good := range map[string]bool{"buy milk": false, "{}": false, "{}\n": false, "": true, `{"t`: true, `{"tag":"natur`: true} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		want := text
		f, err := Open(path, true)
		switch {
		case err == nil:
			want = ""
			f.Close()
		case !errors.Is(err, ErrBadTruth) || !strings.Contains(err.Error(), "line 1"):
			t.Errorf("%q: %v", text, err)
		}
		if got, _ := os.ReadFile(path); string(got) != want || (err == nil) != good {
			t.Errorf("%q is now %q, %v", text, got, err)
		}
	}
}
