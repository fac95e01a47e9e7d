package nn

import (
	"encoding/binary"
	"math/bits"

	"fibsbot/engine/board"
	"fibsbot/internal/kernel"
)

// InputsVersion identifies the meaning of every input below. Weights carry it,
// and weights made for other inputs are refused: a net fed with other inputs
// than it was trained on is wrong without a sign.
const InputsVersion = 1

// The rows of the sparse part. Both sides have the same block of SideSparse
// rows, the player on roll first. Inside a block comes one row for each exact
// number of checkers on each point (index 0..23 own points, 24 the bar), the
// last of the PointKinds meaning "that many or more"; then one row for each
// number of checkers borne off.
const (
	PointKinds = 6
	OffRow     = 25 * PointKinds
	SideSparse = OffRow + board.MaxCheckers
	NumSparse  = 2 * SideSparse
)

// The dense part: SideDense computed inputs of the player on roll, then the same
// of the opponent.
const NumDense = 2 * SideDense

// NumInputs is the number of first-layer rows: row r < NumSparse is the sparse
// row r, row NumSparse+d belongs to the d-th value of Features.Computed.
const NumInputs = NumSparse + NumDense

// InputSteps is the number of steps from 0 to 1 of a computed contact input: all
// are multiples of 1/InputSteps. With first-layer weights on a grid as well (see
// Weights.Grid), sums are exact in float32 as long as they stay below 32, so a
// position has the same value to the bit from whichever sibling its sum was
// updated, with any number of threads, and small changes cost nothing.
const InputSteps = 256

// roundTo is where float32 has steps of 1/InputSteps: adding and subtracting it
// rounds to them.
const roundTo = float32(1<<23) / InputSteps

// MaxActive bounds the sparse rows that are 1: 15 occupied points a side at most,
// or 14 and a row for checkers off.
const MaxActive = 32

// Features are the inputs of one position: the sparse rows that are 1 (Rows) and the computed inputs,
// each within [0,1], 0 from NumDense on.
type Features struct {
	Dense [kernel.DenseInputs]float32
	// Plan of the position; no input, it chooses the net. Encoder sets it,
	// RaceEncoder does not.
	Plan Plan

	// The checkers: the counts of the points, eight to a word, the bar in the fourth; then the
	// opponent's; and how many are borne off.
	words [8]uint64
	off   [2]uint32
}

// Encoder computes the inputs of contact and crashed positions. What it keeps between
// calls saves time and changes nothing. It belongs to one goroutine; the zero value is
// ready.
type Encoder struct {
	walls walls
	// The sides of the last position and what was computed for them: after every play of a
	// roll one of them is the same, so that what depends on its checkers alone is there
	// already.
	me, opp  side
	features Features
}

// Encode fills f with the inputs of p, the player on roll being p.Me. It
// allocates nothing. Positions that break the rules of the board give
// meaningless but finite inputs and never a panic, except for counts above 15.
func (e *Encoder) Encode(p *board.Position, f *Features) {
	*f = *e.Fill(p)
	for i, v := range f.Dense {
		f.Dense[i] = v + roundTo - roundTo
	}
}

// Rows appends the sparse rows that are 1, in rising order, of a contact or crashed net or of a race
// net.
func (f *Features) Rows(dst []uint16, race bool) []uint16 {
	in := &inputsOfContact
	if race {
		in = &inputsOfRace
	}
	for side := range 2 {
		base := side * in.side
		for word, counts := range f.words[4*side:][:4] {
			for counts != 0 {
				at := bits.TrailingZeros64(counts) &^ 7
				n := int(counts >> uint(at&63) & 255)
				counts &^= 0xff << uint(at&63)
				dst = append(dst, uint16(base+(8*word+at>>3)*in.kinds-1+min(n, in.kinds)))
			}
		}
		if off := int(f.off[side]); off > 0 {
			dst = append(dst, uint16(base+in.offRow-1+off))
		}
	}
	return dst
}

// Computed writes the computed inputs to dst in the order of a net's rows: dst[d] goes with
// row NumSparse+d of a contact or crashed net, or with NumRaceSparse+d of a race net,
// as long as dst is (NumDense or NumRaceDense).
func (f *Features) Computed(dst []float32) {
	places := contactPlaces
	if len(dst) == NumRaceDense {
		places = racePlaces
	}
	for d, place := range places {
		dst[d] = f.Dense[place]
	}
}

