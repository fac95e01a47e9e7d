package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHouse_architectureNamesWhatIsThere holds docs/architecture.md to the tree: files and
// folders that its tables name are there, and its list of packages leaves none out.
func TestHouse_architectureNamesWhatIsThere(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, m := range regexp.MustCompile("`((?:bearoff|bgammon|bot|cmd|config|docs|engine|fibs|internal|weights)/[a-zA-Z0-9_./*-]+)`").FindAllStringSubmatch(string(text), -1) {
		named++
		if found, err := filepath.Glob(filepath.Join("../..", m[1])); err != nil || len(found) == 0 {
			t.Errorf("docs/architecture.md names %s, which is not there", m[1])
		}
	}
	if named < 40 {
		t.Fatalf("only %d paths seen: the page is not read rightly", named)
	}
	list, _, ok := strings.Cut(string(text), "## From a byte")
	if !ok {
		t.Fatal("docs/architecture.md has lost its headings")
	}
	for _, top := range []string{"bearoff", "bgammon", "bot", "config", "engine", "fibs", "internal", "weights"} {
		err := filepath.WalkDir(filepath.Join("../..", top), func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" || d.Name() == "gen" {
				return filepath.SkipDir
			}
			pkg, err := filepath.Rel("../..", path)
			if err != nil {
				return err
			}
			pkg = filepath.ToSlash(pkg)
			if !hasCode(path) || strings.Contains(pkg, "internal/") || strings.HasPrefix(pkg, "engine/record/") {
				return nil // leaves, and formats, which the page lists together
			}
			if !regexp.MustCompile(`(^|[ /(])` + regexp.QuoteMeta(pkg) + `($|[^a-z/])`).MatchString(strings.ReplaceAll(list, "\n", " ")) {
				t.Errorf("docs/architecture.md does not list %s: give it a line", pkg)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// hasCode tells whether a folder is a package and not only its tests.
func hasCode(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			return true
		}
	}
	return false
}
