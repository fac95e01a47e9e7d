package nn

import (
	"math/bits"

	"fibsbot/engine/board"
)

// Plan is the kind of game that a contact position is, as coarse as separate nets
// need it. It is a property of the position alone; in a decision's plays it seldom
// changes (1.5 plans in 26 plays).
type Plan uint8

// The plans, by the first that fits. "Back" is in the opponent's home or on the
// bar, an anchor is a point made there. In a plan whose name ends in Theirs the opponent plays
// it; where both do, it is that of the player on roll.
const (
	// PlanBearoff: a side has borne off a checker or has all of them home.
	PlanBearoff Plan = iota
	PlanBearoffTheirs
	// PlanBackgame: a side holds two anchors or more.
	PlanBackgame
	PlanBackgameTheirs
	// PlanContainment: the other side has checkers behind five points in a row, or is on
	// the bar against four points of a home.
	PlanContainment
	PlanContainmentTheirs
	// PlanBlitz: the other side is on the bar, or has two checkers or more back without an
	// anchor against three points of a home; or has checkers back where neither has an
	// anchor and the side itself has none back.
	PlanBlitz
	PlanBlitzTheirs
	// PlanMutual: both have an anchor, or both have checkers back without one.
	PlanMutual
	// PlanHolding: the player on roll has the only anchor.
	PlanHolding
	// PlanHeld: the opponent has the only anchor.
	PlanHeld
	// PlanOpen: neither side has a checker back.
	PlanOpen
	// NumPlans is the number of plans.
	NumPlans
)

var planNames = [NumPlans]string{
	"bearoff", "bearoff-theirs", "backgame", "backgame-theirs", "containment", "containment-theirs",
	"blitz", "blitz-theirs", "mutual", "holding", "held", "open",
}

// String returns the plan's name, which is also that of its net in weights files.
func (p Plan) String() string {
	if p < NumPlans {
		return planNames[p]
	}
	return "unknown"
}

// either returns the plan that has one net for both sides in files that do not tell them apart:
// p itself, or for one of the opponent's the same of the player on roll.
func (p Plan) either() Plan {
	switch p {
	case PlanBearoffTheirs, PlanBackgameTheirs, PlanContainmentTheirs, PlanBlitzTheirs:
		return p - 1
	}
	return p
}

// PlanOf returns the plan of a position with contact, the player on roll being
// p.Me. Encode finds it too, at less cost.
func PlanOf(p *board.Position) Plan {
	var me, opp side
	me.read(&p.Me)
	opp.read(&p.Opp)
	me.face(&opp)
	opp.face(&me)
	return planOf(&me, &opp)
}

// backFrom is the index of the first point of the opponent's home.
const backFrom = 18

// planOf sorts by the masks of both sides, which must have been read and faced.
func planOf(me, opp *side) Plan {
	mine, theirs := me.made>>backFrom != 0, opp.made>>backFrom != 0
	switch {
	case me.ended():
		return PlanBearoff
	case opp.ended():
		return PlanBearoffTheirs
	case several(me.made >> backFrom):
		return PlanBackgame
	case several(opp.made >> backFrom):
		return PlanBackgameTheirs
	case opp.stuck(me):
		return PlanContainment
	case me.stuck(opp):
		return PlanContainmentTheirs
	case opp.attacked(me):
		return PlanBlitz
	case me.attacked(opp):
		return PlanBlitzTheirs
	case mine && theirs:
		return PlanMutual
	case mine:
		return PlanHolding
	case theirs:
		return PlanHeld
	}
	switch a, b := me.all>>backFrom != 0, opp.all>>backFrom != 0; {
	case a && b:
		return PlanMutual
	case b:
		return PlanBlitz
	case a:
		return PlanBlitzTheirs
	}
	return PlanOpen
}

// several reports whether more than one bit of m is set.
func several(m uint32) bool { return m&(m-1) != 0 }

// ended: s bears off, or could.
func (s *side) ended() bool { return s.off > 0 || s.all&^home == 0 }

// stuck: s has checkers back, behind five made points of o in a row or on the bar
// against four points of o's home.
func (s *side) stuck(o *side) bool {
	if s.all>>backFrom == 0 {
		return false
	}
	if s.bar > 0 && bits.OnesCount32(o.made&home) >= 4 {
		return true
	}
	// The points of o ahead of s's rearmost checker, without o's own anchors.
	m := o.made & below(backFrom-1) &^ below(o.meet+1)
	return m&(m>>1)&(m>>2)&(m>>3)&(m>>4) != 0
}

// attacked: s is on the bar, or has two checkers or more back without an anchor
// against three points of o's home.
func (s *side) attacked(o *side) bool {
	if s.bar > 0 {
		return true
	}
	return s.made>>backFrom == 0 && several(s.occ>>backFrom) && bits.OnesCount32(o.made&home) >= 3
}
