package nn

import (
	"math/bits"

	"fibsbot/engine/board"
)

// The computed inputs of one side. "Ahead" is the way that side's checkers move,
// the rearmost is the one farthest from home. Values are clamped to [0,1] unless
// the comment says otherwise.
//
// A net adds what changes from play to play by pairs of neighbours, so inputs that
// change together stand side by side: those of the player on roll in pairs from the
// first on; of the opponent, whose inputs follow an odd number, from the second on. Of the
// ways to order them this one was found by annealing over 0-ply and 2-ply decisions of
// natural games: 10.9 and 11.3 pairs differ between plays; in the order of the rows it
// was 12.7 and 13.0.
const (
	// RearEscapes is the share of rolls that the rearmost checker can play alone
	// and in full.
	RearEscapes = iota
	// RearLeaps is the share of rolls that carry that checker past every opposing point of
	// the twelve ahead of it.
	RearLeaps
	// Rear is the place of the rearmost checker / 25, the bar being 25.
	Rear
	// Lead is how many pips this side is ahead / 100, 0 when behind.
	Lead
	// Pips is the pip count / 167.
	Pips
	// HomePips is what it takes to bring every checker home, / 90: the first
	// half of saving a gammon.
	HomePips
	// Mobility is the sum over the checkers outside home of distance to home
	// times escapes / 36, / 60.
	Mobility
	// PipLoss is the mean of what the hits of Shots cost the opponent, taking the
	// dearest blot of each roll, / 12.
	PipLoss
	// Sting is Shots times the share of closed points of this side's home.
	Sting
	// Shots is the chance that the next roll of this side can hit.
	Shots
	// Targets are the opposing blots within six points of a hitter / 4.
	Targets
	// DoubleShots is the chance that the next roll of this side can hit two blots
	// with different steps.
	DoubleShots
	// Stack are the checkers above four on their points / 8.
	Stack
	// Off is the number of checkers borne off / 15.
	Off
	// EnterFail is the chance that one checker on the bar could not enter.
	EnterFail
	// BarLoss is the expected share of the next roll lost by the checkers that
	// are on the bar.
	BarLoss
	// BackGame is MenBack when two or more anchors are held in the opponent's home.
	BackGame
	// HomeBlots are the blots in home that an opposing checker still can hit / 3.
	HomeBlots
	// Dead are the checkers on the ace and deuce points / 8.
	Dead
	// ContainBarSquared is ContainBar * ContainBar.
	ContainBarSquared
	// ContainBar is Contain for a checker that starts on the bar, whether one is
	// there or not: what would happen after a hit.
	ContainBar
	// Backbone is how well the made points are within reach of one another, from
	// rear to front, weighted by the checkers on them, / 15.
	Backbone
	// Builders are spare checkers and blots from the 5 to the 11 point / 8.
	Builders
	// Timing are the pips to spare before home or an anchor must break: outfield
	// checkers to their 6 point, checkers beyond two of the far anchors, spare
	// checkers in home, / 100.
	Timing
	// Spread is the variance of the checkers' places / 100.
	Spread
	// BackPips is what it takes to bring every checker out of the opponent's
	// home and off the bar, / 30: what saves a backgammon.
	BackPips
	// MenBack are the checkers in the opponent's home and on the bar / 6.
	MenBack
	// AceGame is MenBack when exactly one anchor is held there.
	AceGame
	// ForwardAnchor is how far the foremost anchor beyond the own 14 point has
	// come: the 15 point 1, the 24 point 1/10, 0 without any. The midpoint does
	// not count: nearly every position has it.
	ForwardAnchor
	// RearAnchor is the place of the rearmost made point / 24.
	RearAnchor
	// ContainLeaps is as Contain, counted by RearLeaps.
	ContainLeaps
	// Contain is 1 minus the smallest RearEscapes that the opponent's rearmost
	// checker meets on its way to its 13 point, on places it can stand on.
	Contain
	// ContainSquared is Contain * Contain.
	ContainSquared
	// Trapped is the square of the best share of six points in a row ahead of the
	// opponent's rearmost checker, times the opposing checkers behind it / 5.
	Trapped
	// Prime is the longest run of made points ahead of the opponent's rearmost
	// checker / 6.
	Prime
	// FreePips are the pips of checkers that have already passed every opposing
	// checker, / 100.
	FreePips
	// ContactPips is what this side must move until none of its checkers has an
	// opposing checker ahead of it, / 150.
	ContactPips
	// SideDense is the number of computed inputs a side.
	SideDense
)

