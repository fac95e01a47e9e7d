package eval

import (
	"encoding/binary"
	"math/bits"

	"fibsbot/engine/board"
)

// table remembers positions that an evaluator has judged lately. In a 2-ply decision
// one play in five leads to a position seen before, in a rollout one in seven. It stays
// small, since one that does not fit into the processor's nearer caches costs more than it
// saves: a quarter of a megabyte.
type table [1 << tableBits]known

const (
	tableBits = 13
	// remembered is the longest list of plays whose positions are looked up and kept: the
	// short lists inside a search or a rollout. All plays of a decision hardly come again.
	remembered = 8
)

// known is the mover's chances after a play, and by which position.
type known struct {
	key uint64 // 0: empty
	pr  Probs
}

// at returns where the position after a play is kept, and its key: 77 bits in all tell
// positions apart.
func (t *table) at(p *board.Position) (*known, uint64) {
	high, key := hashOf(p)
	return &t[high>>(64-tableBits)], key | 1
}

// hashOf folds the counts of a position by products of 128 bits (the scheme of wyhash,
// public domain, with digits of pi).
func hashOf(p *board.Position) (high, low uint64) {
	a := fold(binary.LittleEndian.Uint64(p.Me[0:])^0x243f6a8885a308d3, binary.LittleEndian.Uint64(p.Me[8:])^0x13198a2e03707344)
	b := fold(binary.LittleEndian.Uint64(p.Opp[0:])^0xa4093822299f31d0, binary.LittleEndian.Uint64(p.Opp[8:])^0x082efa98ec4e6c89)
	c := fold(binary.LittleEndian.Uint64(p.Me[16:])^0x452821e638d01377, binary.LittleEndian.Uint64(p.Opp[16:])^0xbe5466cf34e90c6c)
	bars := uint64(p.Me[board.Bar])<<8 | uint64(p.Opp[board.Bar])
	return bits.Mul64(a^bits.RotateLeft64(b, 23)^0xc0ac29b7c97c50dd, c^bars*0x9e3779b97f4a7c15^0x3f84d5b5b5470917)
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}
