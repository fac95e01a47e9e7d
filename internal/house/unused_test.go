package house

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// exports are the names that the packages of the program declare for others, and who names them.
type exports struct {
	declared map[string]token.Position // by folder and name
	groups   map[string]string         // first name of the group of constants, by folder and name
	named    map[string]bool           // by name alone, and, with the folder before it, shown by another export
	used     map[string]bool           // groups of which a member is named elsewhere
}

// add reads a file. Names in its own folder count if another exported declaration shows them.
func (e *exports) add(f source) {
	dir := f.dir
	ast.Inspect(f.File, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && !ast.IsExported(x.Name) {
				e.named[s.Sel.Name] = true
			}
		}
		return true
	})
	if f.test || f.Name.Name == "main" {
		return
	}
	shows := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt, *ast.SelectorExpr:
				return false
			case *ast.Ident:
				e.named[dir+"."+n.Name] = true
			}
			return true
		})
	}
	declare := func(id *ast.Ident, first string) {
		if id.IsExported() && !strings.HasPrefix(id.Name, "Err") {
			e.declared[dir+"."+id.Name] = positions.Position(id.Pos())
			e.groups[dir+"."+id.Name] = first
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				shows(d.Type)
			}
			if d.Recv == nil {
				declare(d.Name, "")
			}
		case *ast.GenDecl:
			first := ""
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						shows(s.Type)
					}
					if t, ok := s.Type.(*ast.StructType); !ok || !isShape(t) {
						declare(s.Name, "")
					}
				case *ast.ValueSpec:
					for _, id := range s.Names {
						if first == "" {
							first = dir + "." + id.Name
						}
						declare(id, first)
					}
				}
			}
		}
	}
}

// isShape reports whether a struct is the shape of a document: its fields have tags.
func isShape(t *ast.StructType) bool {
	return slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool { return f.Tag != nil })
}

// TestHouse_exportedNamesAreUsed: what no other package names, tests included, is not exported. Packages
// offered in docs/library.md, errors, shapes of documents and constants beside one that is used are exempt.
func TestHouse_exportedNamesAreUsed(t *testing.T) {
	offered := ofTheLibrary(t)
	e := exports{map[string]token.Position{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
	for _, f := range sources(t) {
		e.add(f)
	}
	plain := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	for name, group := range e.groups {
		if group != "" && (e.named[plain(name)] || e.named[name]) {
			e.used[group] = true
		}
	}
	for name, at := range e.declared {
		pkg := strings.TrimSuffix(name, "."+plain(name))
		if !e.named[plain(name)] && !e.named[name] && !e.used[e.groups[name]] && !slices.Contains(offered, pkg) {
			t.Errorf("%s: no other package names %s: unexport or remove it", at, plain(name))
		}
	}
	if len(e.declared) < 1000 {
		t.Fatalf("only %d exported names seen", len(e.declared))
	}
}
