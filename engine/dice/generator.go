package dice

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"fibsbot/internal/splitmix"
)

// Generator is a generator of pseudo-random numbers. The zero value is PCG.
type Generator string

// The generators: PCG (O'Neill's PCG-DXSM of 128 bits), small and fast; ChaCha8
// (Bernstein's stream cipher of 8 rounds), whose rolls nobody can foresee from those
// that were.
const (
	PCG     Generator = ""
	ChaCha8 Generator = "chacha8"
)

// ErrUnknown is wrapped by errors about names that are no generator.
var ErrUnknown = errors.New("unknown generator of dice")

// Names are what Parse reads, the usual one first.
const Names = "pcg, chacha8"

// Parse finds a generator by its name, in any case; "" is PCG. The error wraps
// ErrUnknown.
func Parse(name string) (Generator, error) {
	switch strings.ToLower(name) {
	case "", "pcg":
		return PCG, nil
	case "chacha8", "chacha":
		return ChaCha8, nil
	}
	return PCG, fmt.Errorf("%w %.40q, there are %s", ErrUnknown, name, Names)
}

// Check reports a value that is no generator, as a file may hold it; the error wraps
// ErrUnknown.
func (g Generator) Check() error {
	if g != PCG && g != ChaCha8 {
		return fmt.Errorf("%w %.40q, there are %s", ErrUnknown, string(g), Names)
	}
	return nil
}

// Source starts a stream of numbers. Streams of one seed do not overlap in any use
// here, and the same two numbers give the same stream.
func (g Generator) Source(seed, stream uint64) rand.Source {
	if g != ChaCha8 {
		return rand.NewPCG(seed, stream)
	}
	var key [32]byte
	for i, v := range [...]uint64{seed, stream, splitmix.At(seed, stream), splitmix.At(stream, seed)} {
		binary.LittleEndian.PutUint64(key[8*i:], v)
	}
	return rand.NewChaCha8(key)
}

// New is Source as a *rand.Rand.
func (g Generator) New(seed, stream uint64) *rand.Rand { return rand.New(g.Source(seed, stream)) }
