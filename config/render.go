package config

import (
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
	renderStruct(&b, reflect.ValueOf(*c), 0)
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
# filters:
#   wide:
#     stages:
#       - {accept: 0, extra: 20, threshold: 0.4}
`

func renderStruct(b *strings.Builder, v reflect.Value, depth int) {
	for i := range v.NumField() {
		sf, f := v.Type().Field(i), v.Field(i)
		key := sf.Tag.Get("yaml")
		if depth == 0 {
			b.WriteString("\n")
		}
		for _, line := range wrap(sf.Tag.Get("doc"), renderWidth-2*depth) {
			indent(b, depth)
			b.WriteString("# " + line + "\n")
		}
		indent(b, depth)
		switch {
		case f.Type() != durationType && f.Kind() == reflect.Struct:
			b.WriteString(key + ":\n")
			renderStruct(b, f, depth+1)
		case f.Kind() == reflect.Slice && f.Len() > 0 && f.Type().Elem().Kind() == reflect.Struct:
			b.WriteString(key + ":\n")
			for j := range f.Len() {
				var item strings.Builder
				renderStruct(&item, f.Index(j), depth+2)
				b.WriteString(dashed(item.String(), depth))
			}
		default:
			b.WriteString(key + ": " + flow(f) + "\n")
		}
	}
}

// dashed turns an item rendered at depth+2 into a list entry: the first key that
// is not a comment carries the dash.
func dashed(item string, depth int) string {
	pad := strings.Repeat("  ", depth+2)
	lines := strings.SplitAfter(item, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, pad) && !strings.HasPrefix(l, pad+"#") {
			lines[i] = pad[:len(pad)-2] + "- " + l[len(pad):]
			break
		}
	}
	return strings.Join(lines, "")
}

func indent(b *strings.Builder, depth int) { b.WriteString(strings.Repeat("  ", depth)) }

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
