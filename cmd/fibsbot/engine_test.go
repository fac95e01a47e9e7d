package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/advice"
	"fibsbot/internal/testsize"
)

const startID = "4HPwATDgc/ABMA"

// command runs the program with the given input.
func command(t testing.TB, in string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

func TestEngine_lineProtocol(t *testing.T) {
	testsize.Medium(t)
	requests := []struct{ ask, want string }{
		{"hello 1", "ok fibsbot cube"},
		{"pos 4HPwATDgc/ABMA 3 1", "sGfwATDgc/ABMA"},
		{"move 4HPwATDgc/ABMA 3 1 1 -1 7 2 4 0 0", "sGfwATDgc/ABMA"},
		{"cube 4HPwATDgc/ABMA 1 -1 7 2 4 0 0", "roll"},
		{"take 4HPwATDgc/ABMA 1 -1 7 2 4 0 0", "take"},
		{"set preset worldclass", "ok"},
		{"set plies 0", "ok"},
		{"set noise 0", "ok"},
		{"set filter narrow", "ok"},
		{"set cubeful 1", "ok"},
		{"set threads 1", "ok"},
		{"set seed 12", "ok"},
		{"pos 4HPwATDgc/ABMA 1 3", "sGfwATDgc/ABMA"},
		// Closed out: the board stays, the turn passes.
		{"pos 2+4OAADgc/ABUA 6 6", ""},
	}
	var in strings.Builder
	in.WriteString("# a comment\n\n")
	for _, r := range requests {
		in.WriteString(r.ask + "\n")
	}
	in.WriteString("quit\nhello 1\n")
	code, out, errOut := command(t, in.String(), "engine", "--preset", "expert", "--threads", "1")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != 0 || errOut != "" || len(lines) != len(requests) {
		t.Fatalf("status %d, stderr %q, %d answers for %d requests:\n%s", code, errOut, len(lines), len(requests), out)
	}
	for i, r := range requests {
		if r.want != "" && lines[i] != r.want {
			t.Errorf("%s: %q, want %q", r.ask, lines[i], r.want)
		}
	}
}

func TestEngine_tooLongLine(t *testing.T) {
	code, out, _ := command(t, strings.Repeat("x", 3*4096)+"\nhello 1\n", "engine")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 2 || !strings.HasPrefix(lines[0], "error ") || lines[1] != "ok fibsbot cube" {
		t.Errorf("status %d, %q", code, out)
	}
}

func TestEngine_evalAndCubeinfo(t *testing.T) {
	_, out, _ := command(t, "eval "+startID+"\ncubeinfo "+startID+" 1 -1 0 0 0 0 0\n", "engine")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var v [6]float64
	if _, err := fmt.Sscan(lines[0], &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]); err != nil {
		t.Fatalf("%q: %v", lines[0], err)
	}
	if v[0] < 0.5 || v[0] > 0.55 || v[5] < 0 || v[5] > 0.15 {
		t.Errorf("the start is worth %v", v)
	}
	if !strings.HasPrefix(lines[1], "no_double_take ") || !strings.HasSuffix(lines[1], " 1.000000") {
		t.Errorf("cubeinfo: %q", lines[1])
	}
}

func TestEval_json(t *testing.T) {
	testsize.Medium(t)
	code, out, errOut := command(t, "", "eval", startID+":cAkAAAAAAAAA", "--plies", "1", "--json")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"position_id", "match_id", "class", "probs", "cubeless_equity", "cubeful_equity", "plies", "cube"} {
		if _, ok := v[key]; !ok {
			t.Errorf("no %q in %s", key, out)
		}
	}
	c, _ := v["cube"].(map[string]any)
	for _, key := range []string{"action", "no_double", "double_take", "double_pass"} {
		if _, ok := c[key]; !ok {
			t.Errorf("no cube.%q in %s", key, out)
		}
	}
	if v["class"] != "contact" || v["plies"] != 1.0 || c["double_pass"] != 1.0 {
		t.Errorf("%s", out)
	}
	// The opponent owns the cube: there is no decision.
	_, out, _ = command(t, "", "eval", "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10", "--preset", "expert", "--json")
	if !strings.Contains(out, `"cube": null`) {
		t.Errorf("opponent's cube: %s", out)
	}
}

func TestHint_json(t *testing.T) {
	testsize.Medium(t)
	code, out, errOut := command(t, "", "hint", startID, "--dice", "13", "--preset", "expert", "--json")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var h advice.Plays
	if err := json.Unmarshal([]byte(out), &h); err != nil {
		t.Fatal(err)
	}
	if h.Dice != [2]int{3, 1} || len(h.Moves) != 16 || h.Moves[0].Move != "8/5 6/5" || h.Moves[0].ResultID != "sGfwATDgc/ABMA" ||
		h.Moves[0].Rank != 1 || h.Moves[0].Diff != 0 || h.Moves[1].Diff >= 0 {
		t.Errorf("%+v", h)
	}
	_, out, _ = command(t, "", "hint", startID, "--preset", "expert")
	if !strings.Contains(out, "Best: No double") {
		t.Errorf("cube hint: %s", out)
	}
	line := "board:me:opp:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
	code, out, errOut = command(t, "", "hint", line, "--preset", "expert")
	if code != 0 || !strings.Contains(out, "8/5 6/5") {
		t.Errorf("board line: status %d, %s%s", code, out, errOut)
	}
}

