package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shown is a command that a page or a help text shows.
type shown struct {
	where string // file and line
	text  string // behind the program's name
	whole bool   // in a block to copy: its arguments are complete
}

var (
	// The program behind what a line may have before it: a prompt, variables, nice, the
	// times of cron, a container.
	program     = regexp.MustCompile(`^(?:\s|[\w-]+\$ |[A-Z_]+=\S* |nice |-n |[0-9]+ |\* |do |ExecStart=|source <\(|buildah run \$c -- )*(?:\./|go run \./cmd/|/usr/local/bin/|/)?fibsbot(?:[ \t]+|$)`)
	belowZero   = regexp.MustCompile(`^-[0-9.]+$`)
	inCode      = regexp.MustCompile("`([^`]+)`")
	placeholder = regexp.MustCompile(`^[A-Z][A-Z_.:-]*[0-9]?$|\.\.\.`)
)

// commandsIn finds the commands of a page: in blocks, and in code spans that begin with
// the program.
func commandsIn(name, page string) (out []shown) {
	lines := strings.Split(page, "\n")
	fenced := false
	for i := 0; i < len(lines); i++ {
		line, at := lines[i], fmt.Sprintf("%s:%d", name, i+1)
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") {
			for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
				i++
				line = strings.TrimSuffix(line, "\\") + " " + strings.TrimSpace(lines[i])
			}
			out = append(out, split(at, line, true)...)
			continue
		}
		for _, span := range inCode.FindAllStringSubmatch(line, -1) {
			if at := program.FindStringIndex(span[1]); at != nil && !strings.HasPrefix(span[1], "-") {
				out = append(out, split(fmt.Sprintf("%s:%d", name, i+1), span[1], false)...)
			}
		}
	}
	return out
}

// split finds the commands in a line of a shell.
func split(at, line string, whole bool) (out []shown) {
	for _, part := range regexp.MustCompile(`&&|;|\|`).Split(comment.ReplaceAllString(line, ""), -1) {
		if found := program.FindStringIndex(part); found != nil {
			text := part[found[1]:]
			if i := strings.IndexAny(text, "<>)"); i >= 0 && !strings.Contains(text, "$(") {
				text = text[:i] + " <" // its input or output is redirected: it is not run here
			}
			out = append(out, shown{at, strings.TrimSpace(text), whole})
		}
	}
	return out
}

var comment = regexp.MustCompile(`\s#( .*)?$`)

// words splits a command as a shell does, but for what shells put in.
func words(text string) (out []string) {
	for _, w := range regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+("[^"]*"|'[^']*')?`).FindAllString(text, -1) {
		out = append(out, strings.NewReplacer(`"`, "", `'`, "").Replace(w))
	}
	return out
}

// check parses the command against the real tree: command and flags exist, values can be
// read, and the arguments of a whole command are as many as it takes.
func (s shown) check(root *cobra.Command) error {
	var args []string
	for _, w := range words(s.text) {
		if w = strings.Trim(w, "[]"); w != "" && w != "<" {
			args = append(args, w)
		}
	}
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if cmd == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return fmt.Errorf("no such command")
	}
	var positional []string
	for i := 0; i < len(rest); i++ {
		w := rest[i]
		if !strings.HasPrefix(w, "-") || w == "-" || w == "--" || belowZero.MatchString(w) {
			positional = append(positional, w)
			continue
		}
		name, value, has := strings.Cut(w, "=")
		var f *pflag.Flag
		if strings.HasPrefix(name, "--") {
			if f = cmd.Flag(name[2:]); f == nil && slices.Contains([]string{"--help", "--version"}, name) {
				continue
			}
		} else if len(name) != 2 {
			return fmt.Errorf("%s is no flag", name)
		} else if f = cmd.Flags().ShorthandLookup(name[1:]); f == nil {
			f = cmd.InheritedFlags().ShorthandLookup(name[1:])
		}
		if f == nil {
			return fmt.Errorf("%s has no flag %s", cmd.CommandPath(), name)
		}
		switch {
		case has:
		case f.NoOptDefVal != "":
			value = f.NoOptDefVal
		case i+1 == len(rest) && !s.whole:
			continue // the flag is named, not used
		case i+1 == len(rest):
			return fmt.Errorf("%s wants a value", name)
		default:
			i++
			value = rest[i]
		}
		if placeholder.MatchString(value) {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return fmt.Errorf("%s %s: %w", name, value, err)
		}
	}
	open := slices.ContainsFunc(positional, func(w string) bool { return strings.ContainsAny(w, "*$") || strings.Contains(w, "...") })
	if open || !s.whole && len(positional) == 0 {
		return nil
	}
	return cmd.ValidateArgs(positional)
}

// cheap are commands that only print, and do so at once.
var cheap = []string{"eval", "hint", "met", "board", "version", "config show", "config init", "tune report"}

