package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// renderWidth is where comments in the default file wrap.
const renderWidth = 96

// Render writes the commented default file: every key with its default and one
// line of why. It is what `config init` writes and what bot.yaml in the
// repository holds.
func Render() []byte {
	var b strings.Builder
	b.WriteString("# bot.yaml: what a fibsbot account does. Every key is shown with its default; delete what you do not change.\n")
	b.WriteString("# Check it with `fibsbot config check`. A running bot rereads the file when it changes and on SIGHUP.\n")
	b.WriteString("# Times are written as 90s, 5m or 1h30m; names may be patterns with * and ?.\n")
	c := Default()
	c.Accounts = []Account{{Name: exampleName, PasswordEnv: "FIBSBOT_PASSWORD"}}
	renderStruct(&b, reflect.ValueOf(*c), 0, false)
	b.WriteString(examples)
	return []byte(b.String())
}

// examples close the default file: what the empty lists above may hold.
const examples = `
# Examples for the keys that are empty above:
#
# invitations:
#   rules:
#     - when: {rating: {max: 1599}, hours: "22:00-06:00"}
#       answer: decline
#       say: "at night I play opponents rated 1600 or more"
# strength:
#   rules:
#     - when: {rating: {max: 1500}, experience: {max: 200}}
#       preset: casual
#     - when: {name: "old_friend"}
#       preset: gentle
# presets:
#   gentle:
#     base: expert
#     checker: {noise: 0.03}
#     cube: {noise: 0.05}
# engines:
#   - {name: gnubg, protocol: gnubg, command: gnubg, fallback: expert}
#   - {name: friend, protocol: ubgi, command: ./engine --fast, within: 5s, on_failure: drain}
# filters:
#   wide:
#     stages:
#       - {accept: 0, extra: 20, threshold: 0.4}
`

// renderStruct writes the keys of v; entry makes them an entry of a list.
func renderStruct(b *strings.Builder, v reflect.Value, depth int, entry bool) {
	for i := range v.NumField() {
		sf, f := v.Type().Field(i), v.Field(i)
		key, pad := sf.Tag.Get("yaml"), strings.Repeat("  ", depth)
		if depth == 0 {
			b.WriteString("\n")
		}
		for _, line := range wrap(sf.Tag.Get("doc"), renderWidth-2*depth) {
			b.WriteString(pad + "# " + line + "\n")
		}
		if entry && i == 0 {
			pad = pad[2:] + "- "
		}
		switch {
		case f.Type() != durationType && f.Kind() == reflect.Struct:
			b.WriteString(pad + key + ":\n")
			renderStruct(b, f, depth+1, false)
		case f.Kind() == reflect.Slice && f.Len() > 0 && f.Type().Elem().Kind() == reflect.Struct:
			b.WriteString(pad + key + ":\n")
			for j := range f.Len() {
				renderStruct(b, f.Index(j), depth+2, true)
			}
		default:
			b.WriteString(pad + key + ": " + flow(f) + "\n")
		}
	}
}

// flow writes a value on one line.
func flow(f reflect.Value) string {
	switch f.Kind() {
	case reflect.Map:
		return "{}"
	case reflect.Slice:
		parts := make([]string, f.Len())
		for i := range parts {
			parts[i] = flow(f.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.String:
		s := f.String()
		if s == "" || strings.ContainsAny(s, `:#{}[]*?,'"&!|>%@`) {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
		}
		return s
	}
	return fmt.Sprint(f.Interface())
}

func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+1+len(w) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// ShowJSON is Show as JSON, with the same keys.
func ShowJSON(c *Config) ([]byte, error) {
	text, err := Show(c)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return nil, fmt.Errorf("show configuration: %w", err)
	}
	out, err := json.MarshalIndent(tree, "", "  ")
	return append(out, '\n'), err
}

// Show writes the configuration in force as YAML, with every secret masked.
func Show(c *Config) ([]byte, error) {
	out, err := yaml.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("show configuration: %w", err)
	}
	return out, nil
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

// WithPreset returns the YAML document data with presets.NAME set to preset, which is any value
// that YAML can encode. It keeps everything else, comments too. If data is not a configuration,
// the error names the line.
func WithPreset(data []byte, name string, preset any) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 {
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: not a configuration (no keys)", root.Line)
	}
	presets := child(root, "presets")
	if presets.Kind != yaml.MappingNode {
		if presets.Kind != 0 && presets.Tag != "!!null" {
			return nil, fmt.Errorf("line %d: presets: no keys below it", presets.Line)
		}
		comments := *presets
		*presets = yaml.Node{Kind: yaml.MappingNode, HeadComment: comments.HeadComment, LineComment: comments.LineComment, FootComment: comments.FootComment}
	}
	presets.Style = 0 // {} on one line becomes a block
	if err := child(presets, name).Encode(preset); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
		return nil, err
	}
	return b.Bytes(), enc.Close()
}

// child returns the value of a key of map m, an empty node made for it where the
// key is missing.
func child(m *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	v := &yaml.Node{}
	m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, v)
	return v
}
