package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"fibsbot/internal/fileerr"
	"fibsbot/internal/nearest"
	"fibsbot/internal/subprocess"
)

const (
	// maxFileSize bounds a configuration file. A real one is a few kilobytes;
	// the limit keeps a mistaken path (a log, a disk) from filling memory.
	maxFileSize = 1 << 20
	// maxNodes bounds how many values a file may expand to, so that YAML
	// aliases cannot multiply a small file into a huge one.
	maxNodes = 50_000
)

// Error is one problem in a configuration file. Line and Column count from 1
// and are 0 when the problem belongs to the file as a whole.
type Error struct {
	File         string
	Line, Column int
	Field        string
	Problem      string
}

// Error returns file:line:column: field: problem, without the parts that are
// not known.
func (e Error) Error() string {
	var b strings.Builder
	b.WriteString(cmp.Or(e.File, "configuration"))
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	b.WriteString(e.Problem)
	return b.String()
}

// Errors are all problems of one file, in the order of the file.
type Errors []Error

// Error returns one line a problem.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// place is the position of a value in the file.
type place struct{ line, column int }

// Source remembers where each value of a configuration was written, so that
// Check can point at it.
type Source struct {
	File   string
	places map[string]place
}

// ErrorAt makes an Error for field, at its own place or, when the file does not
// have it, at the nearest place above it.
func (s *Source) ErrorAt(field, format string, args ...any) Error {
	for i, a := range args {
		if err, ok := a.(error); ok {
			args[i] = fileerr.Text(err)
		}
	}
	e := Error{File: s.File, Field: field, Problem: fmt.Sprintf(format, args...)}
	for f := field; ; {
		if p, ok := s.places[f]; ok {
			e.Line, e.Column = p.line, p.column
			return e
		}
		i := strings.LastIndexAny(f, ".[")
		if i < 0 {
			return e
		}
		f = f[:i]
	}
}

// Load reads a configuration file over the defaults. The error is an Errors with all
// problems of syntax, unknown keys and wrong types, without those that Check finds.
func Load(file string) (*Config, *Source, error) {
	data, err := readConfig("configuration", file)
	if err != nil {
		return nil, nil, err
	}
	return Parse(file, data)
}

// readConfig reads a file; what names it in errors.
func readConfig(what, file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, fileerr.Plain(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, fileerr.Plain(err))
	}
	return data, nil
}

// Parse is Load for text already in memory; file only names it in errors.
func Parse(file string, data []byte) (*Config, *Source, error) {
	c, src, err := parse(file, data)
	if err != nil {
		return nil, src, err
	}
	return c, src, nil
}

// parse is Parse, but returns what it understood even with an error if the text is YAML.
func parse(file string, data []byte) (*Config, *Source, error) {
	c := Default()
	src, errs, ok := decode(file, data, c)
	if !ok {
		return nil, src, errs
	}
	c.translate()
	subprocess.Hide(c.secretVariables()...)
	if len(errs) > 0 {
		return c, src, errs
	}
	return c, src, nil
}

// Read reads another YAML file, which errors of the file system call what, by the rules of
// bot.yaml into the struct that into points to: the tags of its fields say what its keys are,
// their defaults and their bounds. Other errors are an Errors.
func Read(what, file string, into any) (*Source, error) {
	data, err := readConfig(what, file)
	if err != nil {
		return nil, err
	}
	v := reflect.ValueOf(into).Elem()
	setDefaults(v)
	src, errs, _ := decode(file, data, into)
	if len(errs) == 0 {
		k := &checker{c: &Config{}, src: src}
		visit(v, "", "", k.value)
		errs = k.errs
	}
	if len(errs) > 0 {
		return src, errs
	}
	return src, nil
}