func TestCommands_badInputIsOneLineAndStatus2(t *testing.T) {
	testsize.Medium(t)
	for _, args := range [][]string{
		{"eval"}, {"eval", "nonsense"}, {"eval", "4HPwATDgc/ABM"}, {"eval", startID, "--plies", "7"},
		{"eval", startID, "--preset", "godlike"}, {"eval", startID, "--noise", "3"}, {"eval", startID, "--weights", "/no/such/file"},
		{"hint", startID, "--dice", "71"}, {"hint", startID, "--filter", "wide"}, {"hint", startID, "--max", "-1"},
		{"hint", "board:x"}, {"engine", "extra"}, {"engine", "--listen", "no such address"}, {"engine", "--threads", "-2"},
		{"duel", "expert"}, {"duel", "expert", "nobody"}, {"duel", "expert", "cmd:"}, {"duel", "expert", "cmd:/no/such/engine"},
		{"duel", "expert", "expert", "--games", "0"}, {"duel", "expert", "expert", "--games", "2", "--matches", "2"},
		{"duel", "expert", "expert", "--length", "100"}, {"bench", "--seconds", "0"}, {"bench", "--cache-mb", "-1"},
		{"bearoff", "nosuch"}, {"completion", "tcsh"}, {"eval", startID, "--bearoff-dir", "/no/such/folder"},
	} {
		code, out, errOut := command(t, "", args...)
		if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, code, out, errOut)
		}
	}
}

// The one line names the flag or argument that is wrong.
func TestCommands_badInputIsNamed(t *testing.T) {
	testsize.Medium(t)
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"rollout", startID, "--trials", "0"}, "--trials: 0"},
		{[]string{"rollout", startID, "--truncate", "-1"}, "--truncate: -1"},
		{[]string{"rollout", startID, "--late-ply", "-1"}, "--late-ply: -1"},
		{[]string{"rollout", startID, "--min-trials", "-1"}, "--min-trials: -1"},
		{[]string{"rollout", startID, "--stop-stderr", "-1"}, "--stop-stderr: -1"},
		{[]string{"rollout", startID, "--stop-jsd", "NaN"}, "--stop-jsd: NaN"},
		{[]string{"rollout", startID, "--initial", "--dice", "31"}, "--initial: does not go with"},
		{[]string{"rollout", startID, "--initial", "--cube"}, "--initial: does not go with"},
		{[]string{"bench", "--seconds", "0"}, "--seconds: 0 is not a time"},
		{[]string{"demo", "--preset", "godlike"}, "--preset: "},
		{[]string{"bearoff", "show", "nonsense"}, "POSITION: "},
		{[]string{"bearoff", "show", "2x0AAOi2AQAAAA", "--bearoff-dir", "nosuch"}, "--bearoff-dir: nosuch: no such file"},
		{[]string{"duel", "expert", "expert", "--games", "2", "--length", "3"}, "--length"},
		{[]string{"analyse", "engine_test.go"}, "engine_test.go: not a match file"},
	} {
		code, out, errOut := command(t, "", tc.args...)
		if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, tc.want) {
			t.Errorf("%q: status %d, stdout %q, stderr %q; want one line about %q", tc.args, code, out, errOut, tc.want)
		}
	}
}

// --preset takes a preset of the configuration, in every command that has it.
func TestPreset_ofTheConfiguration(t *testing.T) {
	testsize.Medium(t)
	t.Chdir(t.TempDir())
	text := "presets: {club: {base: beginner, checker: {plies: 1, noise: 0, filter: huge}}}\n"
	for file, name := range map[string]string{"bot.yaml": "club", "other.yaml": "other"} {
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "club", name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		args []string
		in   string
		code int
		want string
	}{
		{[]string{"hint", startID, "--dice", "31", "--preset", "club"}, "", cmdline.ExitDone, "1-ply"},
		{[]string{"hint", startID, "--dice", "31", "--preset", "other", "-c", "other.yaml"}, "", cmdline.ExitDone, "1-ply"},
		{[]string{"hint", startID, "--dice", "31", "--preset", "other"}, "", cmdline.ExitUsage, "--preset: unknown preset \"other\" (use beginner, casual, intermediate, advanced, expert, worldclass, supremo, champion, grandmaster, legend, club"},
		{[]string{"hint", startID, "--dice", "31", "--preset", "club", "-c", "none.yaml"}, "", cmdline.ExitUsage, "none.yaml"},
		{[]string{"rollout", startID, "--late-preset", "clib"}, "", cmdline.ExitUsage, "--late-preset: unknown preset"},
		{[]string{"rollout", startID, "--preset", "club", "--trials", "1", "--truncate", "1", "--late-ply", "1", "--late-preset", "club"}, "", cmdline.ExitDone, "position"},
		{[]string{"engine"}, "set preset club\nset preset clib\n", cmdline.ExitDone, "ok\nerror preset: unknown preset"},
		{[]string{"demo", "--fast", "--length", "1", "--preset", "club"}, "", cmdline.ExitDone, "in a 1-point match"},
	} {
		code, out, errOut := command(t, tc.in, tc.args...)
		if code != tc.code || !strings.Contains(out+errOut, tc.want) {
			t.Errorf("%q: status %d, stdout %q, stderr %q; want %d and %q", tc.args, code, out, errOut, tc.code, tc.want)
		}
	}
}
