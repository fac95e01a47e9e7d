package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"fibsbot/config"
	"fibsbot/internal/testsize"
)

// keyTest shows that a key of bot.yaml does something: with value in the file
// see tells want, and without it something else. A key whose effect is better
// seen inside its package names the test there instead, as "folder Test", and a
// word of it that proves that the key is meant.
type keyTest struct {
	key   string
	value string // YAML
	with  string // what the file holds besides, YAML in flow style
	see   func(*testing.T, *config.Config) string
	want  string // part of what is seen

	elsewhere, word string
}

// keyTests are all of them; the tables are in the files beside this one.
func keyTests() []keyTest {
	return slices.Concat(connectionKeys(), policyKeys(), strengthKeys(), talkKeys(), fileKeys(), watchKeys())
}

// configKeys lists the keys of bot.yaml below path in the order of the file, as error messages
// write them, with [] for the entries of a list and NAME for chosen names: accounts[].name,
// presets.NAME.checker.plies.
func configKeys(path string, t reflect.Type) (keys []string) {
	for i := range t.NumField() {
		key := strings.TrimPrefix(path+"."+t.Field(i).Tag.Get("yaml"), ".")
		switch f := t.Field(i).Type; {
		case f.Kind() == reflect.Struct:
			keys = append(keys, configKeys(key, f)...)
		case f.Kind() == reflect.Slice && f.Elem().Kind() == reflect.Struct:
			keys = append(keys, configKeys(key+"[]", f.Elem())...)
		case f.Kind() == reflect.Map && f.Elem().Kind() == reflect.Struct:
			keys = append(keys, configKeys(key+".NAME", f.Elem())...)
		default:
			keys = append(keys, key)
		}
	}
	return keys
}

// TestKeys_everyKeyIsTestedAndDocumented walks the types of the configuration:
// each key must have a line in docs/configuration.md and bot.yaml and a test.
func TestKeys_everyKeyIsTestedAndDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join("..", "..", "bot.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, k := range keyTests() {
		tested[k.key] = true
	}
	keys := configKeys("", reflect.TypeFor[config.Config]())
	if len(keys) < 140 {
		t.Fatalf("only %d keys were found", len(keys))
	}
	for _, k := range keys {
		if !tested[k] {
			t.Errorf("%s: no test shows what it does", k)
		}
		delete(tested, k)
		line := ""
		for l := range strings.SplitSeq(string(page), "\n") {
			if strings.HasPrefix(l, "| `"+k+"` |") {
				line = l
			}
		}
		if cells := strings.Split(line, "|"); len(cells) < 6 || len(strings.TrimSpace(cells[len(cells)-2])) < 10 {
			t.Errorf("%s: no line with its meaning in docs/configuration.md", k)
		}
		name := k[strings.LastIndexAny(k, ".]")+1:]
		if !bytes.Contains(file, []byte(name+":")) && !strings.Contains(k, "NAME") && !strings.Contains(k, "rules[]") {
			t.Errorf("%s: not in bot.yaml", k)
		}
	}
	for k := range maps.Keys(tested) {
		t.Errorf("%s: tested, and no key", k)
	}
}

// TestKeys_eachHasAnEffect sets each key alone and looks for its effect.
func TestKeys_eachHasAnEffect(t *testing.T) {
	t.Setenv("PW_KEYS", "fromenv")
	t.Setenv("DSN_KEYS", keysDSN)
	for i, k := range keyTests() {
		name := k.key
		if k.value != "" {
			name += " " + k.value
		}
		t.Run(name, func(t *testing.T) {
			if i%8 != 4 {
				testsize.Large(t)
			}
			t.Parallel() // most of them wait
			if k.elsewhere != "" {
				named(t, k.elsewhere, k.word)
				return
			}
			if k.want == "" || strings.Contains(k.see(t, keyConfig(t, k.with, "", "")), k.want) {
				t.Fatalf("without the key %q is seen too", k.want)
			}
			if got := k.see(t, keyConfig(t, k.with, k.key, k.value)); !strings.Contains(got, k.want) {
				t.Errorf("seen %q, want %q", got, k.want)
			}
		})
	}
}

// keyConfig makes a configuration as a file with these keys gives it.
func keyConfig(t *testing.T, with, key, value string) *config.Config {
	t.Helper()
	tree := map[string]any{}
	if err := yaml.Unmarshal([]byte("{"+with+"}"), &tree); err != nil {
		t.Fatal(err)
	}
	if key != "" {
		var v any
		if err := yaml.Unmarshal([]byte(value), &v); err != nil {
			t.Fatal(err)
		}
		put(tree, strings.Split(strings.ReplaceAll(strings.ReplaceAll(key, "[]", ".[]"), "NAME", "mine"), "."), v)
	}
	text, err := yaml.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := config.Parse("bot.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c
}

// put sets a value below a tree of maps and lists; [] is the first entry.
func put(tree map[string]any, path []string, v any) {
	if len(path) == 1 {
		tree[path[0]] = v
		return
	}
	if path[1] == "[]" {
		list, _ := tree[path[0]].([]any)
		if len(list) == 0 {
			list = []any{map[string]any{}}
		}
		tree[path[0]] = list
		put(list[0].(map[string]any), path[2:], v)
		return
	}
	below, _ := tree[path[0]].(map[string]any)
	if below == nil {
		below = map[string]any{}
		tree[path[0]] = below
	}
	put(below, path[1:], v)
}

// named checks that a test function exists and holds a word.
func named(t *testing.T, test, word string) {
	t.Helper()
	dir, name, _ := strings.Cut(test, " ")
	files, err := filepath.Glob(filepath.Join("..", "..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name {
				body := src[set.Position(fn.Pos()).Offset:set.Position(fn.End()).Offset]
				if word == "" || !bytes.Contains(body, []byte(word)) {
					t.Errorf("%s does not speak of %q", test, word)
				}
				return
			}
		}
	}
	t.Errorf("there is no %s", test)
}

// lines joins what is seen.
func lines(v ...any) string { return strings.TrimSuffix(fmt.Sprintln(v...), "\n") }
