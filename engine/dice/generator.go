package dice

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mathext/prng"

	"fibsbot/internal/splitmix"
)

// Generator is a generator of pseudo-random numbers. The zero value is PCG.
type Generator string

// The generators. PCG is small and fast; ChaCha8, ISAAC and BBS are ciphers: their next
// roll cannot be predicted from earlier ones.
const (
	PCG      Generator = ""         // O'Neill's PCG-DXSM of 128 bits, of math/rand/v2
	ChaCha8  Generator = "chacha8"  // Bernstein's stream cipher with 8 rounds, of math/rand/v2
	Mersenne Generator = "mersenne" // MT19937 of Matsumoto and Nishimura
	ISAAC    Generator = "isaac"    // Jenkins' generator of 32-bit words
	MD5      Generator = "md5"      // MD5 of a counter
	BBS      Generator = "bbs"      // Blum, Blum and Shub: slow, one multiplication of 256 bits for a bit
)

// generators lists every generator once: the name of the flags and how a stream starts.
var generators = []struct {
	name      string
	generator Generator
	start     func(seed, stream uint64) rand.Source
}{
	{"pcg", PCG, func(seed, stream uint64) rand.Source { return rand.NewPCG(seed, stream) }},
	{"chacha8", ChaCha8, newChaCha8},
	{"mersenne", Mersenne, newMersenne},
	{"isaac", ISAAC, newISAAC},
	{"md5", MD5, func(seed, stream uint64) rand.Source { return &md5Counter{n: uint32(seed), key: beyond(seed, stream)} }},
	{"bbs", BBS, newBBS},
}

// ErrUnknown is wrapped by errors about unknown generators.
var ErrUnknown = errors.New("unknown generator of dice")

// Names returns the names that Parse reads, the default first.
func Names() []string {
	var names []string
	for _, g := range generators {
		names = append(names, g.name)
	}
	return names
}

// Parse finds a generator by its name, in any case; "" is PCG. The error wraps
// ErrUnknown.
func Parse(name string) (Generator, error) {
	for _, g := range generators {
		if strings.EqualFold(name, g.name) || name == "" {
			return g.generator, nil
		}
	}
	return PCG, unknown(name)
}

func unknown(name string) error {
	return fmt.Errorf("%w %.40q (use %s)", ErrUnknown, name, strings.Join(Names(), ", "))
}

// Check returns an error that wraps ErrUnknown if g, read from a file, is not a generator.
func (g Generator) Check() error {
	for _, known := range generators {
		if g == known.generator {
			return nil
		}
	}
	return unknown(string(g))
}

// String returns the name that Parse reads.
func (g Generator) String() string {
	if g == PCG {
		return generators[0].name
	}
	return string(g)
}

// Source starts a stream of numbers. The same two numbers give the same stream. With
// stream 0 and a seed below 2^32 the 32-bit words of Mersenne and ISAAC, upper half first,
// are those of the reference implementations, those of MD5 are gnubg's. An unknown g gives
// PCG.
func (g Generator) Source(seed, stream uint64) rand.Source {
	for _, known := range generators {
		if g == known.generator {
			return known.start(seed, stream)
		}
	}
	return rand.NewPCG(seed, stream)
}

// New returns Source as a *rand.Rand.
func (g Generator) New(seed, stream uint64) *rand.Rand { return rand.New(g.Source(seed, stream)) }

// Throw returns the next roll: one number of the source, a die from each half. Each side
// of a die is as likely as the others to within one in a billion.
func Throw(from rand.Source) [2]uint8 {
	v := from.Uint64()
	return [2]uint8{uint8(v>>32*6>>32) + 1, uint8(v&0xffffffff*6>>32) + 1}
}

func newChaCha8(seed, stream uint64) rand.Source {
	var key [32]byte
	for i, v := range [...]uint64{seed, stream, splitmix.At(seed, stream), splitmix.At(stream, seed)} {
		binary.LittleEndian.PutUint64(key[8*i:], v)
	}
	return rand.NewChaCha8(key)
}

// newMersenne seeds with one word where that is enough, else by the array of all four.
func newMersenne(seed, stream uint64) rand.Source {
	m := prng.NewMT19937()
	if beyond(seed, stream) == nil {
		m.Seed(seed)
	} else {
		m.SeedFromKeys(words(seed, stream))
	}
	return pairs{m}
}

// pairs makes a Source from 32-bit words, the upper half first.
type pairs struct{ from interface{ Uint32() uint32 } }

func (p pairs) Uint64() uint64 {
	high := p.from.Uint32()
	return uint64(high)<<32 | uint64(p.from.Uint32())
}

// words returns seed and stream as 32-bit words, the lower halves first.
func words(seed, stream uint64) []uint32 {
	return []uint32{uint32(seed), uint32(seed >> 32), uint32(stream), uint32(stream >> 32)}
}

// beyond returns the bytes of seed and stream above a seed of 32 bits, or nil if all are zero.
func beyond(seed, stream uint64) []byte {
	if seed>>32 == 0 && stream == 0 {
		return nil
	}
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, uint32(seed>>32)), stream)
}