// denseRows are the computed inputs of a side in the order in which nets have their
// rows, in weights files too.
var denseRows = [SideDense]int{
	Pips, Lead, ContactPips, FreePips, HomePips, BackPips, Off, Rear, RearAnchor, ForwardAnchor,
	MenBack, Shots, DoubleShots, PipLoss, Sting, Targets, RearEscapes, RearLeaps, Contain,
	ContainSquared, ContainBar, ContainBarSquared, ContainLeaps, Mobility, Spread, EnterFail, BarLoss,
	Timing, Backbone, BackGame, AceGame, Prime, Trapped, HomeBlots, Builders, Dead, Stack,
}

// contactPlaces and racePlaces are where Dense has the input of each row behind the sparse
// ones: of a contact or crashed net and of a race net.
var contactPlaces, racePlaces = func() (contact, race []int) {
	for side := range 2 {
		for _, place := range denseRows {
			contact = append(contact, side*SideDense+place)
		}
	}
	for place := range NumRaceDense {
		race = append(race, place)
	}
	return contact, race
}()

// share is v/of, at most 1. The limit is taken on the whole number, which is one
// instruction where a float's takes several.
func share(v, of int) float32 { return float32(min(v, of)) * (1 / float32(of)) }

// perSpare is what a checker beyond the second of its point has to spare: in home
// and among the far anchors.
var perSpare = func() (t [32]int) {
	for i := range 25 {
		if i < 6 {
			t[i] = i
		} else if i >= 18 {
			t[i] = i - 5
		}
	}
	return t
}()

// weighed is the sum of eight counts, each times its weight: the highest byte of a product is the
// sum of all bytes of one factor, each times the other's byte that stands opposite. So the first
// point's weight is the highest byte of weights. No lower byte runs over while the counts
// are at most 15 together and weights at most 17.
func weighed(counts, weights uint64) int { return int(counts * weights >> 56) }

const (
	oneToEight = 0x0102030405060708
	inHome     = 1<<(6*8) - 1 // the home among the first eight points
	inFarHome  = ^uint64(0xffff)
	evenBytes  = 0x00ff00ff00ff00ff
	// Squares of 1, 3, 5, 7 and of 2, 4, 6, 8.
	oddSquares  = 1<<48 | 9<<32 | 25<<16 | 49
	evenSquares = 4<<48 | 16<<32 | 36<<16 | 64
)

// own writes what depends on this side's checkers alone, and fills in s.pips.
func (s *side) own(out *[SideDense]float32) {
	near, mid, far, bar := s.words[0], s.words[1], s.words[2], s.bar
	back := weighed(far&inFarHome, lowBits) + bar
	backPips := weighed(far&inFarHome, 0x0000010203040506) + 7*bar
	// What outfield checkers have to go to the 6 point.
	outfield := weighed(near, 0x0102) + weighed(mid, 0x030405060708090a) + weighed(far, 0x0b0c<<48)
	homePips := outfield + 12*back + backPips
	inside := near & inHome
	pips := weighed(inside, oneToEight) + homePips + 6*(s.count-weighed(inside, lowBits))
	s.pips = pips
	out[Pips] = share(pips, 167)
	out[HomePips] = share(homePips, 90)
	out[BackPips] = share(backPips, 30)
	out[Off] = float32(s.off) * (1.0 / 15)
	out[Rear] = float32(s.rear+1) * (1.0 / 25)
	out[MenBack] = share(back, 6)
	out[Dead] = share(s.at(0)+s.at(1), 8)
	out[Spread] = 0
	if s.count > 0 {
		mean := float32(pips) / float32(s.count)
		out[Spread] = min((float32(s.squares())/float32(s.count)-mean*mean)*(1.0/100), 1)
	}
	out[BackGame], out[AceGame] = 0, 0
	switch a := bits.OnesCount32(s.made >> 18); {
	case a >= 2:
		out[BackGame] = out[MenBack]
	case a == 1:
		out[AceGame] = out[MenBack]
	}
	out[RearAnchor] = float32(bits.Len32(s.made)) * (1.0 / 24)
	out[ForwardAnchor] = 0
	if far := s.made >> 14; far != 0 {
		out[ForwardAnchor] = float32(10-bits.TrailingZeros32(far)) * (1.0 / 10)
	}
	timing, builders, stack := outfield, bits.OnesCount32(s.blots&builderPoints), 0
	for m := s.stacks; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		spare := s.at(i) - 2
		timing += spare * perSpare[i]
		stack += max(spare-2, 0)
		if 1<<i&builderPoints != 0 {
			builders += spare
		}
	}
	out[Timing] = share(timing, 100)
	out[Builders] = share(builders, 8)
	out[Stack] = share(stack, 8)
	out[Backbone] = s.backbone()
}

