package nn

import (
	"encoding/binary"
	"math"
	"math/bits"

	"fibsbot/engine/board"
)

// The sparse rows of a race: as for contact positions, without the bar, and with
// more exact counts, since stacks are what a bearoff is made of.
const (
	RacePointKinds = 8
	RaceOffRow     = 24 * RacePointKinds
	RaceSideSparse = RaceOffRow + board.MaxCheckers
	NumRaceSparse  = 2 * RaceSideSparse
	NumRaceDense   = 2 * SideRaceDense
	NumRaceInputs  = NumRaceSparse + NumRaceDense
)

// The computed inputs of one side in a race, each clamped to [0,1].
const (
	// RacePips is the pip count / 120.
	RacePips = iota
	// RaceEffective is the effective pip count, as estimated by effectivePips,
	// / 130.
	RaceEffective
	// RaceLead is how many effective pips this side is ahead / 40.
	RaceLead
	// RaceChance is the chance to win by Kleinman's normal approximation on the
	// effective pip counts, the player on roll being 4 pips ahead of the counts.
	RaceChance
	// RaceCheckers are the checkers in play / 15.
	RaceCheckers
	// RaceHomePips is what it takes to bring every checker home / 60.
	RaceHomePips
	// RaceSave is what it takes to bring every checker home and one off, / 70,
	// 0 when one is off: the whole of saving a gammon.
	RaceSave
	// RaceGammonChance estimates the chance to win a gammon by the same normal
	// approximation: this side bears off before the other has done RaceSave.
	RaceGammonChance
	// RaceBackPips is what it takes to leave the opponent's home / 20.
	RaceBackPips
	// RaceGaps are the empty points of home / 6.
	RaceGaps
	// RaceLow are the checkers on the ace and deuce points / 12.
	RaceLow
	// RaceStack are the checkers above three on their points / 10.
	RaceStack
	// RaceCrossings are the borders between quarters, and the last one off the
	// board, still to be crossed, / 35.
	RaceCrossings
	// SideRaceDense is the number of computed race inputs a side.
	SideRaceDense
)

// RaceEncoder computes the inputs of race positions. What it keeps between calls saves
// time and changes nothing. It belongs to one goroutine; the zero value is ready.
type RaceEncoder struct {
	// The sides of the last position: one of them is the same after every play of a roll.
	sides [2]board.Checkers
	sums  [2]raceSum
	first firsts
}

// Encode fills f with the race inputs of p, the player on roll being p.Me:
// f.Dense[:NumRaceDense] and rows below NumRaceSparse. Checkers on the bar, which
// no race has, are not seen. It allocates nothing.
func (e *RaceEncoder) Encode(p *board.Position, f *Features) {
	for side, c := range [2]*board.Checkers{&p.Me, &p.Opp} {
		if *c != e.sides[side] || e.sums[side].effective == 0 {
			e.sides[side], e.sums[side] = *c, raceSums(c)
		}
	}
	me, opp := &e.sums[0], &e.sums[1]
	// 4 pips: half a roll, what being on roll is worth.
	me.write(opp, 4, (*[SideRaceDense]float32)(f.Dense[:SideRaceDense]), &e.first)
	opp.write(me, -4, (*[SideRaceDense]float32)(f.Dense[SideRaceDense:NumRaceDense]), &e.first)
	clear(f.Dense[NumRaceDense:])
	for side, c := range [2]*board.Checkers{&p.Me, &p.Opp} {
		in := 0
		for i := range 3 {
			word := binary.LittleEndian.Uint64(c[8*i:])
			f.words[4*side+i] = word
			in += int(word * lowBits >> 56)
		}
		f.words[4*side+3] = 0
		f.off[side] = uint32(max(board.MaxCheckers-in, 0))
	}
}

type raceSum struct {
	pips, checkers, toHome, toLeave, stack, low, gaps, crossings int
	nearest                                                      int // pips to bear off the foremost checker
	effective                                                    float32
}

