package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/tournament"
	"fibsbot/internal/testsize"
)

// fieldFile writes the file of a tournament and returns its path.
func fieldFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "field.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTournament plays a gauntlet, keeps its pairs beside the file, and prints it again from there
// in each form.
func TestTournament(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	file := fieldFile(t, "players:\n  - name: expert\n  - {name: weak, plays: beginner}\n  - name: pubeval\nform: gauntlet\npairs: 3\nlength: 1\nseed: 5\n")
	code, out, errOut := command(t, "", "tournament", file, "--json")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var r tournament.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Meetings) != 2 || len(r.Players) != 3 || r.Players[0].Name != "expert" || r.Players[0].Games != 12 || *r.Judge != "expert" || r.Seed != 5 {
		t.Errorf("%+v", r)
	}
	log, err := os.ReadFile(strings.TrimSuffix(file, ".yaml") + ".log")
	if err != nil || strings.Count(string(log), "\n") != 7 {
		t.Errorf("%d lines, %v", strings.Count(string(log), "\n"), err)
	}
	for format, want := range map[string]string{"text": "\nplayer      PR", "markdown": "| 1 | expert |", "csv": "\nexpert,expert,12,", "html": `class="name">expert</td>`} {
		if code, out, errOut := command(t, "", "tournament", file, "--format", format); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s%s", format, code, out, errOut)
		}
	}
	page := filepath.Join(t.TempDir(), "field.html")
	if code, _, errOut := command(t, "", "tournament", file, "--page", page); code != 0 {
		t.Errorf("--page: status %d, %s", code, errOut)
	}
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "<svg") || strings.Contains(string(text), "refresh") {
		t.Errorf("--page: %s, %v", text, err)
	}
	if code, _, errOut := command(t, "", "tournament", file, "--page", filepath.Join(page, "x")); code != cmdline.ExitUsage || !strings.HasPrefix(errOut, "fibsbot: --page: ") {
		t.Errorf("a page that cannot be written: status %d, %s", code, errOut)
	}
	bad := strings.Replace(string(log), `"weak"`, `"strong"`, 1)
	other := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(other, []byte(bad), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := command(t, "", "tournament", file, "--log", other); code != cmdline.ExitUsage || !strings.Contains(errOut, "players is") {
		t.Errorf("another log: status %d, %s", code, errOut)
	}
}

// TestTournament_errors name file, line and field, in one line each.
func TestTournament_errors(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	two := "players: [{name: expert}, {name: beginner}]\n"
	for text, want := range map[string]string{
		"":                          "field.yaml: players: 0 players (want 2 to 64)",
		"players: [{name: expert}]": "field.yaml:1:10: players: 1 players",
		"players: expert":           `field.yaml:1:10: players: "expert" instead of a list`,
		"players:\n  - name: expert\n  - name: hero":                             `field.yaml:3:5: players[1].plays: unknown preset "hero" (use beginner`,
		"players:\n  - name: a\n    plays: expert\n  - {name: a, plays: casual}": `field.yaml:4:12: players[1].name: "a" is taken`,
		"players: [{name: expert}, {name: x, plays: 'ubgi:'}]":                   `players[1].plays: "ubgi:": engine: protocol ubgi needs a command`,
		"players: [{name: expert}, {name: x, plays: 'engine:x'}]":                "players[1].plays: ",
		"players: [{}, {}]":      "players[0].name: want a name",
		two + "pairs: 0":         "field.yaml:2:8: pairs: must be 1 to 1000000",
		two + "form: knockout":   `:2:7: form: unknown value "knockout" (use round-robin, gauntlet)`,
		two + "length: 100":      "length: must be 0 to 99",
		two + "seed: -1":         "seed: must not be negative",
		two + "judge: hero":      `:2:8: judge: unknown preset "hero"`,
		two + "luck: yes":        "luck: unknown key",
		two + "within: never":    "within: ",
		"players: [":             "not valid YAML",
		two + "---\nplayers: []": "a second YAML document",
	} {
		file := fieldFile(t, text)
		code, _, errOut := command(t, "", "tournament", file)
		if code != cmdline.ExitUsage || !strings.Contains(errOut, want) || !strings.Contains(errOut, "field.yaml") || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q: status %d, %s", text, code, errOut)
		}
	}
	file := fieldFile(t, two)
	for _, c := range [][2]string{{"--sprt=1", "--sprt: "}, {"--sprt=0.1,0", "--sprt: "}, {"--sprt=a,b", "--sprt: "}, {"--format=pdf", "--format: "}} {
		if code, _, errOut := command(t, "", "tournament", file, c[0]); code != cmdline.ExitUsage || !strings.Contains(errOut, c[1]) {
			t.Errorf("%s: status %d, %s", c[0], code, errOut)
		}
	}
	if code, _, errOut := command(t, "", "tournament", file+"x"); code != cmdline.ExitUsage || !strings.Contains(errOut, "field.yamlx") {
		t.Errorf("no file: status %d, %s", code, errOut)
	}
}

// TestDuel_listedEngine: engine:NAME is one of the list engines of the configuration.
func TestDuel_listedEngine(t *testing.T) {
	t.Parallel()
	file := fieldFile(t, "engines:\n  - {name: gone, protocol: nodots, address: '127.0.0.1:1'}\n")
	for name, want := range map[string]string{"engine:gone": "127.0.0.1:1", "engine:friend": `"engine:friend": the list engines of`} {
		code, _, errOut := command(t, "", "duel", "expert", name, "-c", file, "--games", "2")
		if code != cmdline.ExitUsage || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %s", name, code, errOut)
		}
	}
}
