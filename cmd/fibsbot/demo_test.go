package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/ops"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// fibsbot runs one command line in this process.
func fibsbot(ctx context.Context, args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = run(ctx, args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// TestDemo_lastLineIsResultAndPaths: the whole program end to end.
func TestDemo_lastLineIsResultAndPaths(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "archive")
	code, out, errOut := fibsbot(ctx, "demo", "--fast", "--matches", "2", "--length", "3", "--seed", "1", "--archive", dir)
	if code != cmdline.ExitDone {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	last := lines[len(lines)-1]
	head, where, ok := strings.Cut(last, ": ")
	if !ok || !strings.Contains(head, "of 2 3-point matches") || where != "4 files in "+dir {
		t.Fatalf("last line %q", last)
	}
	files := lines[max(0, len(lines)-5) : len(lines)-1] // two of each match
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Size() == 0 || !strings.HasPrefix(f, dir) {
			t.Errorf("%s: %v", f, err)
		}
	}
	if strings.Contains(out, "\x1b[") {
		t.Error("terminal codes in output to a file")
	}
	sgf := files[0]
	for _, first := range [][]string{nil, {"convert", sgf, strings.TrimSuffix(sgf, ".sgf") + ".mat"}, {"archive", "rebuild", "--archive", dir},
		{"archive", "rename", "sparring", "Albert", "--archive", dir}, {"archive", "edit", sgf, "--names", "Robo,Bert", "--archive", dir},
		{"archive", "rebuild", "--archive", dir}} {
		if first != nil {
			if code, _, errOut := cli(t, first...); code != cmdline.ExitDone {
				t.Errorf("%v: status %d: %s", first, code, errOut)
			}
		}
		if code, out, errOut := cli(t, "archive", "verify", "--archive", dir); code != cmdline.ExitDone || !strings.HasSuffix(out, ": sound\n") {
			t.Errorf("after %v: status %d\n%s%s", first, code, out, errOut)
		}
	}
}

func TestDemo_overABadLine(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	code, out, errOut := cli(t, "demo", "--fast", "--chaos", "--length", "3", "--seed", "5", "--archive", t.TempDir())
	if code != cmdline.ExitDone || !strings.Contains(out, "3-point match:") || !strings.Contains(out, ".sgf") {
		t.Errorf("status %d\n%s\n%s", code, out, errOut)
	}
	if !strings.Contains(errOut, "the damaged line: ") || strings.Contains(errOut, " 0 broken") {
		t.Errorf("the line was not damaged: %s", errOut)
	}
}

// TestExitStatus holds the contract of exit statuses: the user's mistakes are one
// line on stderr and 2, an interrupted finite command is 130.
func TestExitStatus(t *testing.T) {
	testsize.Medium(t)
	t.Setenv("FIBSBOT_PASSWORD", "")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		args []string
		code int
		says string
	}{
		{"version", context.Background(), []string{"version"}, cmdline.ExitDone, ""},
		{"help", context.Background(), []string{"demo", "--help"}, cmdline.ExitDone, ""},
		{"unknown command", context.Background(), []string{"nosuch"}, cmdline.ExitUsage, "nosuch"},
		{"unknown flag", context.Background(), []string{"demo", "--nosuch"}, cmdline.ExitUsage, "--nosuch"},
		{"unknown flag of the program", context.Background(), []string{"--nosuch"}, cmdline.ExitUsage, "fibsbot: unknown flag: --nosuch (see fibsbot help)\n"},
		{"flag that is not a number", context.Background(), []string{"run", "--max-matches", "x"}, cmdline.ExitUsage, "fibsbot: --max-matches: \"x\" is not a whole number\n"},
		{"too few arguments", context.Background(), []string{"convert", "a"}, cmdline.ExitUsage, "convert: 1 argument (use fibsbot convert IN... OUT)"},
		{"argument where none is", context.Background(), []string{"run", "x"}, cmdline.ExitUsage, "run: takes no argument, got \"x\""},
		{"mistyped command", context.Background(), []string{"achive", "list"}, cmdline.ExitUsage, "unknown command \"achive\", did you mean archive? (see fibsbot help)\n"},
		{"mistyped subcommand", context.Background(), []string{"archive", "lst"}, cmdline.ExitUsage, "archive: unknown command \"lst\", did you mean list? (see fibsbot archive --help)\n"},
		{"mistyped flag", context.Background(), []string{"archive", "list", "--oponent", "x"}, cmdline.ExitUsage, "unknown flag: --oponent, did you mean --opponent? (see"},
		{"mistyped flag of the group", context.Background(), []string{"archive", "list", "--dri", "x"}, cmdline.ExitUsage, "unknown flag: --dri, did you mean --dsn? (see"},
		{"mistyped flag of the program", context.Background(), []string{"--verison"}, cmdline.ExitUsage, "did you mean --version?"},
		{"help about a mistyped one", context.Background(), []string{"help", "archive", "lst"}, cmdline.ExitUsage, "help: unknown command \"lst\", did you mean list?"},
		{"unknown subcommand", context.Background(), []string{"config", "chek"}, cmdline.ExitUsage, "config: unknown command \"chek\""},
		{"help about nothing", context.Background(), []string{"help", "nosuch"}, cmdline.ExitUsage, "help: unknown command \"nosuch\""},
		{"help by command", context.Background(), []string{"help", "archive", "list"}, cmdline.ExitDone, ""},
		{"flag out of range", context.Background(), []string{"demo", "--length", "0"}, cmdline.ExitUsage, "--length"},
		{"archive that is a file", context.Background(), []string{"demo", "--archive", "demo.go"}, cmdline.ExitUsage, "--archive: demo.go is a file, not a folder"},
		{"data that is a file", context.Background(), []string{"server", "--data", "demo.go"}, cmdline.ExitUsage, "--data: demo.go is a file, not a folder"},
		{"no place", context.Background(), []string{"server", "--max-connections", "0"}, cmdline.ExitUsage, "--max-connections"},
		{"no time to log in", context.Background(), []string{"server", "--login-time", "5ms"}, cmdline.ExitUsage, "--login-time: 5ms"},
		{"no such port", context.Background(), []string{"server", "--listen", "127.0.0.1:99999"}, cmdline.ExitUsage, "--listen: \"127.0.0.1:99999\""},
		{"chart in no folder", context.Background(), []string{"tune", "report", "--chart", "none/x.svg"}, cmdline.ExitUsage, "--chart: none"},
		{"unknown preset", context.Background(), []string{"demo", "--preset", "godlike"}, cmdline.ExitUsage, "godlike"},
		{"too many arguments", context.Background(), []string{"version", "x"}, cmdline.ExitUsage, "x"},
		{"interrupted", cancelled, []string{"demo", "--fast", "--archive", t.TempDir()}, cmdline.ExitInterrupted, "interrupted"},
		{"interrupted search", cancelled, []string{"eval", "4HPwATDgc/ABMA"}, cmdline.ExitInterrupted, "fibsbot: interrupted\n"},
		{"interrupted measurement", cancelled, []string{"bench"}, cmdline.ExitInterrupted, "fibsbot: interrupted\n"},
		{"interrupted duel", cancelled, []string{"duel", "expert", "expert"}, cmdline.ExitInterrupted, "fibsbot: interrupted\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, _, errOut := fibsbot(tt.ctx, tt.args...)
			if code != tt.code {
				t.Errorf("exit %d, want %d (%s)", code, tt.code, errOut)
			}
			if !strings.Contains(errOut, tt.says) {
				t.Errorf("stderr %q does not mention %q", errOut, tt.says)
			}
			if tt.code == cmdline.ExitUsage && (strings.Count(errOut, "\n") != 1 || strings.Count(errOut, "fibsbot: ") != 1) {
				t.Errorf("stderr is not one line with the program's name once: %q", errOut)
			}
		})
	}
}