// decode reads data over what the struct that into points to has; ok is false if it is no YAML.
func decode(file string, data []byte, into any) (src *Source, errs Errors, ok bool) {
	src = &Source{File: file, places: map[string]place{}}
	if len(data) > maxFileSize {
		return src, Errors{src.ErrorAt("", "more than %d bytes: not a bot.yaml", maxFileSize)}, false
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return src, nil, true
	case err != nil:
		return src, Errors{syntaxError(src, err)}, false
	}
	var second yaml.Node
	if err := dec.Decode(&second); err == nil {
		return src, Errors{{File: file, Line: second.Line, Column: second.Column, Problem: "a second YAML document (only one is read)"}}, false
	} else if !errors.Is(err, io.EOF) {
		return src, Errors{syntaxError(src, err)}, false
	}
	d := decoder{src: src}
	if len(doc.Content) == 1 {
		d.value(doc.Content[0], reflect.ValueOf(into).Elem(), "", "")
	}
	return src, d.errs, true
}

// syntaxError turns yaml.v3's "yaml: line 3: ..." into an Error.
func syntaxError(src *Source, err error) Error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	e := Error{File: src.File, Problem: "not valid YAML: " + text}
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if num, problem, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(num); err == nil {
				e.Line, e.Column, e.Problem = n, 1, "not valid YAML: "+problem
			}
		}
	}
	return e
}

// renamed are old names of keys with their new ones.
var renamed = map[string]string{
	"watch.from": "watch.min_loss",
}

type decoder struct {
	src   *Source
	errs  Errors
	nodes int
}

func (d *decoder) fail(n *yaml.Node, field, format string, args ...any) {
	d.errs = append(d.errs, Error{
		File: d.src.File, Line: n.Line, Column: n.Column, Field: field, Problem: fmt.Sprintf(format, args...),
	})
}

var (
	durationType = reflect.TypeFor[Duration]()
)

// value decodes n into v. A null keeps the default.
func (d *decoder) value(n *yaml.Node, v reflect.Value, field, enum string) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if d.nodes++; d.nodes > maxNodes {
		if d.nodes == maxNodes+1 {
			d.fail(n, field, "more than %d values (nested aliases?)", maxNodes)
		}
		return
	}
	d.src.places[field] = place{n.Line, n.Column}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	switch {
	case v.Type() == durationType:
		d.duration(n, v, field)
	case v.Kind() == reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.value(n, p.Elem(), field, enum)
		v.Set(p)
	case v.Kind() == reflect.Struct:
		d.mapping(n, v, field)
	case v.Kind() == reflect.Map:
		d.table(n, v, field)
	case v.Kind() == reflect.Slice:
		d.list(n, v, field, enum)
	default:
		d.scalar(n, v, field, enum)
	}
}

// keys calls each with every key of n, its value and its full name. instead is what the field
// wants if it has no keys.
func (d *decoder) keys(n *yaml.Node, field, instead string, each func(key, val *yaml.Node, name string)) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, field, "%s instead of %s", describe(n), instead)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, name := n.Content[i], join(field, n.Content[i].Value)
		if seen[key.Value] {
			d.fail(key, name, "given twice")
			continue
		}
		seen[key.Value] = true
		each(key, n.Content[i+1], name)
	}
}

func (d *decoder) mapping(n *yaml.Node, v reflect.Value, field string) {
	known := keysOf(v.Type())
	d.keys(n, field, "keys", func(key, val *yaml.Node, name string) {
		i := slices.Index(known, key.Value)
		is, old := renamed[name]
		switch {
		case i >= 0:
			d.value(val, v.Field(i), name, v.Type().Field(i).Tag.Get("enum"))
		case old:
			d.fail(key, name, "unknown key (renamed to %s)", is)
		default:
			d.fail(key, name, "unknown key%s", suggest(key.Value, known))
		}
	})
}

func (d *decoder) table(n *yaml.Node, v reflect.Value, field string) {
	if n.Kind == yaml.MappingNode {
		v.Set(reflect.MakeMap(v.Type()))
	}
	d.keys(n, field, "names with values", func(key, val *yaml.Node, name string) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(val, e, name, "")
		v.SetMapIndex(reflect.ValueOf(key.Value), e)
	})
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, field, enum string) {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, field, "%s instead of a list (use [a, b], or lines that begin with '- ')", describe(n))
		return
	}
	s := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, c := range n.Content {
		d.value(c, s.Index(i), fmt.Sprintf("%s[%d]", field, i), enum)
	}
	v.Set(s)
}

