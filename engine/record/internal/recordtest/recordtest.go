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

	"fibsbot/internal/reference"
)

// Gnubg is where Debian installs GNU Backgammon.
const Gnubg = "/usr/games/gnubg"

// Samples returns the sample files that match the pattern.
func Samples(t testing.TB, pattern string) []string {
	t.Helper()
	return reference.Glob(t, "formats/samples", pattern)
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
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
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