// TestHelp_everyCommandHasAnExample: cobra's scripts for completion have theirs in
// the text.
func TestHelp_everyCommandHasAnExample(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Example == "" && !c.Hidden {
			t.Errorf("%s --help has no example", c.CommandPath())
		}
		if c.Name() != "completion" {
			for _, sub := range c.Commands() {
				walk(sub)
			}
		}
	}
	walk(newRootCmd())
}

// Matches of the demo are in the archive's list, whether the folder had an index before
// (play and web make one) or gets it from them.
func TestDemo_matchesAreListed(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	for _, before := range []string{"an index", "nothing", "no index any more"} {
		dir := t.TempDir()
		list := func() int {
			code, out, errOut := cli(t, "archive", "list", "--archive", dir, "--json")
			if code != 0 {
				t.Fatalf("%s: exit %d: %s", before, code, errOut)
			}
			return strings.Count(out, "\n")
		}
		if before == "an index" && list() != 0 {
			t.Fatal("matches in an empty folder")
		}
		if code, _, errOut := cli(t, "demo", "--fast", "--length", "1", "--matches", "2", "--seed", "3", "--archive", dir); code != 0 || errOut != "" {
			t.Fatalf("%s: exit %d: %s", before, code, errOut)
		}
		if before == "no index any more" {
			for _, name := range []string{"", "-wal", "-shm"} {
				os.Remove(filepath.Join(dir, index.FileName+name))
			}
			db, err := index.OpenComplete(t.Context(), dir, "") // as play and web do
			if err != nil {
				t.Fatal(err)
			}
			db.Close()
		}
		if n := list(); n != 2 {
			t.Errorf("%s: %d matches are listed, want 2", before, n)
		}
	}
}

// TestDemo_web: the pages show both bots, then the analysed match, until the user ends them.
func TestDemo_web(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	pr, pw := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		args := []string{"demo", "--web", "--fast", "--length", "1", "--preset", "casual", "--archive", filepath.Join(t.TempDir(), "archive")}
		ended <- run(ctx, args, strings.NewReader(""), io.Discard, pw)
		pw.Close()
	}()
	lines := bufio.NewScanner(pr)
	if !lines.Scan() {
		t.Fatal("no address")
	}
	site, ok := strings.CutPrefix(strings.TrimSuffix(lines.Text(), "bots"), "Watch the bots at ")
	if !ok {
		t.Fatalf("%q", lines.Text())
	}
	go func() {
		for lines.Scan() { // what else it says
		}
	}()
	get := func(path string, into any) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, site+"api/v1/"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	var bots ops.Status
	if get("bots", &bots); len(bots.Accounts) != 2 || bots.Accounts[0].Name != "demobot" || bots.Accounts[1].Live == nil {
		t.Errorf("%+v", bots)
	}
	var list struct{ Matches []index.Match }
	for len(list.Matches) == 0 || !list.Matches[0].Plies.Known() {
		get("matches", &list)
		time.Sleep(50 * time.Millisecond)
	}
	if cancel(); <-ended != cmdline.ExitDone {
		t.Error("ending the pages is not a failure")
	}
}
