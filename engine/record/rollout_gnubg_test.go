package record_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/sgf"
)

// TestRollout_gnubgReads: rollouts of programs that state equities, as XG does, are in an
// .sgf as gnubg sums them up: it shows the same equities, errors and chances, in a match too,
// and whether or not the program told its settings.
func TestRollout_gnubgReads(t *testing.T) {
	dir := t.TempDir()
	commands := "set confirm new off\nset confirm save off\n"
	settings := (&sgf.Context{Cubeful: true, VarianceReduction: true, Balanced: true, Generator: "eXtreme Gammon", Seed: 77}).String()
	var files []string
	for _, length := range []int{0, 5} {
		for _, how := range []string{settings, ""} {
			st := match.State{Length: length, Cube: 1}
			play := func(equity, off float64, win float64, steps ...board.Step) record.Candidate {
				c := record.Candidate{Steps: steps, Outcome: record.Outcome{Probs: [5]float64{win, 0.14, 0.01, 0.12, 0.005}, Cubeful: equity, Cubeless: 0.02},
					Score: [2]float64{equity, 0.02}, Rollout: &record.Rollout{Trials: 1296, Settings: how}}
				c.Rollout.Sum(st, equity, off)
				return c
			}
			m := &record.Match{Length: length, Rules: record.Rules{Crawford: length > 0}, Players: [2]record.Player{{Name: "ann"}, {Name: "bob"}}}
			first := record.Action{Kind: record.Move, Dice: board.Dice{A: 3, B: 1}, Steps: []board.Step{{From: 7, To: 4}, {From: 5, To: 4}}}
			first.Analysis = &record.Analysis{Candidates: []record.Candidate{play(0.1625, 0.0031, 0.5537, first.Steps...), play(-0.0125, 0.0042, 0.5111, board.Step{From: 23, To: 20}, board.Step{From: 5, To: 4})}}
			m.Games = []record.Game{{Cube: 1, Actions: []record.Action{first}}}
			in := filepath.Join(dir, fmt.Sprintf("m%d.sgf", len(files)))
			var b bytes.Buffer
			if err := sgf.Write(&b, m); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(in, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			files = append(files, in+".txt")
			commands += fmt.Sprintf("load match %s\nexport match text %s.txt\n", in, in)
		}
	}
	printed := recordtest.RunGnubg(t, commands)
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		want := []string{"Rollout          8/5 6/5                      Eq.: +0.162", "0.554 0.140 0.010", "0.511 0.140 0.010", "Eq.: -0.013 (-0.175)", "1296 games"}
		if i%2 == 0 { // told as cubeful
			want = append(want, "CF +0.162", "CF -0.01", "CF  0.003", "CF  0.004")
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("file %d: gnubg does not show %q in\n%.3000s", i, w, text)
			}
		}
	}
}
