package config

import (
	"bytes"
	"fmt"

	"gopkg.in/yaml.v3"
)

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
