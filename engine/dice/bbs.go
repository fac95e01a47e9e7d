package dice

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
)

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
