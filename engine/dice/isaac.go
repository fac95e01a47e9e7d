package dice

import "math/rand/v2"

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
