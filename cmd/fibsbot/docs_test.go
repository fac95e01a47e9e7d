package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fibsbot/cmd/internal/doccheck"
	"fibsbot/internal/testsize"
)

// cheap are commands that only print, and do so at once.
var cheap = []string{"eval", "hint", "met", "board", "version", "config show", "config init", "tune report"}

// runnable reports whether a command can be run unchanged, in a folder of its own.
func runnable(s doccheck.Command) bool {
	if s.Open() || strings.Contains(s.Text, "/") && !strings.Contains(s.Text, "ABMA") {
		return false
	}
	for _, w := range doccheck.Words(s.Text) {
		if strings.Contains(w, ".results") || strings.Contains(w, ".yaml") || w == "--notify" || w == "-" {
			return false
		}
	}
	return slices.ContainsFunc(cheap, func(name string) bool { return strings.HasPrefix(s.Text+" ", name+" ") })
}

// TestDocs_commandsAreReal reads every command that the README, the pages of docs and the
// examples of the help texts show: it exists, takes these flags and as many arguments.
// Those that cost nothing are run as they stand.
func TestDocs_commandsAreReal(t *testing.T) {
	testsize.Medium(t)
	all, err := doccheck.All(newRootCmd(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 200 {
		t.Fatalf("only %d commands are found", len(all))
	}
	ran := map[string]bool{}
	t.Chdir(t.TempDir())
	root := newRootCmd()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, s := range all {
		if err := s.Check(root); err != nil {
			t.Errorf("%s: fibsbot %s: %v", s.Where, s.Text, err)
			continue
		}
		if !runnable(s) || ran[s.Text] {
			continue
		}
		ran[s.Text] = true
		if code, _, errOut := cli(t, doccheck.Words(s.Text)...); code != 0 {
			t.Errorf("%s: fibsbot %s: status %d: %s", s.Where, s.Text, code, errOut)
		}
	}
	if len(ran) < 15 {
		t.Errorf("only %d commands were run: %v", len(ran), ran)
	}
	t.Logf("%d commands read, %d run", len(all), len(ran))
}

// TestDocs_fuzzTargets holds the table of docs/testing.md to the fuzz targets of the tree.
func TestDocs_fuzzTargets(t *testing.T) {
	testsize.Medium(t)
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
			case "FIBSBOT_PASSWORD", "FIBSBOT_PASSWORD_COMMAND", "FIBSBOT_SERVER", "FIBSBOT_ACCOUNT", "FIBSBOT_ALICE_PASSWORD", "FIBSBOT_HOOK_SECRET", "FIBSBOT_DSN", "FIBSBOT_NAME":
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
	heavy, err := os.ReadFile("../../.ci/heavy")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(FIBSBOT_[A-Z_]+)=`).FindAllStringSubmatch(string(heavy), -1) {
		if !read[m[1]] {
			t.Errorf(".ci/heavy sets %s, which no test reads", m[1])
		}
	}
}
