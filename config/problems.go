package config

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// Problems reads a configuration and returns every problem of it, those of single
// values and those of unknown keys, in the order of the file. The
// configuration is nil when the file cannot be read as YAML at all; with problems it
// is not to be used. The error is an Errors, or one of the file system.
func Problems(file string, known Known) (*Config, *Source, error) {
	data, err := readConfig(file)
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
