package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/bench"
	"fibsbot/engine/duel"
)

func TestDuel_equalPlayersScoreZero(t *testing.T) {
	code, out, errOut := command(t, "", "duel", "expert", "expert", "--games", "10", "--jobs", "2", "--json")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var d duel.Result
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Games != 10 || d.PPG != 0 || d.Stderr != 0 || d.A != "expert" || d.B != "expert" {
		t.Errorf("%+v", d)
	}
}

func TestBench_json(t *testing.T) {
	code, out, errOut := command(t, "", "bench", "--json", "--seconds", "0.02")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var b bench.Speed
	if err := json.Unmarshal([]byte(out), &b); err != nil {
		t.Fatal(err)
	}
	if b.StaticEvals <= 0 || b.Plays <= 0 || b.Decisions0 <= 0 || b.Decisions2 <= 0 || b.Movegen <= 0 || b.RolloutGames <= 0 || len(b.Signature) != 16 || b.Threads != 1 {
		t.Errorf("%s", out)
	}
}

// Both players may be presets of a configuration.
func TestDuel_ownPresets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(file, []byte("presets:\n  mine:\n    base: expert\n    checker: {noise: 0.2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := command(t, "", "duel", "mine", "mine", "-c", file, "--games", "2", "--jobs", "1")
	if code != 0 || !strings.HasPrefix(out, "mine v mine: 2 games: ") {
		t.Errorf("status %d, %q, %s", code, out, errOut)
	}
	if code, _, errOut = command(t, "", "duel", "expert", "yours", "-c", file); code != exitUsage || !strings.Contains(errOut, `B: unknown preset "yours"`) {
		t.Errorf("status %d, %s", code, errOut)
	}
}

// TestDuel_names: pubeval is known in any case, as presets are; the error of another name tells
// of all players there are.
func TestDuel_names(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		status int
		want   string // within what is printed or the one line of the error
	}{
		{"Beginner", "PubEval", exitDone, "Beginner v PubEval: 2 games"},
		{"PUBEVAL", "beginner", exitDone, "PUBEVAL v beginner: 2 games"},
		{"expert", "gnubg", exitUsage, `B: unknown preset "gnubg", there are beginner, `},
		{"pubevil", "expert", exitUsage, "legend, besides pubeval and cmd:COMMAND for another engine"},
	} {
		code, out, errOut := command(t, "", "duel", c.a, c.b, "--games", "2", "--jobs", "1")
		if code != c.status || !strings.Contains(out+errOut, c.want) || code != exitDone && strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s v %s: status %d, %q %q, want %q", c.a, c.b, code, out, errOut, c.want)
		}
	}
}
