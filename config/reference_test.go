package config

import (
	"fmt"
	"reflect"
	"strings"
)

// reference writes the page of all keys in Markdown that docs/configuration.md
// holds. Only the test that keeps the page equal to the code makes it.
func reference() []byte {
	var b strings.Builder
	b.WriteString("# Configuration\n\n")
	b.WriteString("Every key of `bot.yaml`, with its type and default. This page is made from the code by\n")
	b.WriteString("`go test ./config -run TestReference -update`. `fibsbot config init` writes the same as a commented file,\n")
	b.WriteString("`fibsbot config check` reports every problem with file, line and column, `fibsbot config show` prints what is in force.\n\n")
	b.WriteString("Texts under `manners` and `idle` may hold `{" + strings.Join(textPlaceholders["manners"], "}`, `{") + "}`;\n")
	b.WriteString("those under `watch.texts` list theirs at each key. `watch.texts.words` translates `" + strings.Join(watchWords, "`, `") + "`.\n")
	v := reflect.ValueOf(*Default())
	for i := range v.NumField() {
		sf := v.Type().Field(i)
		key := sf.Tag.Get("yaml")
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| key | type | default | meaning |\n|---|---|---|---|\n", key, sf.Tag.Get("doc"))
		referenceRows(&b, v.Field(i), key)
	}
	return []byte(b.String())
}

func referenceRows(b *strings.Builder, v reflect.Value, path string) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		referenceRows(b, reflect.New(t.Elem()).Elem(), path+"[]")
		return
	case t.Kind() == reflect.Map:
		referenceRows(b, reflect.New(t.Elem()).Elem(), path+".NAME")
		return
	}
	for i := range t.NumField() {
		sf, f := t.Field(i), v.Field(i)
		key := path + "." + sf.Tag.Get("yaml")
		ft := sf.Type
		list := ft.Kind() == reflect.Slice && ft.Elem().Kind() == reflect.Struct
		if list {
			fmt.Fprintf(b, "| `%s` | list | `[]` | %s |\n", key, sf.Tag.Get("doc"))
		}
		if ft.Kind() == reflect.Struct && sf.Tag.Get("yaml") == "when" {
			fmt.Fprintf(b, "| `%s` | conditions | | %s |\n", key, sf.Tag.Get("doc"))
		}
		if ft.Kind() == reflect.Struct || list {
			referenceRows(b, f, key)
			continue
		}
		def := ""
		if ft.Kind() != reflect.Pointer {
			def = "`" + flow(f) + "`"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", key, typeName(ft), strings.ReplaceAll(def, "|", `\|`), strings.ReplaceAll(sf.Tag.Get("doc"), "|", `\|`))
	}
}

func typeName(t reflect.Type) string {
	switch {
	case t == durationType:
		return "time"
	case t.Kind() == reflect.Pointer:
		return typeName(t.Elem())
	case t.Kind() == reflect.Slice:
		return "list of " + typeName(t.Elem())
	case t.Kind() == reflect.Map:
		return "names with " + typeName(t.Elem())
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true/false"
	case reflect.Int:
		return "whole number"
	case reflect.Float64:
		return "number"
	}
	return "text"
}
