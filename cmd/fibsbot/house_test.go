package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxFunction is how many lines a function may have: about a screen and a half.
const maxFunction = 80

// TestHouse_functionsFitAScreen fails for functions of the program that are too long,
// other than tables: those whose lines are mostly composite literals or switches of
// short cases. A function written inside a literal does not count as part of the table.
func TestHouse_functionsFitAScreen(t *testing.T) {
	files := 0
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join("../..", top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil || ast.IsGenerated(f) {
				return err
			}
			lines := func(n ast.Node) int { return set.Position(n.End()).Line - set.Position(n.Pos()).Line + 1 }
			for _, decl := range f.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Body == nil || lines(fn) <= maxFunction {
					continue
				}
				table := 0
				ast.Inspect(fn, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.CompositeLit:
						table += lines(n)
						ast.Inspect(n, func(n ast.Node) bool {
							if f, ok := n.(*ast.FuncLit); ok {
								table -= lines(f)
							}
							return n == nil || !isFunc(n)
						})
						return false
					case *ast.SwitchStmt: // of short cases
						if lines(n) > 6*len(n.Body.List)+2 {
							return true
						}
						table += lines(n)
						return false
					}
					return true
				})
				if lines(fn)-table > maxFunction/2 {
					t.Errorf("%s: %s has %d lines, want %d at most", set.Position(fn.Pos()), fn.Name.Name, lines(fn), maxFunction)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 200 {
		t.Fatalf("only %d files seen", files)
	}
}

func isFunc(n ast.Node) bool {
	_, ok := n.(*ast.FuncLit)
	return ok
}

// oneHome are words that mean one thing in the house, with the package that has the type.
var oneHome = map[string]string{
	"Decision":  "engine/cube", // whether to double, and to take
	"Judgement": "bot/watch",   // what the engine thinks of what a player did
	"Judge":     "bot/watch",   // who makes it
	"Verdict":   "bot/policy",  // on an invitation
	"Moments":   "bearoff",     // mean and variance
}

// TestHouse_oneNameOneHome: only one package may declare a type of each of these names.
func TestHouse_oneNameOneHome(t *testing.T) {
	seen := map[string]bool{}
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join("../..", top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			pkg, err := filepath.Rel("../..", filepath.Dir(path))
			if err != nil {
				return err
			}
			for _, decl := range f.Decls {
				g, ok := decl.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, s := range g.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && oneHome[s.Name.Name] != "" {
						seen[s.Name.Name] = true
						if home := oneHome[s.Name.Name]; filepath.ToSlash(pkg) != home {
							t.Errorf("%s: %s is the name of a type of %s: find another", path, s.Name.Name, home)
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, home := range oneHome {
		if !seen[name] {
			t.Errorf("%s has no type %s", home, name)
		}
	}
}

// maxCommand is how many lines of Go the commands may have, without tests. What is
// more than flags, wiring and printing belongs to a package.
const maxCommand = 7600

func TestHouse_commandsAreThin(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		total += bytes.Count(text, []byte("\n"))
	}
	if total < 1000 || total > maxCommand {
		t.Errorf("the commands have %d lines, want %d at most", total, maxCommand)
	}
}
