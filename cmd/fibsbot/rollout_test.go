package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Settings of the sides: named alike they change nothing, a weak opponent loses, and
// a file goes on with the settings it was begun with.
func TestRollout_sides(t *testing.T) {
	// A race: without contact the trials are short.
	const race = "XGID=---BBCCCB--------bcccbb---:0:0:1:00:0:0:0:0:10"
	roll := func(args ...string) []rolloutArm {
		t.Helper()
		code, out, errOut := cli(t, append([]string{"rollout", race, "--json", "--trials", "144", "--truncate", "7"}, args...)...)
		if code != exitDone {
			t.Fatalf("%q: status %d, %s", args, code, errOut)
		}
		var v rolloutJSON
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Fatal(err)
		}
		return v.Arms
	}
	file := filepath.Join(t.TempDir(), "r.json")
	plain := roll("--late-ply", "3", "--resume", file)
	if diff := cmp.Diff(plain, roll("--late-ply", "3", "--cube-preset", "expert", "--late-cube-preset", "expert", "--opponent-preset", "expert",
		"--opponent-cube-preset", "expert", "--opponent-late-preset", "expert", "--opponent-late-cube-preset", "expert")); diff != "" {
		t.Errorf("the same preset named for everything: %s", diff)
	}
	weak := roll("--late-ply", "3", "--opponent-preset", "beginner", "--opponent-late-preset", "beginner")
	if gain := weak[0].Equity - plain[0].Equity; gain < 0.01 {
		t.Errorf("against a beginner %.4f is gained", gain)
	}
	if mine := roll("--late-ply", "3", "--preset", "beginner", "--opponent-preset", "expert"); mine[0].Equity > plain[0].Equity-0.005 {
		t.Errorf("a beginner against an expert has %.4f, an expert %.4f", mine[0].Equity, plain[0].Equity)
	}
	if diff := cmp.Diff(weak, roll("--late-ply", "3", "--opponent-preset", "beginner", "--opponent-late-preset", "beginner", "--threads", "1")); diff != "" {
		t.Errorf("one thread: %s", diff)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"another opponent": {[]string{"--late-ply", "3", "--resume", file, "--opponent-preset", "beginner"}, "does not fit"},
		"unknown":          {[]string{"--opponent-preset", "godlike"}, "--opponent-preset: unknown preset"},
		"unknown cube":     {[]string{"--cube-preset", "godlike"}, "--cube-preset: unknown preset"},
		"never late":       {[]string{"--opponent-late-preset", "casual"}, "--opponent-late-preset: no ply is late"},
		"late cube":        {[]string{"--late-cube-preset", "casual"}, "--late-cube-preset: no ply is late"},
		"no cube":          {[]string{"--cube-preset", "casual", "--cubeless"}, "--cube-preset: there is no cube"},
	} {
		code, out, errOut := cli(t, append([]string{"rollout", race, "--trials", "36"}, c.args...)...)
		if code != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: status %d, %q, %q", name, code, out, errOut)
		}
	}
}
