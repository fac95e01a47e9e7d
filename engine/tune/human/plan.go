package human

import "fibsbot/engine/board"

// Plan is the kind of game in the view of the player on roll. It is coarse on purpose: it only says
// how hard the game is to play.
type Plan uint8

// The plans, from easy to hard.
const (
	Bearoff   Plan = iota // no contact, all checkers home
	Race                  // no contact
	Clearance             // all checkers home, in contact
	Opening               // most checkers still near their start
	Holding               // an anchor or points held while racing
	Blitz                 // a checker on the bar against a growing board
	Priming               // a prime of four points or more on either side
	BackGame              // two anchors, or many checkers back
	// NumPlans is how many there are.
	NumPlans
)

// PlanOf names the plan of the game at p.
func PlanOf(p *board.Position) Plan {
	if !p.Contact() {
		if p.Me.Rearmost() <= 5 && p.Opp.Rearmost() <= 5 {
			return Bearoff
		}
		return Race
	}
	switch {
	case p.Me.Rearmost() <= 5:
		return Clearance
	case inBackGame(&p.Me) || inBackGame(&p.Opp):
		return BackGame
	case prime(&p.Me) >= 4 && back(&p.Opp) > 0, prime(&p.Opp) >= 4 && back(&p.Me) > 0:
		return Priming
	case p.Me[board.Bar] > 0 && homePoints(&p.Opp) >= 3, p.Opp[board.Bar] > 0 && homePoints(&p.Me) >= 3:
		return Blitz
	case start(&p.Me) >= 11 && start(&p.Opp) >= 11:
		return Opening
	}
	return Holding
}

// back counts the checkers in the other side's home and on the bar.
func back(c *board.Checkers) (n int) {
	for i := 18; i <= board.Bar; i++ {
		n += int(c[i])
	}
	return n
}

func inBackGame(c *board.Checkers) bool {
	anchors := 0
	for i := 18; i < board.Bar; i++ {
		if c[i] >= 2 {
			anchors++
		}
	}
	return back(c) >= 4 && anchors >= 2
}

func homePoints(c *board.Checkers) (n int) {
	for i := range 6 {
		if c[i] >= 2 {
			n++
		}
	}
	return n
}

// prime is the length of the longest row of made points between the side's ace point and the other
// side's bar point.
func prime(c *board.Checkers) (longest int) {
	row := 0
	for i := range 18 {
		if c[i] < 2 {
			row = 0
			continue
		}
		row++
		longest = max(longest, row)
	}
	return longest
}

// start counts the checkers that are still at their start.
func start(c *board.Checkers) (n int) {
	for i, v := range board.Start.Me {
		n += int(min(v, c[i]))
	}
	return n
}
