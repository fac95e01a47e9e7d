package demo

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/formats"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

// The judge at a bot's own preset finds no error in its matches, whatever the server counts for a
// pass. FIBSBOT_JUDGED plays that many matches of each protocol at expert, and ten at each other
// preset that errs on purpose in nothing and rolls nothing out.
func TestJudge_findsNoErrorOfItsOwn(t *testing.T) {
	testsize.Large(t)
	for _, p := range Protocols() {
		for _, pr := range preset.All() {
			n := 10
			switch heavy := os.Getenv("FIBSBOT_JUDGED"); {
			case pr.Close.Any() || pr.Checker.Noise > 0:
				continue
			case heavy != "" && pr.Checker.Plies == 0:
				var err error
				if n, err = strconv.Atoi(heavy); err != nil {
					t.Fatal("FIBSBOT_JUDGED:", err)
				}
			case heavy == "" && pr.Checker.Plies > 0:
				continue
			}
			t.Run(p+"/"+pr.Name, func(t *testing.T) {
				for k := range 5 { // the bots wait for each other more than they think
					t.Run("", func(t *testing.T) {
						t.Parallel()
						f := Options{Matches: n / 5, Length: 5, Archive: t.TempDir(), Preset: pr.Name, Seed: uint64(1 + k), Fast: true, Protocol: p}
						if err := Run(t.Context(), f, io.Discard, t.Output()); err != nil {
							t.Fatal(err)
						}
						judgeAll(t, f.Archive, pr, n/5)
					})
				}
			})
		}
	}
}

// rounding is what two searches of one position may differ by: the order in which they meet
// positions decides what their caches have.
const rounding = 1e-6

// judgeAll judges the n matches in dir.
func judgeAll(t *testing.T, dir string, pr preset.Preset, n int) {
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	paths, _ := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if len(paths) != n {
		t.Fatalf("%d match files, want %d", len(paths), n)
	}
	judge := analyse.New(e.RolloutOptions(), pr)
	judge.Skip.Luck = true
	for _, path := range paths {
		m := readMatch(t, path)
		for _, f := range formats.Written {
			if !f.Filed {
				continue
			}
			var b bytes.Buffer
			if err := f.Write(&b, m); err != nil {
				t.Fatal(err)
			}
			again, ws, err := f.Read(&b)
			if err != nil || len(again) != 1 || again[0].FinalScore() != m.FinalScore() || again[0].Winner() == record.NoPlayer {
				t.Errorf("%s as %s ends at %v (%v, %v), want %v", filepath.Base(path), f.Name, again[0].FinalScore(), ws, err, m.FinalScore())
			}
		}
		s, err := judge.Analyse(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		decisions := 0
		for _, g := range s.Games {
			for _, d := range g.Decisions {
				if d.Analysed {
					decisions++
				}
				if d.Loss > rounding || d.CubeLoss > rounding {
					t.Errorf("%s, game %d, action %d: %v loses %v, not doubling %v", filepath.Base(path), g.Number+1, d.Turn.Index+1, d.Turn.Action.Kind, d.Loss, d.CubeLoss)
				}
			}
			if r := g.Resignation; r != nil && r.Loss > 0 {
				t.Errorf("%s, game %d: the resignation loses %v", filepath.Base(path), g.Number+1, r.Loss)
			}
		}
		if decisions == 0 {
			t.Errorf("%s: nothing was judged", filepath.Base(path))
		}
	}
}

func readMatch(t *testing.T, path string) *record.Match {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m, _, err := sgf.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
