package main

import (
	"encoding/json"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// TestBenchCube_withoutGnubg: a missing gnubg that the user did not ask for is not mentioned, and a
// bad value of --bearoffs is one line.
func TestBenchCube_withoutGnubg(t *testing.T) {
	testsize.Medium(t)
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		line   string
		status int
		want   string // within the one line on stderr; empty for no line
	}{
		{"cube", cmdline.ExitDone, ""},
		{"cube --gnubg-plies 4", cmdline.ExitUsage, `--gnubg-plies: 4 is not between -1 and 3`},
		{"cube --bearoffs -5", cmdline.ExitUsage, `--bearoffs: -5 is not between 0 and 10000`},
		{"cube --bearoffs 10001", cmdline.ExitUsage, "10001 is not between 0 and 10000"},
	} {
		args := append([]string{"bench"}, strings.Fields(c.line)...)
		if !strings.Contains(c.line, "--bearoffs") {
			args = append(args, "--bearoffs", "2")
		}
		code, _, errOut := here(t, append(args, "--preset", "beginner", "--seed", "1")...)
		if code != c.status || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != min(len(c.want), 1) || strings.Contains(errOut, "teacher failed") {
			t.Errorf("%s: status %d, %q, want %q", c.line, code, errOut, c.want)
		}
	}
}

// TestBenchNets_flagsThatAreNotLookedAt: flags without effect are refused by name, with --truth and
// without it.
func TestBenchNets_flagsThatAreNotLookedAt(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"nets --plies 2", "--plies: needs --truth"},
		{"nets --truth-file t.jsonl", "--truth-file: needs --truth"},
		{"nets --release", "--release: needs --truth"},
		{"nets --preset expert", "--preset: needs --truth"},
		{"nets --noise 0.1", "--noise: needs --truth"},
		{"nets --filter tiny", "--filter: needs --truth"},
		{"nets --config bot.yaml", "--config: needs --truth"},
		{"nets --gnubg-plies 1", "--gnubg-plies: needs --truth"},
		{"cube --cubeless", "--cubeless: without the cube"},
		{"nets --weights none", "none"},
		{"nets --truth --truth-file=", "--truth-file: the value is empty"},
		{"cube --truth-file=", "--truth-file: the value is empty"},
		{"cube --bearoffs 20 --release", "--bearoffs draws decisions and goes with neither"},
	} {
		code, out, errOut := here(t, append([]string{"bench"}, strings.Fields(c.line)...)...)
		if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: status %d, %q%q, want one line about %q", c.line, code, out, errOut, c.want)
		}
	}
}

// TestBenchTruth_json names what was measured, and nothing of an absent gnubg.
func TestBenchTruth_json(t *testing.T) {
	testsize.Medium(t)
	for line, want := range map[string]string{
		"nets --truth --weights ../../weights/fibsbot.weights": `{"weights":"../../weights/fibsbot.weights","preset":"expert","plies":0}`,
		"nets --truth": `{"preset":"expert","plies":0,"filter":"lean","half":"open"}`,
		"cube --bearoffs 2 --seed 0 --bearoff-dir .": `{"seed":0,"bearoff_dir":"."}`,
		"cube --bearoffs 2":                          `{"preset":"beginner","plies":0,"seed":7,"bearoffs":2}`,
	} {
		args := append([]string{"bench"}, strings.Fields(line)...)
		if strings.HasPrefix(line, "cube") {
			args = append(args, "--preset", "beginner")
		}
		if !strings.Contains(line, "--seed") {
			args = append(args, "--seed", "7")
		}
		code, out, errOut := here(t, append(args, "--gnubg-plies", "-1", "--json")...)
		var got, fields map[string]any
		if code != cmdline.ExitDone || json.Unmarshal([]byte(out), &got) != nil || json.Unmarshal([]byte(want), &fields) != nil {
			t.Fatalf("%s: status %d, %s%s", line, code, out, errOut)
		}
		for name, value := range fields {
			if got[name] != value {
				t.Errorf("%s: %s is %v, want %v", line, name, got[name], value)
			}
		}
		if nets, _ := got["nets"].(string); nets == "" || strings.Contains(out, "gnubg") {
			t.Errorf("%s: %.400s", line, out)
		}
	}
}

// TestBenchCube_expert: at 0 plies the learned efficiency keeps the losses of doubling well below the 7 millipoints
// of one efficiency for all positions, over both halves of the set.
func TestBenchCube_expert(t *testing.T) {
	testsize.Medium(t)
	decisions, doubling, taking := 0, 0.0, 0.0
	for _, half := range [][]string{nil, {"--release"}} {
		code, out, errOut := here(t, append([]string{"bench", "cube", "--preset", "expert", "--gnubg-plies", "-1", "--json"}, half...)...)
		if code != cmdline.ExitDone {
			t.Fatalf("status %d, %s", code, errOut)
		}
		var r struct {
			Ours []struct {
				Tag       string  `json:"tag"`
				Decisions int     `json:"decisions"`
				Doubling  float64 `json:"doubling_millipoints"`
				Taking    float64 `json:"taking_millipoints"`
			} `json:"ours"`
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, l := range r.Ours {
			seen[l.Tag] = true
			if l.Tag == "all" {
				decisions += l.Decisions
				doubling += l.Doubling * float64(l.Decisions)
				taking += l.Taking * float64(l.Decisions)
			}
		}
		for _, tag := range []string{"all", "money", "jacoby", "matches"} {
			if !seen[tag] {
				t.Errorf("no decisions of %s %v", tag, half)
			}
		}
	}
	if n := float64(decisions); !(doubling/n <= 5.5 && taking/n <= 3) {
		t.Errorf("%d decisions lose %.2f by doubling, %.2f by taking", decisions, doubling/n, taking/n)
	}
}
