package rollout

import (
	"math/rand/v2"

	"fibsbot/engine/board"
	throw "fibsbot/engine/dice"
)

// dice deals the rolls of numbered trials.
//
// With a the number of the trial modulo 36, b the number of its block of 36 and
// c that of its block of 1296, the first roll is number a of a shuffled list of
// the 36 throws, the second a+b, the third a+5b+c, each of its own list. So 36
// trials from a multiple of 36 on hold every throw once as first, once as second
// and once as third roll; 1296 trials hold every pair of first and second and
// every pair of first and third; 46656 every triple. Later rolls are random. In
// initial mode the first roll is not a double and a counts modulo 30.
type dice struct {
	seed    uint64
	initial bool
	plain   bool // no balancing
	from    throw.Generator
	lists   [3][]board.Dice
}

func newDice(s *Settings) *dice {
	d := &dice{seed: s.Seed, initial: s.InitialPosition, plain: s.PlainDice, from: s.Dice}
	r := s.Dice.New(s.Seed, 0x726f6c6c6f7574)
	for k := range d.lists {
		for a := uint8(1); a <= 6; a++ {
			for b := uint8(1); b <= 6; b++ {
				if k == 0 && d.initial && a == b {
					continue
				}
				d.lists[k] = append(d.lists[k], board.Dice{A: a, B: b})
			}
		}
		l := d.lists[k]
		r.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	}
	return d
}

// deal starts the sequence of one trial.
func (d *dice) deal(trial uint64) sequence {
	s := sequence{d: d}
	if s.random.Seed(d.seed, trial); d.from != throw.PCG {
		s.other = d.from.Source(d.seed, trial)
	}
	n := uint64(len(d.lists[0]))
	a, b, c := trial%n, trial/n%36, trial/n/36
	s.first = [3]uint64{a, (a + b) % 36, (a + 5*b + c) % 36}
	return s
}

// sequence is the rolls of one trial, the same for all arms.
type sequence struct {
	d      *dice
	random rand.PCG
	other  rand.Source // instead of random; nil for the usual generator
	first  [3]uint64
}

// roll returns the roll of the given ply; plies must be asked for in order.
func (s *sequence) roll(ply int) board.Dice {
	// The generator advances at balanced rolls too, so that later rolls are the same with and
	// without them.
	var v uint64
	if s.other != nil {
		v = s.other.Uint64()
	} else {
		v = s.random.Uint64()
	}
	k := v >> 32 * 36 >> 32
	if ply < len(s.first) && !s.d.plain {
		return s.d.lists[ply][s.first[ply]]
	}
	if ply == 0 && s.d.initial {
		return s.d.lists[0][v>>32*30>>32]
	}
	return board.Dice{A: uint8(k/6) + 1, B: uint8(k%6) + 1}
}
