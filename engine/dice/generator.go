package dice

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
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

// md5Counter hashes a counter of 32 bits, little-endian, followed by key.
type md5Counter struct {
	n   uint32
	key []byte
}

// Uint64 returns the first eight bytes of the next hash as two little-endian words.
func (m *md5Counter) Uint64() uint64 {
	h := md5.Sum(append(binary.LittleEndian.AppendUint32(nil, m.n), m.key...))
	m.n++
	return uint64(binary.LittleEndian.Uint32(h[:]))<<32 | uint64(binary.LittleEndian.Uint32(h[4:]))
}

// bbsModulus is the product of two primes that are 3 modulo 4: those of GMP and gnubg.
var bbsModulus = func() *big.Int {
	p, _ := new(big.Int).SetString("148028650191182616877187862194899201391", 10)
	q, _ := new(big.Int).SetString("315270837425234199477225845240496832591", 10)
	return p.Mul(p, q)
}()

// bbs squares a number modulo bbsModulus and takes the lowest bit (L. Blum, M. Blum,
// M. Shub, "A simple unpredictable pseudo-random number generator", 1986).
type bbs struct{ x big.Int }

// newBBS starts from a hash: from a small number the first bits would be predictable.
func newBBS(seed, stream uint64) rand.Source {
	h := sha256.Sum256(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, seed), stream))
	var b bbs
	b.x.SetBytes(h[:])
	return &b
}

func (b *bbs) bit() uint64 {
	b.x.Mul(&b.x, &b.x).Mod(&b.x, bbsModulus)
	return uint64(b.x.Bit(0))
}

// Uint64 returns 64 bits, the highest first.
func (b *bbs) Uint64() (v uint64) {
	for range 64 {
		v = v<<1 | b.bit()
	}
	return v
}

// isaac is the generator of R. Jenkins ("ISAAC", Fast Software Encryption 1996).
type isaac struct {
	memory, result [256]uint32
	a, b, c        uint32
	left           int // words of result not yet used; they are used from the last on
}

func newISAAC(seed, stream uint64) rand.Source {
	r := &isaac{}
	copy(r.result[:], words(seed, stream))
	r.start()
	return pairs{r}
}

// start fills the memory from result, the key, in two passes.
func (r *isaac) start() {
	const golden = 0x9e3779b9
	s := [8]uint32{golden, golden, golden, golden, golden, golden, golden, golden}
	for range 4 {
		stir(&s)
	}
	for _, key := range [...]*[256]uint32{&r.result, &r.memory} {
		for i := 0; i < len(key); i += len(s) {
			for k := range s {
				s[k] += key[i+k]
			}
			stir(&s)
			copy(r.memory[i:], s[:])
		}
	}
	r.fill()
}

// stir mixes the eight words of a key.
func stir(s *[8]uint32) {
	for i, shift := range [8]uint{11, 2, 8, 16, 10, 4, 8, 9} {
		v := s[(i+1)&7]
		if i&1 == 0 {
			s[i] ^= v << shift
		} else {
			s[i] ^= v >> shift
		}
		s[(i+3)&7] += s[i]
		s[(i+1)&7] += s[(i+2)&7]
	}
}

// fill makes the next 256 words.
func (r *isaac) fill() {
	m := &r.memory
	r.c++
	r.b += r.c
	for i := range m {
		switch i & 3 {
		case 0:
			r.a ^= r.a << 13
		case 1:
			r.a ^= r.a >> 6
		case 2:
			r.a ^= r.a << 2
		case 3:
			r.a ^= r.a >> 16
		}
		x := m[i]
		r.a += m[(i+128)&255]
		y := m[x>>2&255] + r.a + r.b
		m[i] = y
		r.b = m[y>>10&255] + x
		r.result[i] = r.b
	}
	r.left = len(r.result)
}

// Uint32 returns the next word.
func (r *isaac) Uint32() uint32 {
	if r.left == 0 {
		r.fill()
	}
	r.left--
	return r.result[r.left]
}

// MaxRolls is the most rolls that a file may hold.
const MaxRolls = 100_000

// ErrRolls is wrapped by errors about files of rolls.
var ErrRolls = errors.New("bad file of dice")

// Read reads written-down rolls: digits from 1 to 6, two for each roll. Blanks, commas,
// hyphens, colons and line ends may separate them anywhere; # starts a comment. It returns
// the digits in order. Errors name the line and wrap ErrRolls.
func Read(in io.Reader) (digits string, err error) {
	data, err := io.ReadAll(io.LimitReader(in, 16*MaxRolls))
	if err != nil {
		return "", err
	}
	var out []rune
	for i, line := range strings.Split(string(data), "\n") {
		rolls, _, _ := strings.Cut(line, "#")
		for _, c := range rolls {
			switch {
			case strings.ContainsRune(" \t\r,-:", c):
			case c >= '1' && c <= '6':
				out = append(out, c)
			default:
				return "", fmt.Errorf("%w: line %d: %q is not a die (use 1 to 6, with blanks, commas or hyphens between rolls, # before a comment)", ErrRolls, i+1, c)
			}
		}
		if len(out) > 2*MaxRolls {
			return "", fmt.Errorf("%w: line %d: more than %d rolls", ErrRolls, i+1, MaxRolls)
		}
	}
	if err := Check(string(out)); err != nil {
		return "", err
	}
	return string(out), nil
}

// ReadFile is Read of the named file; its errors name the file.
func ReadFile(name string) (string, error) {
	in, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	digits, err := Read(in)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return digits, nil
}

// Check returns an error that wraps ErrRolls unless digits are rolls as Read returns them.
func Check(digits string) error {
	switch {
	case len(digits) == 0:
		return fmt.Errorf("%w: no roll in it", ErrRolls)
	case len(digits) > 2*MaxRolls:
		return fmt.Errorf("%w: more than %d rolls", ErrRolls, MaxRolls)
	case len(digits)%2 != 0:
		return fmt.Errorf("%w: %d dice, an odd number (each roll has two)", ErrRolls, len(digits))
	}
	for i := range len(digits) {
		if digits[i] < '1' || digits[i] > '6' {
			return fmt.Errorf("%w: %q is not a die from 1 to 6", ErrRolls, digits[i])
		}
	}
	return nil
}

// At returns roll n, counted from 0, of digits as Read returns them, or false after the
// last roll.
func At(digits string, n int) (d [2]uint8, ok bool) {
	if n < 0 || n >= len(digits)/2 {
		return d, false
	}
	return [2]uint8{digits[2*n] - '0', digits[2*n+1] - '0'}, true
}
