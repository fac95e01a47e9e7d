// Package families measures static evaluation in kinds of positions that are rare in play and hard
// for nets: snakes, containment after a late hit, massive and mutual back games, saving a
// backgammon, and stacked races.
//
// Positions come from self-play that begins at boards drawn for the family (package train), and
// are rolled out to the end. No net is trained on them: pipelines leave them out (Hide).
package families

import (
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
)

// Family is a kind of position.
type Family struct {
	Name string
	// Plan draws the boards at which games begin.
	Plan train.Plan
	// Error is the usual standard error of the rollouts' equity: less than a fifth of what nets are off
	// by there.
	Error float64
	// of reports whether side c, against o, is in such a position; either may be on roll.
	of func(c, o *board.Checkers) bool
}

// All lists the families in the order of reports.
var All = []Family{
	{"snake", train.Snake, 0.03, snake},
	{"latehit", train.LateHit, 0.02, lateHit},
	{"massivebackgame", train.MassiveBackGame, 0.02, massive},
	{"mutualbackgame", train.MutualBackGame, 0.02, mutual},
	{"savebackgammon", train.SaveBackgammon, 0.012, saving},
	{"stackedrace", train.StackedRace, 0.012, stacked},
}

// Find returns the family of that name, or nil if there is no such family.
func Find(name string) *Family {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// Is reports whether an unfinished position belongs to the family, for either side.
func (f *Family) Is(p *board.Position) bool {
	return p.Result() == 0 && (f.of(&p.Me, &p.Opp) || f.of(&p.Opp, &p.Me))
}

// within counts the checkers of c on the points lo to hi, as indices; Bar is above all points.
func within(c *board.Checkers, lo, hi int) (n int) {
	for i := lo; i <= hi; i++ {
		n += int(c[i])
	}
	return n
}

// anchors counts the points that c has made in the opponent's home.
func anchors(c *board.Checkers) (n int) {
	for _, k := range c[home:board.Bar] {
		if k >= 2 {
			n++
		}
	}
	return n
}

// home is the index of the first point of the opponent's home.
const home = 18

// contact reports whether the sides have yet to pass each other.
func contact(c, o *board.Checkers) bool { return c.Rearmost()+o.Rearmost() > 22 }

// snake: c brings a column around the board against caught checkers. At least nine of its checkers are
// on its own 13 point or farther from home, o has one to three checkers behind them (on its own
// 13 point or farther, or on the bar), and all its others home or borne off.
func snake(c, o *board.Checkers) bool {
	caught := within(o, 12, board.Bar)
	return within(c, 12, board.Bar) >= 9 && caught >= 1 && caught <= 3 && within(o, 6, 11) == 0 && contact(c, o)
}

// lateHit: o has borne off five checkers or more and has one or two caught, on its own 11 point or
// farther or on the bar; c has all 15 checkers, at most two of them in o's home.
func lateHit(c, o *board.Checkers) bool {
	caught := within(o, 10, board.Bar)
	return o.Count() <= 10 && caught >= 1 && caught <= 2 && c.Count() == 15 && within(c, home, board.Bar) <= 2 && contact(c, o)
}

// massive: c has six checkers or more in o's home or on the bar, two anchors among them, and o
// at most one checker in c's home or on the bar.
func massive(c, o *board.Checkers) bool {
	return within(c, home, board.Bar) >= 6 && anchors(c) >= 2 && within(o, home, board.Bar) <= 1
}

// mutual: both have four checkers or more in the other's home or on the bar, and two anchors
// there.
func mutual(c, o *board.Checkers) bool {
	return within(c, home, board.Bar) >= 4 && within(o, home, board.Bar) >= 4 && anchors(c) >= 2 && anchors(o) >= 2
}

// saving: without contact, c has borne off nothing and has checkers in o's home, and o needs as many
// rolls for its last checkers as c for leaving, one more or one fewer. Two checkers count a
// roll of o, eight pips one of c.
func saving(c, o *board.Checkers) bool {
	if contact(c, o) || c.Count() != 15 || within(c, home, board.Bar) == 0 {
		return false
	}
	pips := 0
	for i := home; i <= board.Bar; i++ {
		pips += (i - home + 1) * int(c[i])
	}
	leave, off := (pips+7)/8, (o.Count()+1)/2
	return leave-off <= 1 && off-leave <= 1
}

// stacked: without contact, some checkers still outside the home boards, c has six checkers or more on
// one point, and the pip counts differ by a quarter of the smaller at most.
func stacked(c, o *board.Checkers) bool {
	if contact(c, o) || c.Rearmost() < 6 && o.Rearmost() < 6 {
		return false
	}
	a, b := c.Pips(), o.Pips()
	if 4*max(a, b) > 5*min(a, b) {
		return false
	}
	for _, n := range c[:board.Bar] {
		if n >= 6 {
			return true
		}
	}
	return false
}