func raceSums(c *board.Checkers) raceSum {
	var r raceSum
	occupied := uint32(0)
	for i, v := range c[:24] {
		n := int(v)
		if n == 0 {
			continue
		}
		occupied |= 1 << i
		r.pips += n * (i + 1)
		r.checkers += n
		r.toHome += n * max(i-5, 0)
		r.toLeave += n * max(i-17, 0)
		r.stack += max(n-3, 0)
		r.crossings += n * (i/6 + 1)
	}
	r.low = int(c[0]) + int(c[1])
	r.gaps = 6 - bits.OnesCount32(occupied&home)
	if occupied != 0 {
		// A checker brought home exactly lands anywhere from 1 to 6; the foremost
		// one is borne off first.
		r.nearest = min(bits.TrailingZeros32(occupied), 5) + 1
	}
	r.effective = effectivePips(c, &r)
	return r
}

// effectivePips estimates 49/6 times the mean number of rolls to bear off
// everything, in pips. Well-known rules of thumb (Trice, Backgammon Boot Camp):
// a well-distributed position wastes about 7 pips and a stack on the low points
// costs 7 pips a checker and 1; in between Keith's penalties for doubled low
// points and gaps.
func effectivePips(c *board.Checkers, r *raceSum) float32 {
	if r.checkers == 0 {
		return 0
	}
	waste := 2*max(int(c[0])-1, 0) + max(int(c[1])-1, 0) + max(int(c[2])-3, 0)
	for _, v := range c[3:6] {
		if v == 0 {
			waste++
		}
	}
	return max(float32(r.pips+7)+0.8*float32(waste), float32(7*r.checkers+1))
}

func (r *raceSum) write(o *raceSum, tempo float32, out *[SideRaceDense]float32, first *firsts) {
	out[RacePips] = share(r.pips, 120)
	out[RaceEffective] = min(r.effective*(1.0/130), 1)
	out[RaceLead] = min(max((o.effective-r.effective)*(1.0/40), 0), 1)
	out[RaceChance] = first.off(o.effective-r.effective+tempo, o.effective+r.effective)
	out[RaceCheckers] = share(r.checkers, 15)
	out[RaceHomePips] = share(r.toHome, 60)
	save, theirs := r.save(), o.save()
	out[RaceSave] = share(save, 70)
	out[RaceGammonChance] = 0
	if theirs > 0 {
		// A goal of few pips still costs most of a roll on the average.
		goal := float32(theirs) + 4
		out[RaceGammonChance] = first.off(goal-r.effective+tempo, goal+r.effective)
	}
	out[RaceBackPips] = share(r.toLeave, 20)
	out[RaceGaps] = share(r.gaps, 6)
	out[RaceLow] = share(r.low, 12)
	out[RaceStack] = share(r.stack, 10)
	out[RaceCrossings] = share(r.crossings, 35)
}

// save is what is left to do to save the gammon, in pips.
func (r *raceSum) save() int {
	if r.checkers < board.MaxCheckers {
		return 0
	}
	return r.toHome + r.nearest
}

// firsts remembers what firstOff said: plays of a roll ask for the same few values.
type firsts [256]struct{ lead, sum, chance float32 }

// off is firstOff. An empty place is a lead and a sum of 0, which never come together: of two
// counts of 0 the lead is what being on roll is worth.
func (r *firsts) off(lead, sum float32) float32 {
	a, b := math.Float32bits(lead), math.Float32bits(sum)
	at := &r[(a*0x9e3779b1^b*0x85ebca6b)>>24]
	if at.lead != lead || at.sum != sum {
		at.lead, at.sum, at.chance = lead, sum, firstOff(lead, sum)
	}
	return at.chance
}

// firstOff is Kleinman's approximation of the chance to finish first with the
// given lead and sum of both counts, in pips: the normal distribution at
// lead * sqrt(2/sum), itself approximated by a logistic curve.
func firstOff(lead, sum float32) float32 {
	z := float64(lead) * math.Sqrt(2/max(float64(sum)-14, 4))
	return float32(1 / (1 + math.Exp(-1.702*z)))
}
