package board

import (
	"encoding/base64"
	"errors"
	"fmt"
)

// Key is a position in the 10 bytes of a GNU Backgammon Position ID: for Opp,
// then for Me, from index 0 to 24, as many 1 bits as there are checkers and
// then a 0 bit, lowest bit first, filled up with 0. Every valid position has
// exactly one key.
type Key [10]byte

// IDLength is the number of characters in a Position ID.
const IDLength = 14

// ErrBadID is wrapped by the errors of ParseID and FromKey.
var ErrBadID = errors.New("not a position ID")

func (p *Position) packInto(k *Key) {
	at := 0
	for _, side := range [2]*Checkers{&p.Opp, &p.Me} {
		for _, n := range side {
			// A run of ones may touch three bytes at most, as n <= 15.
			run := uint32(1)<<n - 1
			i, s := at>>3, at&7
			run <<= s
			for run != 0 && i < len(k) {
				k[i] |= byte(run)
				run >>= 8
				i++
			}
			at += int(n) + 1
		}
	}
}

// Key returns the position in packed form. It is meant for valid positions:
// when a side has more than 15 checkers, what does not fit is cut off.
func (p Position) Key() (k Key) {
	p.packInto(&k)
	return k
}

// FromKey unpacks a key and validates the position. The error wraps ErrBadID
// or ErrIllegalPosition.
func FromKey(k Key) (Position, error) {
	var p Position
	side, i, n := &p.Opp, 0, 0
	for at := range 80 {
		if k[at>>3]>>(at&7)&1 != 0 {
			n++
			if n > MaxCheckers {
				return Position{}, fmt.Errorf("%w: more than %d checkers on one side", ErrBadID, MaxCheckers)
			}
			side[i]++
			continue
		}
		if i++; i <= Bar {
			continue
		}
		if side == &p.Me {
			for at++; at < 80; at++ {
				if k[at>>3]>>(at&7)&1 != 0 {
					return Position{}, fmt.Errorf("%w: bits are set after the last checker", ErrBadID)
				}
			}
			return p, p.Validate()
		}
		side, i, n = &p.Me, 0, 0
	}
	return Position{}, fmt.Errorf("%w: it ends before the last point", ErrBadID)
}

// ID returns the GNU Backgammon Position ID, 14 characters, with Me on roll.
func (p Position) ID() string {
	k := p.Key()
	return base64.RawStdEncoding.EncodeToString(k[:])
}

// ParseID reads a Position ID of exactly 14 characters. The error wraps ErrBadID or
// ErrIllegalPosition and names the problem in one line.
func ParseID(s string) (Position, error) {
	if len(s) != IDLength {
		return Position{}, fmt.Errorf("%w: length %d, not %d", ErrBadID, len(s), IDLength)
	}
	var k Key
	// Strict: the last character must not carry bits beyond the 80.
	if n, err := base64.RawStdEncoding.Strict().Decode(k[:], []byte(s)); err != nil || n != len(k) {
		return Position{}, fmt.Errorf("%w: %q is not base64 of 10 bytes", ErrBadID, s)
	}
	return FromKey(k)
}
