package house

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const root = "../.."

// tops are the folders with packages, as the tree has them.
var tops = func() (list []string) {
	for _, pattern := range []string{"*/*.go", "*/*/*.go"} {
		files, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, file := range files {
			list = append(list, strings.Split(filepath.ToSlash(file), "/")[2])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}()

// source is a parsed Go file of the tree.
type source struct {
	path string // from here
	dir  string // of its package, from the root, with slashes
	test bool
	*ast.File
}

var positions = token.NewFileSet()

var parsed = sync.OnceValues(func() (out []source, err error) {
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "testdata" {
				return cmp.Or(err, filepath.SkipDir)
			}
			if d.IsDir() || !strings.HasSuffix(path, ".go") {
				return nil
			}
			f, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				return err
			}
			dir, err := filepath.Rel(root, filepath.Dir(path))
			out = append(out, source{path: path, dir: filepath.ToSlash(dir), test: strings.HasSuffix(path, "_test.go"), File: f})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
})

// sources returns the files of the tree, parsed once.
func sources(t *testing.T) []source {
	t.Helper()
	out, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 1000 {
		t.Fatalf("only %d files seen", len(out))
	}
	return out
}

// listed is a package as go list knows it.
type listed struct {
	ImportPath, Name                   string
	Imports, TestImports, XTestImports []string
}

var listedOnce = sync.OnceValues(func() (out []listed, err error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Imports,TestImports,XTestImports", "fibsbot/...")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
})

// packages returns the packages of the module, listed once.
func packages(t *testing.T) []listed {
	t.Helper()
	out, err := listedOnce()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if len(out) < 100 {
		t.Fatalf("only %d packages seen", len(out))
	}
	return out
}

// text reads a file of the tree, named from the root.
func text(t *testing.T, name string) string {
	t.Helper()
	out, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
