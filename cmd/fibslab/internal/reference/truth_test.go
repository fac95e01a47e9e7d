package reference

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/jsonlines"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

// quick makes decisions in a fraction of a second: few trials of two plies.
func quick(t *testing.T) *Maker {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	m := &Maker{Engine: e, Seed: 3, Rollout: Settings()}
	m.Rollout.Trials, m.Rollout.MinTrials, m.Rollout.Truncate, m.Rollout.Threads = 36, 36, 2, 1
	return m
}

func TestMaker_goesOnWhereItWasStopped(t *testing.T) {
	testsize.Medium(t)
	m := quick(t)
	ctx := context.Background()
	var whole bytes.Buffer
	none := func(int) {}
	h := holding(t, nil)
	for _, err := range []error{m.plays(ctx, "backgame", h, 4, &whole, none), m.cubes(ctx, kind{tag: "natural", cube: true}, h, 2, &whole, none)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "t.jsonl")
	f, err := Open(path, true)
	if err != nil || len(f.have) != 0 {
		t.Fatal(f, err)
	}
	stopped := errors.New("stopped")
	if err := m.plays(ctx, "backgame", holding(t, nil), 4, &failing{f.file, 2, stopped}, none); !errors.Is(err, stopped) {
		t.Fatal(err)
	}
	if _, err := f.file.WriteString(`{"tag":"backgame","posi`); err != nil { // a kill in the middle of a line
		t.Fatal(err)
	}
	f.Close()
	if _, err := Load(path); !errors.Is(err, ErrBadTruth) || !strings.Contains(err.Error(), "line 3: bad truth file: cut off") {
		t.Errorf("measured on: %v", err)
	}
	if f, err = Open(path, true); err != nil || len(f.have) != 2 {
		t.Fatalf("%v, %v", f, err)
	}
	defer f.Close()
	h = holding(t, f.have)
	for _, err := range []error{m.plays(ctx, "backgame", h, 4, f.file, none), m.cubes(ctx, kind{tag: "natural", cube: true}, h, 2, f.file, none)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole.String(), string(got)); d != "" {
		t.Errorf("made in two runs and in one (-one +two):\n%s", d)
	}
	ds, err := parseWhole(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range ds {
		if d.Reserved != (i%2 == 1) {
			t.Errorf("decision %d is reserved: %v", i, d.Reserved)
		}
		rolled := 0
		for _, p := range d.Plays {
			if p.Trials > 0 {
				rolled++
			}
		}
		if d.Cube == nil && (rolled < 2 || rolled > most || d.Truncate != 6) {
			t.Errorf("decision %d: %d plays rolled out for %d plies", i, rolled, d.Truncate)
		}
	}
}

func holding(t *testing.T, ds []Reference) *held {
	t.Helper()
	h, err := newHeld(ds)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestMake_drawsNothingTwice: decisions of a set, under another tag too, are skipped when drawn
// again, and others replace them; the file stays readable.
func TestMake_drawsNothingTwice(t *testing.T) {
	m := quick(t)
	path, before := made(t, m) // three of natural play, one of the cube
	for i := range before[:2] {
		before[i].Tag = "opening"
	}
	before[3].Tag = "holding"
	var lines []byte
	for i := range before {
		line, err := jsonlines.Line(&before[i])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line...)
	}
	if err := os.WriteFile(path, lines, 0o644); err != nil {
		t.Fatal(err)
	}
	if done, err := run(t, t.Context(), m, path, Ask{Counts: "natural=3", Cubes: "natural=1"}); err != nil || done != 3 {
		t.Fatal(done, err)
	}
	ds, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if h := holding(t, ds); len(ds) != 7 || h.count[kind{tag: "natural"}] != 3 || h.count[kind{tag: "natural", cube: true}] != 1 {
		t.Errorf("%d decisions, %v", len(ds), h.count)
	}
}

// Decisions under the Jacoby rule are counted apart, read back with the rule, and have a centred cube.
func TestMaker_jacoby(t *testing.T) {
	m := quick(t)
	var out bytes.Buffer
	of := kind{"natural", true, true}
	h := holding(t, nil)
	if err := m.cubes(context.Background(), of, h, 1, &out, func(int) {}); err != nil {
		t.Fatal(err)
	}
	ds, err := parseWhole(&out)
	if err != nil || len(ds) != 1 || holding(t, ds).count[of] != 1 {
		t.Fatalf("%+v, %v", ds, err)
	}
	if st, err := ds[0].Cube.State(); err != nil || st != match.Money(true, 0) {
		t.Errorf("%+v, %v", st, err)
	}
	list, err := parseCounts("", "", "natural=5")
	if err != nil || len(list) != 1 || list[0] != (wanted{of, 5}) {
		t.Errorf("%+v, %v", list, err)
	}
}

func question(p board.Position, d board.Dice) string { return fmt.Sprint(p.ID(), d.Sorted()) }

// failing writes so many lines and then fails.
type failing struct {
	f    *os.File
	left int
	err  error
}

func (w *failing) Write(b []byte) (int, error) {
	if w.left == 0 {
		return 0, w.err
	}
	w.left--
	return w.f.Write(b)
}

func TestCube_Loss(t *testing.T) {
	for _, c := range []struct {
		nd, dt           float64
		double, take     bool
		doubling, taking float64
	}{
		{0.5, 0.6, true, true, 0, 0},
		{0.5, 0.6, false, false, 0.1, 0.4},
		{0.9, 1.2, true, false, 0, 0},
		{0.9, 1.2, false, true, 0.1, 0.2},
		{1.3, 1.5, true, false, 0.3, 0}, // too good
		{0.2, -0.1, true, true, 0.3, 0},
	} {
		d, k := (&Cube{NoDouble: Value{Equity: c.nd}, DoubleTake: Value{Equity: c.dt}}).Loss(c.double, c.take)
		if math.Abs(d-c.doubling) > 1e-9 || math.Abs(k-c.taking) > 1e-9 {
			t.Errorf("%+v: %v and %v", c, d, k)
		}
	}
}

func TestLosses_ofTheEngineItself(t *testing.T) {
	all, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	m := quick(t)
	for _, reserved := range []bool{false, true} {
		ds, err := Plays(all, reserved)
		if err != nil {
			t.Fatal(err)
		}
		ds = ds[:min(len(ds), 40)]
		best := map[string]board.Key{}
		for _, d := range ds {
			best[question(d.Position, d.Dice)] = d.Candidates[0].Key
		}
		perfect := func(p board.Position, d board.Dice) (board.Play, bool, error) {
			for _, play := range board.AppendPlays(nil, p, d) {
				if play.Result.Swap().Key() == best[question(p, d)] {
					return play, true, nil
				}
			}
			t.Errorf("%s %v: the best play is not legal", p.ID(), d)
			return board.Play{}, false, nil
		}
		sum := func(choose Chooser) (total float64) {
			losses, err := Losses(t.Context(), ds, func() Chooser { return choose }, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range losses {
				total += l
			}
			return total / float64(max(len(ds), 1))
		}
		if l := sum(perfect); l != 0 {
			t.Errorf("the best plays lose %v", l)
		}
		if l := sum(ByPreset(context.Background(), m.Engine, preset.Preset{})); !(l >= 0 && l < 40) {
			t.Errorf("static play loses %v millipoints a decision", l)
		}
		cubes, err := CubeLosses(all, reserved, func(p board.Position, st match.State) (bool, bool, error) {
			if err := st.Validate(); err != nil {
				return false, false, err
			}
			return false, true, nil
		})
		if err != nil || len(cubes) > 0 && cubes[0].Tag != "all" {
			t.Errorf("%+v, %v", cubes, err)
		}
	}
}

func TestParse_namesTheLine(t *testing.T) {
	good := `{"tag":"natural","position":"4HPwATDgc/ABMA","dice":"31","plays":[{"after":"sGfwATDgc/ABMA","equity":0.1}]}` + "\n"
	for name, bad := range map[string]string{
		"no json":         "hello\n",
		"unknown tag":     strings.Replace(good, "natural", "nosuch", 1),
		"bad position":    strings.Replace(good, "4HPw", "!!!!", 1),
		"bad dice":        strings.Replace(good, `"31"`, `"71"`, 1),
		"one die":         strings.Replace(good, `"31"`, `"3"`, 1),
		"no choice":       `{"tag":"natural","position":"4HPwATDgc/ABMA"}` + "\n",
		"huge equity":     strings.Replace(good, "0.1", "1e9", 1),
		"negative error":  strings.Replace(good, "0.1", `0.1,"se":-1`, 1),
		"best not first":  strings.Replace(good, "}]", `},{"after":"4HPiASjgc/ABMA","equity":0.2}]`, 1),
		"the same play":   strings.Replace(good, "}]", `},{"after":"sGfwATDgc/ABMA","equity":0.1}]`, 1),
		"other dice":      strings.Replace(good, `"31"`, `"65"`, 1),
		"not a play":      strings.Replace(good, `"after":"sGfwATDgc/ABMA"`, `"after":"4HPwATDgc/ABMA"`, 1),
		"game over":       `{"tag":"natural","position":"AAAAAAAAAAAAAA","cube":{"value":1}}` + "\n",
		"asked before":    strings.Replace(strings.Replace(good, "natural", "opening", 1), `"31"`, `"13"`, 1),
		"cube of 3":       `{"tag":"natural","position":"4HPwATDgc/ABMA","cube":{"value":3}}` + "\n",
		"score beyond it": `{"tag":"natural","position":"4HPwATDgc/ABMA","cube":{"value":1,"length":3,"score":[3,0]}}` + "\n",
		"an endless line": strings.Repeat("x", 1<<16+5),
	} {
		_, err := parseWhole(strings.NewReader(good + bad))
		if !errors.Is(err, ErrBadTruth) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: error %v, want one that names line 2", name, err)
		}
	}
	cube := `{"tag":"natural","position":"4HPwATDgc/ABMA","cube":{"value":1,"length":3,"score":[1,0],"no_double":{"equity":1}}}` + "\n"
	if ds, err := parseWhole(strings.NewReader(cube + good + strings.Replace(cube, "[1,0]", "[0,1]", 1))); err != nil || len(ds) != 3 {
		t.Errorf("one position asked thrice, otherwise each time: %d decisions, %v", len(ds), err)
	}
	if _, err := parseWhole(strings.NewReader(cube + good + cube)); err == nil || !strings.Contains(err.Error(), "line 3: bad truth file: the decision of line 1 again") {
		t.Errorf("a cube asked twice: %v", err)
	}
	ds, size, rest, err := parse(strings.NewReader(good + strings.TrimSuffix(good, "\n")))
	if err != nil || len(ds) != 1 || size != int64(len(good)) || len(rest) != len(good)-1 {
		t.Errorf("a cut off line: %d decisions in %d bytes, %d more, %v", len(ds), size, len(rest), err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"tag":"natural","position":"4HPwATDgc/ABMA","dice":"31","plays":[{"after":"sGfwATDgc/ABMA","equity":0.1}]}` + "\n"))
	f.Add([]byte(`{"tag":"natural","position":"4HPwATDgc/ABMA","cube":{"value":1,"length":3,"score":[1,0],"no_double":{"equity":1}}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		ds, err := parseWhole(bytes.NewReader(data))
		if err != nil {
			if !errors.Is(err, ErrBadTruth) {
				t.Fatalf("error %v wraps no sentinel", err)
			}
			return
		}
		if _, err := Plays(ds, false); err != nil {
			t.Fatal(err)
		}
		if _, err := CubeLosses(ds, false, func(board.Position, match.State) (bool, bool, error) { return true, true, nil }); err != nil {
			t.Fatal(err)
		}
	})
}
