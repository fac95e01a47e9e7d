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
// bar, an anchor is a point made there; it is deep on one of the last three points. In a plan
// whose name ends in Theirs the opponent plays it; where both do, it is that of the player on roll.
const (
	// PlanBackgame: a side holds two anchors or more.
	PlanBackgame Plan = iota
	PlanBackgameTheirs
	// PlanBearoff: a side has borne off a checker or has all of them home.
	PlanBearoff
	PlanBearoffTheirs
	// PlanContainment: the other side has checkers behind five points in a row, none on the bar.
	PlanContainment
	PlanContainmentTheirs
	// PlanShutout: the other side is on the bar, behind five points in a row or against four
	// points of a home.
	PlanShutout
	PlanShutoutTheirs
	// PlanBlitz: the other side is on the bar.
	PlanBlitz
	PlanBlitzTheirs
	// PlanAttack: the other side has two checkers or more back without an anchor against
	// three points of a home; or has checkers back where neither has an anchor and the side
	// itself has none back.
	PlanAttack
	PlanAttackTheirs
	// PlanMutual: both have an anchor.
	PlanMutual
	// PlanLoose: both have checkers back, neither has an anchor.
	PlanLoose
	// PlanHolding: the player on roll has the only anchor.
	PlanHolding
	// PlanHoldingDeep: the same, and the anchor is deep.
	PlanHoldingDeep
	// PlanHeld: the opponent has the only anchor.
	PlanHeld
	// PlanHeldDeep: the same, and the anchor is deep.
	PlanHeldDeep
	// PlanOpen: neither side has a checker back.
	PlanOpen
	// NumPlans is the number of plans.
	NumPlans
)

var planNames = [NumPlans]string{
	"backgame", "backgame-theirs", "bearoff", "bearoff-theirs", "containment", "containment-theirs",
	"shutout", "shutout-theirs", "blitz", "blitz-theirs", "attack", "attack-theirs",
	"mutual", "loose", "holding", "holding-deep", "held", "held-deep", "open",
}

// String returns the plan's name, which is also that of its net in weights files.
func (p Plan) String() string {
	if p < NumPlans {
		return planNames[p]
	}
	return "unknown"
}

// widerPlan is, for a plan that files may lack, the plan whose net then judges its positions. It comes
// before that plan. For others it is the contact net.
var widerPlan = map[Plan]Plan{
	PlanBearoffTheirs: PlanBearoff, PlanBackgameTheirs: PlanBackgame,
	PlanContainmentTheirs: PlanContainment, PlanShutout: PlanContainment, PlanShutoutTheirs: PlanContainmentTheirs,
	PlanBlitzTheirs: PlanBlitz, PlanAttack: PlanBlitz, PlanAttackTheirs: PlanBlitzTheirs,
	PlanLoose: PlanMutual, PlanHoldingDeep: PlanHolding, PlanHeldDeep: PlanHeld,
}

// wider is the place of the net that judges where there is none at this place; it comes before.
func wider(place int) int {
	if place == crashedTheirsNet {
		return crashedNet
	}
	if p, ok := widerPlan[Plan(place-1)]; ok {
		return PlanNet(p)
	}
	return 0
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
	mine, theirs := me.made>>backFrom, opp.made>>backFrom
	switch {
	case several(mine):
		return PlanBackgame
	case several(theirs):
		return PlanBackgameTheirs
	case me.ended():
		return PlanBearoff
	case opp.ended():
		return PlanBearoffTheirs
	case opp.stuck(me):
		return opp.barred(PlanContainment, PlanShutout)
	case me.stuck(opp):
		return me.barred(PlanContainmentTheirs, PlanShutoutTheirs)
	case opp.attacked(me):
		return opp.barred(PlanAttack, PlanBlitz)
	case me.attacked(opp):
		return me.barred(PlanAttackTheirs, PlanBlitzTheirs)
	case mine != 0 && theirs != 0:
		return PlanMutual
	case mine >= deep:
		return PlanHoldingDeep
	case mine != 0:
		return PlanHolding
	case theirs >= deep:
		return PlanHeldDeep
	case theirs != 0:
		return PlanHeld
	}
	switch a, b := me.all>>backFrom != 0, opp.all>>backFrom != 0; {
	case a && b:
		return PlanLoose
	case b:
		return PlanAttack
	case a:
		return PlanAttackTheirs
	}
	return PlanOpen
}

// deep is the first of the deep anchors in a mask that begins at backFrom.
const deep = 1 << 3

// barred returns the plan against s: with when s is on the bar, else without.
func (s *side) barred(without, with Plan) Plan {
	if s.bar > 0 {
		return with
	}
	return without
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
