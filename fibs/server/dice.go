package server

import (
	crand "crypto/rand"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// Dice are the dice of one match, used by one goroutine at a time.
type Dice interface {
	// Roll returns two numbers from 1 to 6. The opening uses them as the two
	// players' single dice.
	Roll() (first, second int)
	// Swap decides, once a match, who plays O in the first game: false for
	// the player who invited.
	Swap() bool
}

// randomDice are dice from a generator whose state can be saved with a match,
// so that a resumed match continues the same sequence.
type randomDice struct {
	source interface {
		rand.Source
		MarshalBinary() ([]byte, error)
		UnmarshalBinary([]byte) error
	}
	rng *rand.Rand
}

// newRandomDice makes the dice of one match. With seed 0 they come from a
// ChaCha8 stream keyed by the system's entropy and cannot be predicted.
// With any other seed they depend on seed, names and number only, so that
// concurrent matches do not change each other's dice.
func newRandomDice(seed uint64, first, second string, number int) *randomDice {
	if seed == 0 {
		var key [32]byte
		crand.Read(key[:])
		src := rand.NewChaCha8(key)
		return &randomDice{src, rand.New(src)}
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d", first, second, number)
	src := rand.NewPCG(seed, h.Sum64())
	return &randomDice{src, rand.New(src)}
}

func (d *randomDice) Roll() (int, int) { return d.rng.IntN(6) + 1, d.rng.IntN(6) + 1 }
func (d *randomDice) Swap() bool       { return d.rng.IntN(2) == 1 }

// state returns the generator's state, for saving, or nil.
func (d *randomDice) state() []byte {
	b, err := d.source.MarshalBinary()
	if err != nil {
		return nil
	}
	return b
}

// restore sets a saved state. It ignores an unusable one.
func (d *randomDice) restore(b []byte) {
	if len(b) == 0 {
		return
	}
	keep, _ := d.source.MarshalBinary()
	if d.source.UnmarshalBinary(b) != nil {
		d.source.UnmarshalBinary(keep)
	}
}

// randomSeed is a number for generators that need not be secret.
func randomSeed() uint64 {
	var b [8]byte
	crand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}
