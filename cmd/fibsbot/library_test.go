package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLibrary_isWhatThePageSays holds docs/library.md to the tree: the packages it names
// are there, and what those that others may import show of themselves is made of types
// of the packages it names. A type of the program in a signature would bind the program.
func TestLibrary_isWhatThePageSays(t *testing.T) {
	page, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), "## What you may import")
	offered, rest, ok2 := strings.Cut(text, "## What stays as it is")
	if !ok || !ok2 {
		t.Fatal("docs/library.md has lost its headings")
	}
	offers, shown := packagesIn(offered), packagesIn(rest)
	if len(offers) < 20 || len(shown) < 4 {
		t.Fatalf("%d packages are offered, %d shown: the page is not read rightly", len(offers), len(shown))
	}
	known := slices.Concat(offers, shown)
	for _, pkg := range known {
		if files, _ := filepath.Glob(filepath.Join("../..", pkg, "*.go")); len(files) == 0 {
			t.Errorf("docs/library.md names fibsbot/%s, which is not there", pkg)
		}
	}
	for _, pkg := range offers {
		for where, name := range foreignTypes(t, pkg) {
			if !slices.Contains(known, name) && !strings.HasPrefix(name, "internal/") { // which nobody else can name
				t.Errorf("%s: fibsbot/%s is offered to others and shows a type of %s, which is not", where, pkg, name)
			}
		}
	}
}

var codeSpan = regexp.MustCompile("`(fibsbot)?(/[a-z/]+)`")

// packagesIn lists the packages that a part of the page names in full, or behind one of
// their folder by the last word alone.
func packagesIn(text string) (out []string) {
	folder := ""
	for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
		name := strings.TrimPrefix(m[2], "/")
		if m[1] == "" {
			name = path.Join(folder, name)
		} else {
			folder = path.Dir(name)
		}
		out = append(out, name)
	}
	return out
}

// foreignTypes are the packages of ours whose types stand in what a package exports, by
// the place where they do.
func foreignTypes(t *testing.T, pkg string) map[string]string {
	t.Helper()
	out := map[string]string{}
	set := token.NewFileSet()
	files, err := filepath.Glob(filepath.Join("../..", pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ours := map[string]string{}
		for _, i := range f.Imports {
			full, _ := strconv.Unquote(i.Path.Value)
			if name, ok := strings.CutPrefix(full, "fibsbot/"); ok {
				alias := path.Base(name)
				if i.Name != nil {
					alias = i.Name.Name
				}
				ours[alias] = name
			}
		}
		see := func(n ast.Node) {
			ast.Inspect(n, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && ours[x.Name] != "" {
						out[set.Position(s.Pos()).String()] = ours[x.Name]
					}
				}
				return true
			})
		}
		for _, d := range f.Decls {
			exported(d, see)
		}
	}
	return out
}

// exported calls see with the types that a declaration shows to other packages.
func exported(d ast.Decl, see func(ast.Node)) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || receiver(d).IsExported()) {
			see(d.Type)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					seeType(s.Type, see)
				}
			case *ast.ValueSpec:
				if s.Type != nil && s.Names[0].IsExported() {
					see(s.Type)
				}
			}
		}
	}
}

// seeType shows a type without the fields that others cannot reach.
func seeType(x ast.Expr, see func(ast.Node)) {
	s, ok := x.(*ast.StructType)
	if !ok {
		see(x)
		return
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 || f.Names[0].IsExported() {
			see(f.Type)
		}
	}
}

// receiver names the type that a method belongs to.
func receiver(d *ast.FuncDecl) *ast.Ident {
	x := d.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y
		default:
			return ast.NewIdent("_")
		}
	}
}
