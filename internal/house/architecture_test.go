package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHouse_architectureNamesWhatIsThere holds docs/architecture.md to the tree: the files
// and folders of its table exist, and each symbol is declared in the file before it.
func TestHouse_architectureNamesWhatIsThere(t *testing.T) {
	named, symbols := 0, 0
	path := regexp.MustCompile("`((?:" + strings.Join(tops, "|") + "|docs)/[a-zA-Z0-9_./*-]+)`(?: \\((`[A-Za-z]+`(?:, `[A-Za-z]+`)*)\\))?")
	for _, m := range path.FindAllStringSubmatch(text(t, "docs/architecture.md"), -1) {
		named++
		found, err := filepath.Glob(filepath.Join("../..", m[1]))
		if err != nil || len(found) == 0 {
			t.Errorf("docs/architecture.md names %s, which does not exist", m[1])
			continue
		}
		if m[2] == "" {
			continue
		}
		source, err := os.ReadFile(found[0])
		if err != nil {
			t.Errorf("docs/architecture.md names symbols of %s, which is not a file", m[1])
			continue
		}
		for _, s := range strings.Split(strings.ReplaceAll(m[2], "`", ""), ", ") {
			symbols++
			if !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |const |\t)` + s + `\b`).Match(source) {
				t.Errorf("docs/architecture.md names %s in %s, which does not declare it", s, m[1])
			}
		}
	}
	if named < 60 || symbols < 15 {
		t.Fatalf("only %d paths and %d symbols found", named, symbols)
	}
}

// TestHouse_packagesSayWhatTheyAreFor: every package has a package comment.
func TestHouse_packagesSayWhatTheyAreFor(t *testing.T) {
	for dir, p := range comments(t) {
		if !p.said {
			t.Errorf("%s has no package comment", dir)
		}
	}
}
