package train

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
)

//go:embed testdata/decisions.bin.gz
var decisionsFile []byte

//go:embed testdata/valid.bin.gz
var validFile []byte

// BenchDecisions returns the decisions that nets are measured by: drawn and rated
// by `fibsbot train decisions`, never trained on.
func BenchDecisions() ([]Decision, error) { return ParseDecisions(bytes.NewReader(decisionsFile)) }

// BenchPositions returns the labelled positions that nets are measured by, never
// trained on: gnubg 2-ply labels.
func BenchPositions() ([]Record, error) {
	z, err := gzip.NewReader(bytes.NewReader(validFile))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadRecord, err)
	}
	b, err := io.ReadAll(z)
	if err != nil || len(b)%RecordSize != 0 {
		return nil, fmt.Errorf("%w: embedded positions: %d bytes, %w", ErrBadRecord, len(b), err)
	}
	out := make([]Record, len(b)/RecordSize)
	for i := range out {
		out[i].Parse(b[i*RecordSize:])
	}
	return out, nil
}