// squares is the sum of the squares of all checkers' pips, 8a+k being the pips of the k-th point
// of eight: its square is 64aa + 16ak + kk.
func (s *side) squares() int {
	mid, far := s.words[1], s.words[2]
	all := s.words[0] + mid + far
	return int(all&evenBytes*oddSquares>>48) + int(all>>8&evenBytes*evenSquares>>48) +
		16*weighed(mid+2*far, oneToEight) + 64*weighed(mid+4*far, lowBits) + 25*25*s.bar
}

// backbone walks the made points from the rear and weighs each by how far the next one
// is.
func (s *side) backbone() float32 {
	var linked float32
	prev := -1
	for m := s.made; m != 0; {
		i := bits.Len32(m) - 1
		m &^= 1 << i
		if prev >= 0 {
			linked += float32(s.at(prev)) * tables.link[prev-i]
		}
		prev = i
	}
	return min(linked*(1.0/15), 1)
}

// against writes what depends on both sides, but for Lead, which is left to the caller. Both
// sides must have been read and faced, s.pips be filled in.
func (s *side) against(o *side, walls *walls, out *[SideDense]float32) {
	s.passing(out)
	s.exposed(out)
	s.shots(o, out)
	s.blockade(o, walls, out)
}

// passing fills in how far this side's checkers have come past the opponent's: beyond his
// rearmost checker one is free, before it the distance is contact.
func (s *side) passing(out *[SideDense]float32) {
	contact, free := 0, s.pips
	if s.meet < board.Bar { // otherwise the opponent has no checker left
		n, pips := s.from(s.meet + 1)
		free -= pips
		contact = pips - n*(s.meet+1)
	}
	out[ContactPips] = share(contact, 150)
	out[FreePips] = share(free, 100)
	mobile := 0
	for m := s.all &^ home; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		mobile += s.at(i) * (i - 5) * int(tables.escapes[ahead(s.oppMade, i)])
	}
	out[Mobility] = share(mobile, 36*60)
}

// builderPoints are the 5 to the 11 point.
const builderPoints = 1<<11 - 1<<4

// exposed fills in how this side's rearmost checker and its blots in home stand.
func (s *side) exposed(out *[SideDense]float32) {
	out[RearEscapes], out[RearLeaps] = 0, 0
	if s.rear >= 0 {
		w := ahead(s.oppMade, s.rear)
		out[RearEscapes] = float32(tables.escapes[w]) * (1.0 / 36)
		out[RearLeaps] = float32(tables.leaps[w]) * (1.0 / 36)
	}
	// Only checkers of this side with an opponent behind them can be hit, and the
	// opponent's rearmost checker is the last that could: a blot at or behind it
	// is safe from it.
	exposed := s.blots & home &^ below(s.meet+1)
	out[HomeBlots] = share(bits.OnesCount32(exposed), 3)
}

