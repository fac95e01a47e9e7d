package analyse

import "fibsbot/engine/board"

// Phase is the part of a game that a decision falls in.
type Phase uint8

// The phases. A game without contact never goes back to an earlier one, a hit after a
// bear-off has begun does.
const (
	Opening    Phase = iota // each side's first three rolls, while in contact
	MiddleGame              // in contact
	Race                    // no contact, not all checkers at home
	Bearoff                 // the player has all his checkers at home or borne off
	Phases     = 4          // how many there are
)

var phaseNames = [Phases]string{"opening", "middle game", "race", "bear-off"}

// String is the phase in words, lower case.
func (p Phase) String() string { return phaseNames[p%Phases] }

// openingRolls is how many rolls of the game are its opening: three of each side, as
// opening books reckon.
const openingRolls = 6

// PhaseOf returns the phase of a position seen by who decides, with rolls rolls of the
// game before it.
func PhaseOf(p *board.Position, rolls int) Phase {
	switch {
	case p.Me.Rearmost() <= 5:
		return Bearoff
	case !contact(p):
		return Race
	case rolls < openingRolls:
		return Opening
	}
	return MiddleGame
}

// contact reports whether the sides have not passed each other yet.
func contact(p *board.Position) bool { return p.Me.Rearmost()+p.Opp.Rearmost() >= 23 }

// Plan is the kind of game a position belongs to, by the structure of both sides.
type Plan uint8

// The plans, as a player's books call them. They are told from the checkers alone, as the
// comments in the code of PlanOf say.
const (
	OpenPosition  Plan = iota // contact without one of the others
	RacePlan                  // no contact
	Blitz                     // ten checkers bear on blots or a checker on the bar, and there is no anchor
	PrimeVsPrime              // both have checkers behind four points in a row, or more
	Priming                   // one side has
	BackGame                  // two points held in the other's home, one of them deep
	AcePoint                  // one deep point there, the ace to the three point, is all that is left behind
	HoldingGame               // one side waits on a point farther up
	MutualHolding             // both sides do
	BearInContact             // one side comes home past checkers of the other
	Plans         = 10        // how many there are
)

var planNames = [Plans]string{
	"open position", "race", "blitz", "prime against prime", "priming", "back game", "ace-point game",
	"holding game", "mutual holding", "bear-in against contact",
}

// String is the plan in words, lower case.
func (p Plan) String() string { return planNames[p%Plans] }

// side is what a plan is told from, of one side.
type side struct {
	back    int  // checkers in the other's home and on the bar
	bar     int  // of these on the bar
	anchors int  // points held in the other's home
	deep    int  // of these the other's ace, two or three point
	holds   bool // a point held from the other's four point to his bar point, or the mid-point alone
	prime   int  // longest run of points held, from the own two to the own nine point
	home    int  // points held at home
	zone    int  // checkers at home and on the next five points
	past    bool // no checker left behind in the other's home
	near    bool // all checkers on the way home, none behind the own eleven point
}

func shape(c *board.Checkers) (s side) {
	run := 0
	for n := range 25 {
		k := int(c[n])
		switch {
		case n == board.Bar:
			s.bar, s.back = k, s.back+k
			continue
		case n >= 18:
			s.back += k
			if k >= 2 {
				s.anchors++
				if n >= 21 {
					s.deep++
				}
			}
		}
		if k >= 2 && n >= 17 && n <= 20 {
			s.holds = true
		}
		if n <= 10 {
			s.zone += k
		}
		if k >= 2 && n < 6 {
			s.home++
		}
		if k >= 2 && n >= 1 && n <= 8 {
			run++
			s.prime = max(s.prime, run)
		} else {
			run = 0
		}
	}
	s.past, s.near = s.back == 0, c.Rearmost() <= 10
	return s
}

// PlanOf returns the game plan of a position, the same for both sides.
func PlanOf(p *board.Position) Plan {
	if !contact(p) {
		return RacePlan
	}
	me, opp := shape(&p.Me), shape(&p.Opp)
	either := func(f func(x, y *side) bool) bool { return f(&me, &opp) || f(&opp, &me) }
	lead := p.Opp.Pips() - p.Me.Pips()
	switch {
	// Two points in the other's home, of which one is deep.
	case either(func(x, y *side) bool { return x.anchors >= 2 && x.deep >= 1 && y.past }):
		return BackGame
	// Both block four points or more before checkers of the other.
	case me.prime >= 4 && opp.prime >= 4 && me.back > 0 && opp.back > 0:
		return PrimeVsPrime
	// Ten checkers in the zone against blots and checkers on the bar, without an anchor.
	case either(func(x, y *side) bool {
		return x.zone >= 10 && x.home >= 2 && y.back >= 2 && y.anchors == 0 && (y.bar > 0 || x.home >= 3)
	}):
		return Blitz
	// Nothing but the other's ace point is left behind his closed or closing home.
	case either(func(x, y *side) bool { return x.anchors == 1 && x.deep == 1 && x.back <= 3 && y.past && y.home >= 3 }):
		return AcePoint
	case either(func(x, y *side) bool { return x.prime >= 4 && y.back > 0 && !y.holds }):
		return Priming
	case me.holds && opp.holds:
		return MutualHolding
	// One side waits on a high point and the other has got past or leads the race.
	case me.holds && (opp.past || lead < 0), opp.holds && (me.past || lead > 0):
		return HoldingGame
	// One side comes home past an enemy checker.
	case me.near || opp.near:
		return BearInContact
	}
	return OpenPosition
}
