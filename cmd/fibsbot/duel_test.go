package main

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/bench"
	"fibsbot/engine/duel"
	"fibsbot/engine/external"
	"fibsbot/engine/preset"
	"fibsbot/internal/testsize"
)

func TestDuel_equalPlayersScoreZero(t *testing.T) {
	testsize.Medium(t)
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
	testsize.Medium(t)
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
	testsize.Medium(t)
	file := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(file, []byte("presets:\n  mine:\n    base: expert\n    checker: {noise: 0.2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := command(t, "", "duel", "mine", "mine", "-c", file, "--games", "2", "--jobs", "1")
	if code != 0 || !strings.HasPrefix(out, "mine v mine: 2 games: ") {
		t.Errorf("status %d, %q, %s", code, out, errOut)
	}
	if code, _, errOut = command(t, "", "duel", "expert", "yours", "-c", file); code != cmdline.ExitUsage || !strings.Contains(errOut, `B: unknown preset "yours"`) {
		t.Errorf("status %d, %s", code, errOut)
	}
}

// TestDuel_names: pubeval is known in any case, as presets are; the error of another name tells
// of all players there are.
func TestDuel_names(t *testing.T) {
	testsize.Medium(t)
	for _, c := range []struct {
		a, b   string
		status int
		want   string // within what is printed or the one line of the error
	}{
		{"Beginner", "PubEval", cmdline.ExitDone, "Beginner v PubEval: 2 games"},
		{"PUBEVAL", "beginner", cmdline.ExitDone, "PUBEVAL v beginner: 2 games"},
		{"expert", "gnubg", cmdline.ExitUsage, `B: unknown preset "gnubg" (use beginner, `},
		{"pubevil", "expert", cmdline.ExitUsage, "legend), or pubeval, cmd:COMMAND, ubgi:COMMAND, "},
	} {
		code, out, errOut := command(t, "", "duel", c.a, c.b, "--games", "2", "--jobs", "1")
		if code != c.status || !strings.Contains(out+errOut, c.want) || code != cmdline.ExitDone && strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s v %s: status %d, %q %q, want %q", c.a, c.b, code, out, errOut, c.want)
		}
	}
}

// TestDuel_external: against another fibsbot on the network with the same preset a pair is
// drawn, as against the preset itself; what cannot be reached is one line.
func TestDuel_external(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- external.Player{Engine: e, Preset: expert}.Serve(ctx, ln) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	name := "external:" + ln.Addr().String()
	for _, args := range [][]string{{"expert", name, "--games", "6"}, {name, "expert", "--matches", "2", "--length", "3", "--jobs", "2"}} {
		code, out, errOut := command(t, "", append([]string{"duel", "--json"}, args...)...)
		var d duel.Result
		if err := json.Unmarshal([]byte(out), &d); code != 0 || err != nil || d.Games < 2 || d.PPG != 0 || d.Stderr != 0 {
			t.Errorf("%q: status %d, %v, %+v, %s", args, code, err, d, errOut)
		}
	}
	for bad, want := range map[string]string{"external:127.0.0.1:1": "external player: dial tcp 127.0.0.1:1", "external:here": "use HOST:PORT", "external:": "use HOST:PORT"} {
		if code, _, errOut := command(t, "", "duel", "expert", bad, "--games", "2"); code != cmdline.ExitUsage || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %s", bad, code, errOut)
		}
	}
	if code, _, errOut := command(t, "", "duel", "expert", name, "--egyptian", "--games", "2"); code != cmdline.ExitUsage || !strings.Contains(errOut, "Egyptian") {
		t.Errorf("the Egyptian rule: status %d, %s", code, errOut)
	}
}
