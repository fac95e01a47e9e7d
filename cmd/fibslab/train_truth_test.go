package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/internal/cmdline"
)

// TestTrainTruth_badInput is refused in one line before anything is made.
func TestTrainTruth_badInput(t *testing.T) {
	t.Chdir(t.TempDir())
	damaged := `{"tag":"natural","position":"4HPwATDgc/ABMA","dice":"65","plays":[{"after":"sGfwATDgc/ABMA","equity":0.1}]}` + "\n"
	for name, text := range map[string]string{"damaged.jsonl": damaged, "held.jsonl": ""} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	held, err := reference.Open("held.jsonl", false)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for _, c := range []struct{ line, want string }{
		{"damaged.jsonl --extend 0,1", "damaged.jsonl, line 1: bad truth file: play 1: no play of 65 in "},
		{"damaged.jsonl", "damaged.jsonl, line 1"},
		{"held.jsonl", "held.jsonl: locked by another program"},
		{"t.jsonl --counts natural=3,bogus=1", `--counts: bad list of decisions: "bogus=1"`},
		{"t.jsonl --counts natural=3 --cubes nothere=1", `--cubes: bad list of decisions: "nothere=1"`},
		{"t.jsonl --extend=", "--extend: the value is empty"},
		{"t.jsonl --extend 5", `--extend: bad list of players: "5" plies are not 0 to 4`},
		{"t.jsonl --disputed 0", "--disputed: bad list of players: one player differs from no one (name two)"},
		{"t.jsonl --extend 0 --disputed 0,1", "--disputed: does not go with --extend"},
		{"t.jsonl --extend 0 --counts natural=3", "--counts: does not go with --extend"},
	} {
		code, out, errOut := here(t, append([]string{"train", "truth"}, strings.Fields(c.line)...)...)
		if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: status %d, %q%q, want one line about %q", c.line, code, out, errOut, c.want)
		}
	}
	if left, _ := filepath.Glob("t.*"); len(left) != 0 {
		t.Errorf("%q was begun", left)
	}
}

// TestTrainTruth_saysWhatWasDone in a line on stderr.
func TestTrainTruth_saysWhatWasDone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	for _, c := range []struct{ line, want string }{
		{"--counts natural=1 --cubes= --jacoby=", ": 1 decision rolled out"},
		{"--counts natural=1 --cubes= --jacoby=", ": 0 decisions rolled out"},
		{"--extend 0,beginner", " rolled out"},
	} {
		args := []string{"train", "truth", path, "--truncate", "2"}
		if !strings.Contains(c.line, "--trials") {
			args = append(args, "--trials", "36")
		}
		code, _, errOut := here(t, append(args, strings.Fields(c.line)...)...)
		if code != cmdline.ExitDone || !strings.HasPrefix(errOut, "fibslab: "+path+": ") || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %q, want %q", c.line, code, errOut, c.want)
		}
	}
}