// Fill returns the inputs of p for a net to evaluate, valid until the next call: as of Encode, but
// the computed inputs are not rounded to their steps.
func (e *Encoder) Fill(p *board.Position) *Features {
	me, opp, f := &e.me, &e.opp, &e.features
	mine, theirs := (*[SideDense]float32)(f.Dense[:SideDense]), (*[SideDense]float32)(f.Dense[SideDense:NumDense])
	newMe, newOpp := me.read(&p.Me), opp.read(&p.Opp)
	me.face(opp)
	opp.face(me)
	f.Plan = planOf(me, opp)
	if newMe {
		me.own(mine)
	}
	if newOpp {
		opp.own(theirs)
	}
	me.against(opp, &e.walls, mine)
	opp.against(me, &e.walls, theirs)
	lead := float32(opp.pips-me.pips) * (1.0 / 100)
	mine[Lead] = min(max(lead, 0), 1)
	theirs[Lead] = min(max(-lead, 0), 1)
	*(*[4]uint64)(f.words[:4]), *(*[4]uint64)(f.words[4:]) = me.words, opp.words
	f.off = [2]uint32{uint32(me.off), uint32(opp.off)}
	return f
}

// side is what one player's checkers look like as bit masks; bit i is that
// player's own point i+1.
type side struct {
	all   uint32 // points and bar (bit 24) with a checker
	occ   uint32 // points with a checker, bar excluded
	made  uint32 // points with two or more
	blots uint32 // points with exactly one
	// points and bar with three or more
	stacks uint32
	bar    int
	count  int // checkers in play
	off    int // checkers borne off, within 0..15
	rear   int // index of the rearmost checker, 24 on the bar, -1 none

	// Seen from this side, filled by face.
	oppMade  uint64 // the opponent's made points
	oppBlots uint32
	meet     int // index of the opponent's rearmost checker: -1 on the bar, 24 when all are off

	words [4]uint64 // the counts of the points, eight to a word, the bar in the fourth
	pips  int       // filled by own
	seen  bool      // read before
}

const (
	lowBits  = 0x0101010101010101
	gather   = 0x0102040810204080
	allBoard = 1<<24 - 1
	home     = 1<<6 - 1
)

// mask8 turns the lowest bits of eight bytes into eight bits, first byte lowest.
func mask8(x uint64) uint32 { return uint32((x & lowBits) * gather >> 56) }

// read takes the masks from the counts, eight points at a time: a count c has
// bit 7 of c+0x7f set when c is at least 1, and of c+0x7e when it is at least 2. It tells
// whether these are other checkers than the last.
func (s *side) read(c *board.Checkers) bool {
	a := binary.LittleEndian.Uint64(c[0:8])
	b := binary.LittleEndian.Uint64(c[8:16])
	d := binary.LittleEndian.Uint64(c[16:24])
	words := [4]uint64{a, b, d, uint64(c[board.Bar])}
	if s.seen && words == s.words {
		return false
	}
	const one, two, three = 0x7f * lowBits, 0x7e * lowBits, 0x7d * lowBits
	s.occ = mask8((a+one)>>7) | mask8((b+one)>>7)<<8 | mask8((d+one)>>7)<<16
	s.made = mask8((a+two)>>7) | mask8((b+two)>>7)<<8 | mask8((d+two)>>7)<<16
	s.stacks = mask8((a+three)>>7) | mask8((b+three)>>7)<<8 | mask8((d+three)>>7)<<16
	s.blots = s.occ &^ s.made
	s.words, s.seen = words, true
	s.bar = int(c[board.Bar])
	s.all = s.occ
	if s.bar > 0 {
		s.all |= 1 << board.Bar
		if s.bar > 2 {
			s.stacks |= 1 << board.Bar
		}
	}
	s.count = int(((a+b+d)*lowBits)>>56) + s.bar
	s.off = min(max(board.MaxCheckers-s.count, 0), board.MaxCheckers)
	s.rear = bits.Len32(s.all) - 1
	return true
}

// at returns the number of checkers on the point of index i, 0 to 24.
func (s *side) at(i int) int { return int(s.words[i>>3&3] >> (uint(i&7) * 8) & 255) }

// face fills in what s sees of its opponent.
func (s *side) face(o *side) {
	s.oppMade = uint64(turn(o.made))
	s.oppBlots = turn(o.blots)
	s.meet = 23 - o.rear
}

// turn maps a mask of points to the other player's numbering: bit i to 23-i.
func turn(m uint32) uint32 { return bits.Reverse32(m) >> 8 }

// ahead returns which of the 12 points in front of index i are set in made
// (numbered as i is): bit 11 is the next point, bit 0 the twelfth. Points beyond
// the ace point are clear.
func ahead(made uint64, i int) uint64 { return made << 12 >> uint(i&31) & 0xfff }
