// Package recordtest has what the tests of the match file formats share: where
// the samples are, and running GNU Backgammon on what was written.
package recordtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Gnubg is where Debian installs GNU Backgammon.
const Gnubg = "/usr/games/gnubg"

// Shared returns the folder of reference data beside the checkout and skips the
// test where it is absent.
func Shared(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skip("no go.mod above the working folder")
		}
		dir = up
	}
	shared := filepath.Join(dir, "..", "shared")
	if _, err := os.Stat(shared); err != nil {
		t.Skip("no reference data in ../shared")
	}
	return shared
}

// Samples returns the sample files that match the pattern.
func Samples(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Shared(t), "formats", "samples", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples %s: %v", pattern, err)
	}
	return files
}

// RunGnubg feeds commands to GNU Backgammon in an empty folder and returns what
// it printed. The test is skipped where the program is absent.
func RunGnubg(t testing.TB, commands string) string {
	t.Helper()
	if _, err := os.Stat(Gnubg); err != nil {
		t.Skip("no gnubg on this machine")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "commands")
	if err := os.WriteFile(script, []byte(commands), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, Gnubg, "-t", "-q", "-r", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("gnubg: %v\n%s", err, out)
	}
	return string(out)
}
