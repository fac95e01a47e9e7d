package reference

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
)

//go:embed testdata/truth.jsonl.gz
var file []byte

// Embedded returns the set in the binary, made by
//
//	fibslab train truth truth.jsonl --seed 2027
//	fibslab train truth truth.jsonl --pack cmd/fibslab/internal/reference/testdata/truth.jsonl.gz
func Embedded() ([]Reference, error) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("embedded truth: %w: %w", ErrBadTruth, err)
	}
	ds, err := Parse(z)
	if err != nil {
		return nil, fmt.Errorf("embedded truth, %w", err)
	}
	return ds, nil
}

// Load reads a file, or the set in the binary when path is empty.
func Load(path string) ([]Reference, error) {
	if path == "" {
		return Embedded()
	}
	return Read(path)
}