func (d *decoder) duration(n *yaml.Node, v reflect.Value, field string) {
	if n.Kind != yaml.ScalarNode {
		d.fail(n, field, "%s is not a time (use 90s, 5m or 1h30m)", describe(n))
		return
	}
	t, err := time.ParseDuration(n.Value)
	if err != nil || t < 0 {
		d.fail(n, field, "%q is not a time (use 90s, 5m or 1h30m)", n.Value)
		return
	}
	v.SetInt(int64(t))
}

func (d *decoder) scalar(n *yaml.Node, v reflect.Value, field, enum string) {
	if n.Kind != yaml.ScalarNode {
		d.fail(n, field, "%s instead of one value", describe(n))
		return
	}
	switch v.Kind() {
	case reflect.String:
		if enum != "" && !slices.Contains(strings.Split(enum, ","), n.Value) {
			d.fail(n, field, "unknown value %s (use %s)", describe(n), strings.ReplaceAll(strings.TrimPrefix(enum, ","), ",", ", "))
			return
		}
		if n.Tag == "!!bool" {
			d.fail(n, field, "%s is not text (put it in quotes if it is meant)", n.Value)
			return
		}
		v.SetString(n.Value)
	case reflect.Bool:
		if n.Tag != "!!bool" || (n.Value != "true" && n.Value != "false") {
			d.fail(n, field, "%s is not true or false", describe(n))
			return
		}
		v.SetBool(n.Value == "true")
	case reflect.Int:
		i, err := strconv.Atoi(n.Value)
		// A leading zero means octal in YAML and nothing to a person.
		if err != nil || (len(n.Value) > 1 && strings.TrimLeft(n.Value, "+-")[0] == '0') || n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
			d.fail(n, field, "%s is not a whole number", describe(n))
			return
		}
		v.SetInt(int64(i))
	case reflect.Float64:
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || (n.Tag != "!!int" && n.Tag != "!!float") {
			d.fail(n, field, "%s is not a number", describe(n))
			return
		}
		v.SetFloat(f)
	}
}

// describe names a value of the wrong type. It does not quote long texts, which could be
// misplaced passwords.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys"
	case yaml.SequenceNode:
		return "a list"
	}
	if len(n.Value) > 20 {
		return "a text"
	}
	return strconv.Quote(n.Value)
}

func join(field, key string) string {
	if field == "" {
		return key
	}
	return field + "." + key
}

func keysOf(t reflect.Type) []string {
	keys := make([]string, t.NumField())
	for i := range keys {
		keys[i] = t.Field(i).Tag.Get("yaml")
	}
	return keys
}

// suggest returns the known key most like a misspelt one, or all of them.
func suggest(got string, known []string) string {
	if near := nearest.Of(got, known); len(near) > 0 {
		return fmt.Sprintf(" (did you mean %s?)", near[0])
	}
	return " (use " + strings.Join(known, ", ") + ")"
}

// Problems reads a configuration and returns every problem of it, those of single
// values and those of unknown keys, in the order of the file. The
// configuration is nil when the file cannot be read as YAML at all; with problems it
// is not to be used. The error is an Errors, or one of the file system.
func Problems(file string, known Known) (*Config, *Source, error) {
	data, err := readConfig("configuration", file)
	if err != nil {
		return nil, nil, err
	}
	c, src, err := parse(file, data)
	var bad Errors
	if err != nil && (!errors.As(err, &bad) || c == nil) {
		return nil, src, err
	}
	all := slices.Clone(bad)
	for _, e := range Check(c, src, known) {
		// A wrong value was not decoded; what Check finds in the default in its place
		// would mislead.
		if !slices.ContainsFunc(bad, func(b Error) bool { return touches(b.Field, e.Field) }) {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return c, src, nil
	}
	slices.SortStableFunc(all, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return c, src, all
}

// touches reports whether two keys are equal or one is below the other.
func touches(a, b string) bool {
	below := func(a, b string) bool {
		rest, ok := strings.CutPrefix(b, a)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	return below(a, b) || below(b, a)
}
