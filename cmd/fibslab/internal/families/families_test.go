package families

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// position makes a position from points and counts of both sides.
func position(me, opp map[int]uint8) board.Position {
	var p board.Position
	for i, n := range me {
		p.Me[i] = n
	}
	for i, n := range opp {
		p.Opp[i] = n
	}
	return p
}

func TestIs(t *testing.T) {
	home := map[int]uint8{0: 3, 1: 3, 2: 3, 3: 2, 4: 2}
	with := func(more map[int]uint8) map[int]uint8 {
		out := map[int]uint8{}
		for i, n := range home {
			out[i] = n
		}
		for i, n := range more {
			out[i] = n
		}
		return out
	}
	for _, c := range []struct {
		name string
		p    board.Position
		want []string
	}{
		{"start", board.Start, nil},
		{"column behind a checker on the bar", position(map[int]uint8{12: 3, 13: 3, 14: 3, 15: 2, 16: 2, 6: 2}, with(map[int]uint8{board.Bar: 1})), []string{"snake"}},
		{"the same after the caught checkers are past", position(map[int]uint8{12: 3, 13: 3, 14: 3, 15: 2, 16: 2, 6: 2}, with(nil)), nil},
		{"closed out with twelve off", position(map[int]uint8{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 3}, map[int]uint8{board.Bar: 1, 0: 2}), []string{"latehit"}},
		{"three anchors", position(map[int]uint8{23: 2, 22: 3, 20: 2, 5: 3, 7: 3, 10: 2}, map[int]uint8{5: 3, 4: 3, 7: 4, 12: 5}), []string{"massivebackgame"}},
		{"both play back games", position(map[int]uint8{23: 2, 21: 2, 5: 3, 7: 4, 10: 4}, map[int]uint8{23: 2, 21: 2, 4: 3, 7: 4, 10: 4}), []string{"mutualbackgame"}},
		{"one checker to bring out, one roll left", position(map[int]uint8{18: 1, 5: 5, 4: 5, 3: 4}, map[int]uint8{0: 2}), []string{"savebackgammon"}},
		{"no roll can be saved", position(map[int]uint8{18: 1, 5: 5, 4: 5, 3: 4}, map[int]uint8{0: 7}), nil},
		{"a stack in a race", position(map[int]uint8{7: 15}, map[int]uint8{8: 4, 7: 11}), []string{"stackedrace"}},
		{"home already", position(map[int]uint8{5: 15}, map[int]uint8{5: 15}), nil},
	} {
		var got []string
		for i := range All {
			p := c.p
			is := All[i].Is(&p)
			if p = p.Swap(); is != All[i].Is(&p) {
				t.Errorf("%s, %s: depends on who is on roll", c.name, All[i].Name)
			}
			if is {
				got = append(got, All[i].Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestEmbedded(t *testing.T) {
	ps, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	hidden := train.NewKeySet(10)
	if err := Hide(hidden); err != nil {
		t.Fatal(err)
	}
	for i := range ps {
		r := &ps[i]
		p, err := board.ParseID(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !Find(r.Family).Is(&p) {
			t.Errorf("%s is not of family %s", r.ID, r.Family)
		}
		if !hidden.Has(p.Key()) {
			t.Errorf("%s is not hidden from training", r.ID)
		}
		if r.Error > 0.08 {
			t.Errorf("%s: standard error %.3f", r.ID, r.Error)
		}
		count[r.Family]++
	}
	for _, f := range All {
		if count[f.Name] < 150 {
			t.Errorf("%s: %d positions, want 150", f.Name, count[f.Name])
		}
	}
}

// The same command resumes a stopped run, and the file is that of one run.
func TestMaker_resumes(t *testing.T) {
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	m := Maker{Engine: e, Seed: 9, Rollout: Settings()}
	m.Rollout.Trials = 36
	nothing := func(string, int, int) {}
	write := func(path string, counts ...int) string {
		for _, n := range counts {
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Make(t.Context(), f, []string{"savebackgammon"}, n, nothing); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	dir := t.TempDir()
	one := write(filepath.Join(dir, "one"), 4)
	stopped := filepath.Join(dir, "stopped")
	write(stopped, 2)
	if err := os.WriteFile(stopped, []byte(one[:len(one)/2+3]), 0o644); err != nil { // amid a line
		t.Fatal(err)
	}
	if two := write(stopped, 4); two != one {
		t.Errorf("resumed:\n%s\nin one run:\n%s", two, one)
	}
}

func TestMaker_sharpen(t *testing.T) {
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	path := filepath.Join(t.TempDir(), "f")
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := Maker{Engine: e, Seed: 9, Rollout: Settings()}
	m.Rollout.Trials = 36
	nothing := func(string, int, int) {}
	if err := m.Make(t.Context(), f, []string{"savebackgammon"}, 3, nothing); err != nil {
		t.Fatal(err)
	}
	m.Rollout.Trials, m.Rollout.StopStdErr = 72, 1e-9
	if err := m.Sharpen(t.Context(), f, nothing); err != nil {
		t.Fatal(err)
	}
	ps, err := Load(path)
	if err != nil || len(ps) != 3 {
		t.Fatalf("%d positions, %v", len(ps), err)
	}
	for i := range ps {
		if ps[i].Trials != 72 && ps[i].Error > 0 {
			t.Errorf("%s has %d trials", ps[i].ID, ps[i].Trials)
		}
	}
}

func TestOpen_refusesOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"something else", "{}\n", `{"family":"nosuch","position":"4HPwATDgc/ABMA","trials":36}` + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, ErrFile) {
			t.Errorf("%q: %v", text, err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("%q was changed to %q, %v", text, b, err)
		}
	}
}

// A judge that is off by a constant has that as its root mean square, whatever the rollouts' noise.
func TestMeasure(t *testing.T) {
	ps, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for i := range ps {
		ps[i].Error, ps[i].WinError = 0.03, 0.04
		ps[i].Chances = [5]float64{0.5}
		ps[i].Equity = 0
		if i%2 == 0 { // off by 0.05 or -0.05, squares 0.0025
			ps[i].Equity, ps[i].Chances[0] = 0.1, 0.6
		}
	}
	judge := func(context.Context, board.Position) (eval.Probs, error) { return eval.Probs{0.525}, nil }
	list, err := Measure(t.Context(), ps, judge, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.Equity.Value < 0.039 || s.Equity.Value > 0.041 { // 0.05² - 0.03² = 0.04²
			t.Errorf("%s: %v", s.Family, s.Equity)
		}
	}
}