// runnable tells whether a command can be run as it stands, in a folder of its own.
func (s shown) runnable() bool {
	if !s.whole || strings.ContainsAny(s.text, "<*$[") || strings.Contains(s.text, "/") && !strings.Contains(s.text, "ABMA") {
		return false
	}
	for _, w := range words(s.text) {
		if placeholder.MatchString(w) || strings.Contains(w, ".results") || strings.Contains(w, ".yaml") || w == "--notify" || w == "-" {
			return false
		}
	}
	return slices.ContainsFunc(cheap, func(name string) bool { return strings.HasPrefix(s.text+" ", name+" ") })
}

// TestDocs_commandsAreReal reads every command that the README, the pages of docs and the
// examples of the help texts show: it exists, takes these flags and as many arguments.
// Those that cost nothing are run as they stand.
func TestDocs_commandsAreReal(t *testing.T) {
	var all []shown
	for _, pattern := range []string{"../../README.md", "../../SECURITY.md", "../../docs/*.md", "../../docs/*/README.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if filepath.Base(name) == "cli.md" {
				continue // made from the commands
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			// In the README's tables stand whole commands.
			for _, s := range commandsIn(strings.TrimPrefix(name, "../../"), string(data)) {
				s.whole = s.whole || strings.HasPrefix(s.where, "README.md")
				all = append(all, s)
			}
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for line := range strings.SplitSeq(strings.ReplaceAll(c.Example, "\\\n", " "), "\n") {
			all = append(all, split("fibsbot help"+strings.TrimPrefix(c.CommandPath(), "fibsbot"), explained(line), true)...)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRootCmd())
	if len(all) < 200 {
		t.Fatalf("only %d commands are found", len(all))
	}
	ran := map[string]bool{}
	t.Chdir(t.TempDir())
	root := newRootCmd()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, s := range all {
		if err := s.check(root); err != nil {
			t.Errorf("%s: fibsbot %s: %v", s.where, s.text, err)
			continue
		}
		if !s.runnable() || ran[s.text] {
			continue
		}
		ran[s.text] = true
		if code, _, errOut := cli(t, words(s.text)...); code != 0 {
			t.Errorf("%s: fibsbot %s: status %d: %s", s.where, s.text, code, errOut)
		}
	}
	if len(ran) < 15 {
		t.Errorf("only %d commands were run: %v", len(ran), ran)
	}
	t.Logf("%d commands read, %d run", len(all), len(ran))
}

// examplePause is the gap between an example and what it does.
var examplePause = regexp.MustCompile(`(\S) {3,}\S.*$`)

// explained is an example without what it does.
func explained(line string) string { return examplePause.ReplaceAllString(line, "$1") }

// TestDocs_fuzzTargets holds the table of docs/testing.md to the fuzz targets of the tree.
func TestDocs_fuzzTargets(t *testing.T) {
	page, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "| package | target | reads |")
	if !ok {
		t.Fatal("docs/testing.md has no table of fuzz targets")
	}
	rows := strings.Split(table, "\n")
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	there := map[string]bool{}
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		pkg := "./" + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			name := m[1]
			there[name] = true
			if !slices.ContainsFunc(rows, func(row string) bool {
				at, all := strings.CutSuffix(strings.TrimPrefix(strings.Split(row+" | ", " | ")[0], "| "), "/...`")
				in := at == "`"+pkg+"`" || all && strings.HasPrefix("`"+pkg, at+"/")
				return in && strings.Contains(row, "`"+name+"`")
			}) {
				t.Errorf("docs/testing.md does not name %s of %s", name, pkg)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("`(Fuzz\\w+)`").FindAllStringSubmatch(table, -1) {
		if !there[m[1]] {
			t.Errorf("docs/testing.md names %s, which no package has", m[1])
		}
	}
}

// TestDocs_testVariables: every variable that tests read is in CONTRIBUTING.md, and no other.
func TestDocs_testVariables(t *testing.T) {
	page, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	name := regexp.MustCompile(`"(FIBSBOT_[A-Z_]+[A-Z])"`)
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			switch m[1] {
			case "FIBSBOT_PASSWORD", "FIBSBOT_SERVER", "FIBSBOT_ACCOUNT", "FIBSBOT_ALICE_PASSWORD", "FIBSBOT_HOOK_SECRET", "FIBSBOT_DSN", "FIBSBOT_NAME":
			default:
				read[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for v := range read {
		if !strings.Contains(string(page), "`"+v+"`") {
			t.Errorf("CONTRIBUTING.md does not name %s", v)
		}
	}
	for _, m := range regexp.MustCompile("`(FIBSBOT_[A-Z_]+)`").FindAllStringSubmatch(string(page), -1) {
		if !read[m[1]] {
			t.Errorf("CONTRIBUTING.md names %s, which no test reads", m[1])
		}
	}
}
