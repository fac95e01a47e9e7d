package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
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
	page, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "## What you may import")
	offered, _, _ := strings.Cut(text, "## What stays as it is")
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
	page, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "## What you may import")
	known, said := packagesIn(text), 0
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join("../..", top), func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || !hasCode(dir) {
				return err
			}
			pkg := filepath.ToSlash(strings.TrimPrefix(filepath.Clean(dir), filepath.Clean("../..")+string(filepath.Separator)))
			doc, name := packageDoc(t, dir)
			if name == "main" || slices.Contains(strings.Split(pkg, "/"), "internal") || slices.Contains(strings.Split(pkg, "/"), "testdata") {
				return nil
			}
			offered, out := slices.Contains(known, pkg), strings.HasSuffix(strings.TrimSpace(doc), notOffered)
			switch {
			case offered && out:
				t.Errorf("docs/library.md names fibsbot/%s, which says that it is not of the library", pkg)
			case !offered && !out:
				t.Errorf("fibsbot/%s is neither in internal nor in docs/library.md: its documentation must end %q", pkg, notOffered)
			}
			said++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if said < 60 {
		t.Fatalf("only %d packages seen", said)
	}
}

// TestHouse_ofOneTreeIsInternal: a package that is not on the page and that only its own tree
// imports, tests included, is internal, so that no other tree can import it. Other packages off
// the page are shared by two trees or are called by a command.
func TestHouse_ofOneTreeIsInternal(t *testing.T) {
	page, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "## What you may import")
	offered := packagesIn(text)
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{.Name}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`, "fibsbot/...").Output()
	if err != nil {
		t.Skipf("skipped: go list: %v", err)
	}
	tree := func(pkg string) string { first, _, _ := strings.Cut(pkg, "/"); return first }
	outside, all := map[string]bool{}, []string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg, _ := strings.CutPrefix(words[0], "fibsbot/")
		if words[1] != "main" {
			all = append(all, pkg)
		}
		for _, dep := range words[2:] {
			if dep, ours := strings.CutPrefix(dep, "fibsbot/"); ours && tree(dep) != tree(pkg) {
				outside[dep] = true
			}
		}
	}
	if len(all) < 100 {
		t.Fatalf("only %d packages seen", len(all))
	}
	for _, pkg := range all {
		if !outside[pkg] && !slices.Contains(offered, pkg) && !slices.Contains(strings.Split(pkg, "/"), "internal") {
			t.Errorf("fibsbot/%s is imported in %s/ only and docs/library.md does not offer it: it belongs in an internal folder", pkg, tree(pkg))
		}
	}
}

// packageDoc returns a package's doc comment and its name.
func packageDoc(t *testing.T, dir string) (doc, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if name = f.Name.Name; strings.HasPrefix(f.Doc.Text(), "Package ") {
			return strings.ReplaceAll(f.Doc.Text(), "\n", " "), name
		}
	}
	return "", name
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
