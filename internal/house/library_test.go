package house

import (
	"go/ast"
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
	_, page, ok := strings.Cut(text(t, "docs/library.md"), imports)
	offered, rest, ok2 := strings.Cut(page, "## What stays as it is")
	if !ok || !ok2 {
		t.Fatal("docs/library.md has lost its headings")
	}
	offers, shown := packagesIn(offered), packagesIn(rest)
	if len(offers) < 20 || len(shown) < 4 {
		t.Fatalf("%d packages are offered, %d shown: this test misreads the page", len(offers), len(shown))
	}
	known := slices.Concat(offers, shown)
	for _, pkg := range known {
		if files, _ := filepath.Glob(filepath.Join("../..", pkg, "*.go")); len(files) == 0 {
			t.Errorf("docs/library.md names fibsbot/%s, which is not there", pkg)
		}
	}
	for _, pkg := range offers {
		for where, name := range foreignTypes(t, pkg) {
			if !slices.Contains(known, name) && !strings.HasPrefix(name, "internal/") { // other modules cannot name internal types
				t.Errorf("%s: fibsbot/%s is offered to others and shows a type of %s, which is not", where, pkg, name)
			}
		}
	}
}

// TestLibrary_everyPackageHasAnExample: docs/library.md says that what it offers is shown by
// tested Examples; one without its output is compiled and not run.
func TestLibrary_everyPackageHasAnExample(t *testing.T) {
	_, page, _ := strings.Cut(text(t, "docs/library.md"), imports)
	offered, _, _ := strings.Cut(page, "## What stays as it is")
	for _, pkg := range packagesIn(offered) {
		files, _ := filepath.Glob(filepath.Join("../..", pkg, "*_test.go"))
		if !slices.ContainsFunc(files, func(name string) bool {
			code, err := os.ReadFile(name)
			return err == nil && strings.Contains(string(code), "\nfunc Example") && strings.Contains(string(code), "// Output:")
		}) {
			t.Errorf("fibsbot/%s is offered to others and has no tested Example", pkg)
		}
	}
}

// notOffered is the last sentence about every package that others may see and should not
// import.
const notOffered = "Part of the program, not of the library: docs/library.md lists what others may import."

// TestHouse_packagesOfTheProgramSaySo: every package is internal, is on the page, or has a doc
// comment that excludes it.
func TestHouse_packagesOfTheProgramSaySo(t *testing.T) {
	known, said := ofTheLibrary(t), 0
	for dir, p := range comments(t) {
		if p.name == "main" || slices.Contains(strings.Split(dir, "/"), "internal") {
			continue
		}
		offered, out := slices.Contains(known, dir), strings.HasSuffix(strings.TrimSpace(p.doc), notOffered)
		switch {
		case offered && out:
			t.Errorf("docs/library.md names fibsbot/%s, which says that it is not of the library", dir)
		case !offered && !out:
			t.Errorf("fibsbot/%s is neither in internal nor in docs/library.md: its documentation must end %q", dir, notOffered)
		}
		said++
	}
	if said < 60 {
		t.Fatalf("only %d packages seen", said)
	}
}

// TestHouse_ofOneTreeIsInternal: a package that is not on the page and that only its own tree
// imports, tests included, is internal, so that no other tree can import it. Other packages off
// the page are shared by two trees or are called by a command.
func TestHouse_ofOneTreeIsInternal(t *testing.T) {
	offered := ofTheLibrary(t)
	tree := func(pkg string) string { first, _, _ := strings.Cut(pkg, "/"); return first }
	outside, all := map[string]bool{}, []string{}
	for _, p := range packages(t) {
		pkg := strings.TrimPrefix(p.ImportPath, "fibsbot/")
		if p.Name != "main" {
			all = append(all, pkg)
		}
		for _, dep := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if dep, ours := strings.CutPrefix(dep, "fibsbot/"); ours && tree(dep) != tree(pkg) {
				outside[dep] = true
			}
		}
	}
	for _, pkg := range all {
		if !outside[pkg] && !slices.Contains(offered, pkg) && !slices.Contains(strings.Split(pkg, "/"), "internal") {
			t.Errorf("fibsbot/%s is imported in %s/ only and docs/library.md does not offer it: it belongs in an internal folder", pkg, tree(pkg))
		}
	}
}

// comment is what a package says of itself.
type comment struct {
	name, doc string
	said      bool // there is a comment, of whatever form
}

// comments returns the packages with code, by folder.
func comments(t *testing.T) map[string]comment {
	t.Helper()
	out := map[string]comment{}
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		p := out[f.dir]
		if p.name, p.said = f.Name.Name, p.said || f.Doc != nil; strings.HasPrefix(f.Doc.Text(), "Package ") {
			p.doc = strings.ReplaceAll(f.Doc.Text(), "\n", " ")
		}
		out[f.dir] = p
	}
	return out
}

// imports is the heading of docs/library.md above the packages.
const imports = "## What you may import"

// ofTheLibrary lists the packages that docs/library.md names.
func ofTheLibrary(t *testing.T) []string {
	t.Helper()
	_, page, _ := strings.Cut(text(t, "docs/library.md"), imports)
	return packagesIn(page)
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

// foreignTypes returns, by place, the other packages of this module whose types a package
// exports.
func foreignTypes(t *testing.T, pkg string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range sources(t) {
		if f.dir != pkg || f.test {
			continue
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
						out[positions.Position(s.Pos()).String()] = ours[x.Name]
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