// from counts the checkers on the points of index start, 0 to 24, and behind it, and their pips.
func (s *side) from(start int) (n, pips int) {
	from := func(first int) uint64 { return ^uint64(0) << (uint(min(max(start-first, 0), 8)) * 8) }
	near, mid, far := s.words[0]&from(0), s.words[1]&from(8), s.words[2]&from(16)
	n = weighed(near+mid+far, lowBits) + s.bar
	pips = weighed(near+mid+far, oneToEight) + 8*weighed(mid+2*far, lowBits) + 25*s.bar
	return n, pips
}

// below is the mask of the points with index less than i, i within 0..25.
func below(i int) uint32 { return 1<<(uint(i)&31) - 1 }

// shots fills in what this side could hit if it were on roll. Against the player
// on roll that is the danger left after this turn if nothing moved.
func (s *side) shots(o *side, out *[SideDense]float32) {
	var hits, twice rollMask
	var loss, targets int
	var seen, seenBar uint32
	t := tables
	enter := ^o.made & home // dice that bring a checker in
	for m := s.oppBlots; m != 0; {
		b := bits.Len32(m) - 1
		m &^= 1 << b
		from := s.occ >> (b + 1)              // bit d-1: a checker of ours d pips behind the blot
		open := ^uint32(s.oppMade >> (b + 1)) // bit d-1: we may stand d pips behind it
		var rolls rollMask
		var dice, diceBar uint32
		switch s.bar {
		case 0:
			dice = from & home
			rolls = t.withDice[dice]
			for far := from &^ 1; far != 0; far &= far - 1 {
				rolls |= t.reach(bits.TrailingZeros32(far)+1, open)
			}
		default:
			d := board.Bar - b
			if d <= 6 {
				diceBar = 1 << (d - 1)
				rolls = t.withDice[diceBar]
			}
			dice = diceBar
			if s.bar == 1 {
				if d > 1 {
					rolls |= t.reach(d, open)
				}
				for near := from & home; near != 0; near &= near - 1 {
					rolls |= t.enter[bits.TrailingZeros32(near)+1][enter]
				}
				dice |= from & home
			}
		}
		if dice != 0 {
			targets++
		}
		if s.bar == 0 {
			twice |= t.both[seen][dice]
		} else {
			// One of the two hits must be made by the entering checker.
			twice |= t.both[seenBar][dice] | t.both[seen][diceBar]
		}
		seen |= dice
		seenBar |= diceBar
		// Blots come dearest first, so a roll counted before costs more already.
		loss += t.throws(rolls&^hits) * (b + 1)
		hits |= rolls
	}
	chance := float32(t.throws(hits)) * (1.0 / 36)
	out[Shots] = chance
	out[DoubleShots] = float32(t.throws(twice)) * (1.0 / 36)
	out[PipLoss] = share(loss, 36*12)
	out[Targets] = share(targets, 4)
	out[Sting] = chance * float32(bits.OnesCount32(s.made&home)) * (1.0 / 6)
}

// reach is the set of rolls that bring a checker d pips, 2 to 24, in two steps or
// more; open as in dieTables.combined.
func (t *dieTables) reach(d int, open uint32) rollMask {
	if uint(d) >= uint(len(t.third)) {
		return 0
	}
	m := t.combined[d][open&home]
	if need := t.thirdNeed[d]; open&need == need {
		m |= t.third[d]
	}
	if need := t.fourthNeed[d]; open&need == need {
		m |= t.fourth[d]
	}
	return m
}

// blockade fills in how this side's made points hold the opponent back, and what
// the opponent's home means to this side's checkers on the bar.
func (s *side) blockade(o *side, walls *walls, out *[SideDense]float32) {
	t := tables
	closed := bits.OnesCount32(o.made & home)
	out[EnterFail] = t.barLoss[1][closed]
	out[BarLoss] = t.barLoss[min(s.bar, 2)][closed]

	m := walls.of(s, o)
	out[Contain], out[ContainSquared] = m.contain, m.contain*m.contain
	out[ContainBar], out[ContainBarSquared] = m.containBar, m.containBar*m.containBar
	out[ContainLeaps] = m.leaps
	out[Prime] = m.prime
	behind, _ := o.from(24 - int(m.at))
	out[Trapped] = m.fullest * share(behind, 5)
}
