// Package weights holds the nets the bot plays with: a file in the binary and a
// way to load another one.
//
// The file's format is engine/nn's (nn.Write, nn.Read); its manifest says how
// the nets were trained and how strong they measured. fibsbot.weights is
// replaced by the training gate, never by hand.
package weights

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"fibsbot/engine/nn"
)

//go:embed fibsbot.weights
var file []byte

var embedded = sync.OnceValues(func() (*nn.Set, error) {
	s, err := nn.Read(file)
	if err != nil {
		return nil, fmt.Errorf("load embedded weights: %w", err)
	}
	return s, nil
})

// Embedded returns the nets in the binary. They are read on the first call, in
// about a hundredth of a second, and shared by all later ones.
func Embedded() (*nn.Set, error) { return embedded() }

// File returns a copy of the weights file in the binary.
func File() []byte { return slices.Clone(file) }

// Load reads the nets of a weights file. The error names the path and wraps
// nn.ErrNotWeights, nn.ErrDamaged, nn.ErrInputsVersion or nn.ErrBadWeights when
// the file is not usable, or the operating system's error when it cannot be
// read. An empty path means Embedded.
func Load(path string) (*nn.Set, error) {
	if path == "" {
		return Embedded()
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load weights: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, nn.MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("load weights %q: %w", path, err)
	}
	if len(data) > nn.MaxFile {
		return nil, fmt.Errorf("load weights %q: %w: larger than %d bytes", path, nn.ErrNotWeights, nn.MaxFile)
	}
	s, err := nn.Read(data)
	if err != nil {
		return nil, fmt.Errorf("load weights %q: %w", path, err)
	}
	return s, nil
}
