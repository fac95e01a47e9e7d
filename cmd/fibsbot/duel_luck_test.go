package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/duel"
	"fibsbot/internal/testsize"
)

func TestDuelLuck_json(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string // keys that must be there
		not  string // and that must not
	}{
		{[]string{"--games", "2", "--vr"}, "luck_adjusted luck_adjusted_stderr", "win_rate win_rate_adjusted matches"},
		{[]string{"--matches", "2", "--length", "1", "--vr"}, "luck_adjusted luck_adjusted_stderr win_rate win_rate_stderr win_rate_adjusted win_rate_adjusted_stderr matches", ""},
		{[]string{"--games", "2", "--differences", "--trials", "1"}, "edge edge_stderr differ", "luck_adjusted"},
		{[]string{"--games", "2"}, "games ppg stderr games_per_s a b seed", "luck_adjusted luck_adjusted_stderr win_rate_adjusted edge differ"},
	} {
		code, out, errOut := command(t, "", append([]string{"duel", "expert", "advanced", "--json"}, c.args...)...)
		if code != 0 {
			t.Fatalf("%q: status %d: %s", c.args, code, errOut)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		for _, key := range strings.Fields(c.want) {
			if _, ok := got[key]; !ok {
				t.Errorf("%q: no %s in %s", c.args, key, out)
			}
		}
		for _, key := range strings.Fields(c.not) {
			if _, ok := got[key]; ok {
				t.Errorf("%q: %s in %s", c.args, key, out)
			}
		}
	}
}

func TestDuelLog_goesOn(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "duel.jsonl")
	play := func(games int, more ...string) (out duel.Result, errOut string, code int) {
		t.Helper()
		args := append([]string{"duel", "expert", "advanced", "--json", "--vr", "--jobs", "2", "--games", fmt.Sprint(games)}, more...)
		code, text, errOut := plainly(t, args...)
		if code == 0 {
			if err := json.Unmarshal([]byte(text), &out); err != nil {
				t.Fatal(err)
			}
		}
		out.GamesPerS = 0
		return out, errOut, code
	}
	want, _, _ := play(6)
	play(4, "--log", path)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(whole), "\n"); n != 3 {
		t.Fatalf("%d lines after 2 pairs:\n%s", n, whole)
	}
	// A kill in the middle of a line costs that pair.
	if err := os.WriteFile(path, whole[:len(whole)-7], 0o644); err != nil {
		t.Fatal(err)
	}
	got, errOut, code := play(6, "--log", path)
	if code != 0 {
		t.Fatal(errOut)
	}
	for _, p := range [][2]*float64{{got.LuckAdjusted, want.LuckAdjusted}, {got.LuckAdjustedStderr, want.LuckAdjustedStderr}, {&got.PPG, &want.PPG}} {
		if *p[0] != *p[1] {
			t.Errorf("gone on: %v, at one go: %v", *p[0], *p[1])
		}
	}
	if got.Games != want.Games {
		t.Errorf("%d games, want %d", got.Games, want.Games)
	}
	before, _ := os.ReadFile(path)
	for _, other := range [][]string{{"--seed", "2"}, {"--plies", "1"}, {"--vr-plies", "1"}, {"--jacoby"}, {"--differences"}} {
		_, errOut, code := play(6, append(other, "--log", path)...)
		field := strings.NewReplacer("--", "", "-", "_", "differences", "trials").Replace(other[0])
		if code != cmdline.ExitUsage || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, path+": a log of another duel or engine: ") || !strings.Contains(errOut, field) ||
			!strings.Contains(errOut, " there, ") || strings.Contains(errOut, "signature") {
			t.Errorf("%q: status %d, %s", other, code, errOut)
		}
	}
	// The usual table by its name is the usual table.
	if _, errOut, code := play(6, "--met", "Kazaross-XG2", "--log", path); code != 0 {
		t.Error(errOut)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("a refused duel has changed the log")
	}
}
