package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tops are the folders with packages, as the tree has them.
var tops = func() (list []string) {
	for _, pattern := range []string{"*/*.go", "*/*/*.go"} {
		files, _ := filepath.Glob(filepath.Join("../..", pattern))
		for _, file := range files {
			list = append(list, strings.Split(filepath.ToSlash(file), "/")[2])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}()

// TestHouse_architectureNamesWhatIsThere holds docs/architecture.md to the tree: the files
// and folders of its table exist, and each symbol is declared in the file before it.
func TestHouse_architectureNamesWhatIsThere(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	named, symbols := 0, 0
	path := regexp.MustCompile("`((?:" + strings.Join(tops, "|") + "|docs)/[a-zA-Z0-9_./*-]+)`(?: \\((`[A-Za-z]+`(?:, `[A-Za-z]+`)*)\\))?")
	for _, m := range path.FindAllStringSubmatch(string(text), -1) {
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
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join("../..", top), func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" {
				return filepath.SkipDir
			}
			files, err := filepath.Glob(filepath.Join(path, "*.go"))
			if err != nil {
				return err
			}
			code, said := false, false
			for _, file := range files {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				code = true
				f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
				if err != nil {
					return err
				}
				said = said || f.Doc != nil
			}
			if code && !said {
				t.Errorf("%s has no package comment", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// hasCode reports whether a folder has Go files that are not tests.
func hasCode(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			return true
		}
	}
	return false
}
