package config

import (
	"fmt"
	"reflect"

	"gopkg.in/yaml.v3"
)

// Default returns the configuration that holds where a file says nothing: the tag default of
// each key. It has no accounts.
func Default() *Config {
	c := &Config{}
	setDefaults(reflect.ValueOf(c).Elem())
	return c
}

// setDefaults reads the tags of the fields of v: text as it is, other values as in a file.
func setDefaults(v reflect.Value) {
	d := decoder{src: &Source{places: map[string]place{}}}
	for i := range v.NumField() {
		sf, f := v.Type().Field(i), v.Field(i)
		text, ok := sf.Tag.Lookup("default")
		switch {
		case f.Kind() == reflect.Struct:
			setDefaults(f)
		case ok && f.Kind() == reflect.String:
			f.SetString(text)
		case ok && f.Kind() != reflect.Slice && f.Kind() != reflect.Map:
			n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
			n.Tag = n.ShortTag()
			d.value(n, f, sf.Name, "")
		case ok:
			var n yaml.Node
			if err := yaml.Unmarshal([]byte(text), &n); err != nil {
				panic(fmt.Sprintf("config: default of %s: %v", sf.Name, err))
			}
			d.value(n.Content[0], f, sf.Name, "")
		}
	}
	if len(d.errs) > 0 {
		panic(d.errs)
	}
}
