package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"

	"gopkg.in/yaml.v3"

	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
	"fibsbot/internal/atomicfile"
)

var presetName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)

// writePreset adds a preset to a configuration file, or changes the one of that
// name, and keeps all else in the file, comments too.
func writePreset(path, name string, s tune.Setting) error {
	if !presetName.MatchString(name) {
		return usagef("--name: %.60q: lower case letters, digits, - and _, a letter first", name)
	}
	if _, err := preset.ByName(name); err == nil {
		return usagef("--name: %s is the name of a built-in preset", name)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("--write: %v (fibsbot config init makes one)", err)
	}
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	out, err := withPreset(data, name, s)
	if err != nil {
		return usagef("--write: %s: %v", path, err)
	}
	return atomicfile.WriteBytes(path, 0o644, out)
}

// withPreset returns the YAML document data with presets.NAME set.
func withPreset(data []byte, name string, s tune.Setting) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 {
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: no configuration, which maps keys to values", root.Line)
	}
	presets := child(root, "presets")
	if presets.Kind != yaml.MappingNode {
		if presets.Kind != 0 && presets.Tag != "!!null" {
			return nil, fmt.Errorf("line %d: presets: not a map", presets.Line)
		}
		comments := *presets
		*presets = yaml.Node{Kind: yaml.MappingNode, HeadComment: comments.HeadComment, LineComment: comments.LineComment, FootComment: comments.FootComment}
	}
	presets.Style = 0 // {} on one line becomes a block
	p := child(presets, name)
	*p = yaml.Node{Kind: yaml.MappingNode}
	if s.Deep != "" {
		set(p, "base", scalar("!!str", s.Deep))
		if s.Share > 0 {
			for _, key := range []string{"checker", "cube"} {
				m := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
				set(m, "share", scalar("!!float", strconv.FormatFloat(s.Share, 'f', -1, 64)))
				set(p, key, m)
			}
		}
	} else {
		set(p, "base", scalar("!!str", "expert"))
		for _, part := range []struct {
			key    string
			amount float64
		}{{"checker", s.Checker}, {"cube", s.Cube}} {
			m := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
			set(m, "noise", scalar("!!float", strconv.FormatFloat(part.amount, 'f', -1, 64)))
			set(p, part.key, m)
		}
		if s.Style == tune.Human {
			// The amounts are those of the human style then.
			set(p, "style", scalar("!!str", string(tune.Human)))
		}
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
		return nil, err
	}
	return b.Bytes(), enc.Close()
}

func scalar(tag, v string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: v} }

func set(m *yaml.Node, key string, v *yaml.Node) {
	m.Content = append(m.Content, scalar("!!str", key), v)
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
	set(m, key, v)
	return v
}
