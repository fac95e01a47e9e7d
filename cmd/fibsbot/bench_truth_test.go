package main

import (
	"strings"
	"testing"
)

// TestBenchCube_withoutGnubg: away from a checkout nobody is told of a gnubg that he has not asked
// for; and what --bearoffs cannot be is one line.
func TestBenchCube_withoutGnubg(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		line   string
		status int
		want   string // within the one line on stderr; empty for no line
	}{
		{"cube", exitDone, ""},
		{"cube --gnubg-plies 0", exitDone, "fibsbot: gnubg is not measured: stat "},
		{"cube --gnubg-plies 4", exitUsage, `invalid argument "4" for "--gnubg-plies" flag: 4 is not between -1 and 3`},
		{"cube --bearoffs -5", exitUsage, `invalid argument "-5" for "--bearoffs" flag: -5 is not between 0 and 10000`},
		{"cube --bearoffs 10001", exitUsage, "10001 is not between 0 and 10000"},
	} {
		args := append([]string{"bench"}, strings.Fields(c.line)...)
		if !strings.Contains(c.line, "--bearoffs") {
			args = append(args, "--bearoffs", "2")
		}
		code, _, errOut := cli(t, append(args, "--preset", "beginner", "--seed", "1")...)
		if code != c.status || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != min(len(c.want), 1) || strings.Contains(errOut, "teacher failed") {
			t.Errorf("%s: status %d, %q, want %q", c.line, code, errOut, c.want)
		}
	}
}
