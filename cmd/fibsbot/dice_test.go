package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/dice"
)

// The rolls that dice prints are a dice file, the same for the same seed, and md5's are
// those that gnubg throws.
func TestDice(t *testing.T) {
	for _, name := range dice.Names() {
		code, out, errOut := cli(t, "dice", "20", "--rng", name, "--seed", "7")
		if code != cmdline.ExitDone || !strings.HasPrefix(out, "# "+name+", seed 7\n") {
			t.Fatalf("%s: status %d, %q, %s", name, code, out, errOut)
		}
		if digits, err := dice.Read(strings.NewReader(out)); err != nil || len(digits) != 40 {
			t.Errorf("%s: %q as a dice file: %v", name, digits, err)
		}
		if name == "md5" && !strings.HasPrefix(out, "# md5, seed 7\n14\n15\n21\n13\n") {
			t.Errorf("md5 throws %q", out)
		}
		code, text, _ := cli(t, "dice", "20", "--rng", name, "--seed", "7", "--json")
		var got struct {
			RNG   string   `json:"rng"`
			Seed  uint64   `json:"seed"`
			Rolls [][2]int `json:"rolls"`
		}
		if err := json.Unmarshal([]byte(text), &got); code != cmdline.ExitDone || err != nil || got.RNG != name || got.Seed != 7 || len(got.Rolls) != 20 {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	if _, out, _ := cli(t, "dice"); strings.Count(out, "\n") != 2 {
		t.Errorf("one roll: %q", out)
	}
	for _, bad := range []string{"0", "x", "100001"} {
		if code, _, errOut := cli(t, "dice", bad); code != cmdline.ExitUsage || !strings.Contains(errOut, "between 1 and 100000") {
			t.Errorf("%s: status %d, %s", bad, code, errOut)
		}
	}
}

// Flags, completion and docs name every generator.
func TestDice_generatorsEverywhere(t *testing.T) {
	page, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, completed, _ := cli(t, "__complete", "rollout", "--rng", "x")
	_, help, _ := cli(t, "duel", "--help")
	_, _, refused := cli(t, "play", "--rng", "coin")
	for _, name := range dice.Names() {
		if !strings.Contains(string(page), "| `"+name+"` |") || !strings.Contains(completed, name+"\n") || !strings.Contains(help, name) || !strings.Contains(refused, name) {
			t.Errorf("%s is missing in docs/rules.md, in the completion of --rng, in a help text or in a refusal", name)
		}
	}
}
