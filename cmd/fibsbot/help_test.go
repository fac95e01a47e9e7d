package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/help"
)

var update = flag.Bool("update", false, "write golden files and docs/cli.md again")

// golden compares text with a file of testdata, or writes it with -update.
func golden(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text == string(want) {
		return
	}
	got, old := strings.Split(text, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(got), len(old)) {
		if got[i] != old[i] {
			t.Errorf("%s:%d: got %q, want %q (go test ./cmd/fibsbot -run %s -update writes it again)", path, i+1, got[i], old[i], t.Name())
			return
		}
	}
	t.Errorf("%s: got %d lines, want %d (-update writes it again)", path, len(got), len(old))
}

// helpOf is what `fibsbot PATH --help` prints.
func helpOf(t *testing.T, root *cobra.Command, cmd *cobra.Command) string {
	t.Helper()
	var b strings.Builder
	cmd.SetOut(&b)
	if err := cmd.Help(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// maxHelp is how many lines the help of a command may have.
const maxHelp = 145

// TestHelp reads the help of every command: golden files hold it, lines fit into 80
// columns, the list of commands fits a screen of 40 lines.
func TestHelp(t *testing.T) {
	t.Setenv("FIBSBOT_SERVER", "")
	t.Setenv("FIBSBOT_ACCOUNT", "")
	root := newRootCmd()
	pages := map[string]*strings.Builder{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := help.Path(cmd)
		if strings.HasPrefix(path, "completion") {
			return // cobra's
		}
		text := helpOf(t, root, cmd)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i, line := range lines {
			if n := len([]rune(line)); n > help.Width {
				t.Errorf("fibsbot %s --help, line %d has %d columns: %s", path, i+1, n, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("fibsbot %s --help, line %d ends with a blank", path, i+1)
			}
		}
		most := maxHelp
		if cmd == root {
			most = 42
		}
		if len(lines) > most {
			t.Errorf("fibsbot %s --help has %d lines, want %d at most", path, len(lines), most)
		}
		if cmd != root && cmd.Example == "" {
			t.Errorf("fibsbot %s --help has no example", path)
		}
		if w := strings.Fields(cmd.Short); len(w) == 0 || strings.HasSuffix(w[0], "s") && !strings.HasSuffix(w[0], "ss") || w[0] == "The" || w[0] == "A" {
			t.Errorf("fibsbot %s: %q does not begin with an imperative", path, cmd.Short)
		}
		name, _, _ := strings.Cut(path, " ")
		if name == "" {
			name = "fibsbot"
		}
		if pages[name] == nil {
			pages[name] = &strings.Builder{}
		}
		fmt.Fprintf(pages[name], "$ %s --help\n%s\n", cmd.CommandPath(), text)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
	for name, page := range pages {
		golden(t, filepath.Join("testdata", "help", name+".golden"), page.String())
	}
	files, err := filepath.Glob("testdata/help/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if pages[strings.TrimSuffix(filepath.Base(file), ".golden")] == nil {
			t.Errorf("%s: there is no such command", file)
		}
	}
}

// TestHelp_groups: every command but a few rare ones is in exactly one group, and every flag in at
// most one.
func TestHelp_groups(t *testing.T) {
	style, root := helpStyle(), newRootCmd()
	seen := map[string]int{}
	for _, g := range style.Commands {
		for _, name := range g.Names {
			seen[name]++
		}
	}
	for _, c := range root.Commands() {
		switch c.Name() {
		case "bench", "completion", "dice", "help", "met", "version": // listed without headings
		default:
			if seen[c.Name()] != 1 {
				t.Errorf("command %s is in %d groups, want 1", c.Name(), seen[c.Name()])
			}
		}
	}
	flags := map[string]int{}
	for _, g := range style.Flags {
		for _, name := range g.Names {
			if flags[name]++; flags[name] > 1 {
				t.Errorf("flag %s is in two groups", name)
			}
		}
	}
}

func TestHelp_examples(t *testing.T) {
	code, out, _ := cli(t, "help", "examples")
	if code != 0 || strings.Count(out, "  fibsbot ") != 10 {
		t.Errorf("status %d, %s", code, out)
	}
}
