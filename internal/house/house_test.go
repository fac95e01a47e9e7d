package house

import (
	"go/ast"
	"testing"
)

// maxFunction is how many lines a function may have: about a screen and a half.
const maxFunction = 80

// TestHouse_functionsFitAScreen fails for functions of the program that are too long,
// other than tables: those whose lines are mostly composite literals or switches of
// short cases. A function written inside a literal does not count as part of the table.
func TestHouse_functionsFitAScreen(t *testing.T) {
	lines := func(n ast.Node) int { return positions.Position(n.End()).Line - positions.Position(n.Pos()).Line + 1 }
	for _, f := range sources(t) {
		if !f.test && !ast.IsGenerated(f.File) {
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
					t.Errorf("%s: %s has %d lines, want %d at most", positions.Position(fn.Pos()), fn.Name.Name, lines(fn), maxFunction)
				}
			}
		}
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
	for _, f := range sources(t) {
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || f.test {
				continue
			}
			for _, s := range g.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && oneHome[s.Name.Name] != "" {
					seen[s.Name.Name] = true
					if home := oneHome[s.Name.Name]; f.dir != home {
						t.Errorf("%s: %s is the name of a type of %s: find another", f.path, s.Name.Name, home)
					}
				}
			}
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
	total := 0
	for _, f := range sources(t) {
		if f.dir == "cmd/fibsbot" && !f.test {
			total += positions.File(f.Pos()).LineCount()
		}
	}
	if total < 1000 || total > maxCommand {
		t.Errorf("the commands have %d lines, want %d at most", total, maxCommand)
	}
}
