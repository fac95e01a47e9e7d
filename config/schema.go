package config

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Keys lists every key of bot.yaml in the order of the file, as error messages
// write them, with [] for the entries of a list and NAME for chosen names:
// accounts[].name, presets.NAME.checker.plies.
func Keys() []string {
	var keys []string
	walk("", reflect.TypeFor[Config](), func(key string, _ reflect.StructField) { keys = append(keys, key) })
	return keys
}

// walk calls see for every key below path that holds a value.
func walk(path string, t reflect.Type, see func(string, reflect.StructField)) {
	for i := range t.NumField() {
		f := t.Field(i)
		key := join(path, f.Tag.Get("yaml"))
		if below, at, ok := section(f.Type); ok {
			walk(key+at, below, see)
			continue
		}
		see(key, f)
	}
}

// section reports whether a type holds keys of its own, and returns that type and the path
// between its key and theirs.
func section(t reflect.Type) (below reflect.Type, at string, ok bool) {
	switch {
	case t.Kind() == reflect.Struct:
		return t, "", true
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return t.Elem(), "[]", true
	case t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Struct:
		return t.Elem(), ".NAME", true
	}
	return nil, "", false
}

// Schema writes a JSON Schema of bot.yaml, by which editors complete keys, show
// their meaning and mark mistakes while typing. Check knows more.
func Schema() ([]byte, error) {
	root := schemaOf(reflect.ValueOf(*Default()), "", "")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "bot.yaml of fibsbot"
	out, err := json.MarshalIndent(root, "", "  ")
	return append(out, '\n'), err
}

type object = map[string]any

func schemaOf(v reflect.Value, doc, enum string) object {
	s := object{}
	if doc != "" {
		s["description"] = doc
	}
	t := v.Type()
	switch {
	case t == durationType:
		s["type"], s["pattern"], s["default"] = "string", `^([0-9.]+(h|m|s|ms|us|ns))+$`, v.Interface().(Duration).String()
	case t.Kind() == reflect.Struct:
		props := object{}
		for i := range t.NumField() {
			f := t.Field(i)
			props[f.Tag.Get("yaml")] = schemaOf(v.Field(i), f.Tag.Get("doc"), f.Tag.Get("enum"))
		}
		s["type"], s["properties"], s["additionalProperties"] = "object", props, false
	case t.Kind() == reflect.Map:
		s["type"], s["additionalProperties"] = "object", schemaOf(reflect.New(t.Elem()).Elem(), "", "")
	case t.Kind() == reflect.Slice:
		s["type"], s["items"] = "array", schemaOf(reflect.New(t.Elem()).Elem(), "", enum)
	case t.Kind() == reflect.Pointer:
		s = schemaOf(reflect.New(t.Elem()).Elem(), doc, enum)
		delete(s, "default")
	case t.Kind() == reflect.Bool:
		s["type"], s["default"] = "boolean", v.Bool()
	case t.Kind() == reflect.Int:
		s["type"], s["default"] = "integer", v.Int()
	case t.Kind() == reflect.Float64:
		s["type"], s["default"] = "number", v.Float()
	default:
		s["type"], s["default"] = "string", v.String()
		if enum != "" {
			s["enum"] = strings.Split(enum, ",")
			if v.String() == "" {
				delete(s, "default")
			}
		}
	}
	return s
}
