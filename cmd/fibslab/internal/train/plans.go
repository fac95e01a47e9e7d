package train

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"fibsbot/engine/board"
)

// Plan names a kind of game. The names tag generated positions and the
// decisions of the bench.
type Plan uint8

// The plans in the order of PlanNames.
const (
	Natural Plan = iota
	Holding
	Prime
	Blitz
	BackGame
	Containment
	BearoffContact
	Crashed
	LongRace
	Scattered
	MutualBackGame
	Snake
	LateHit
	MassiveBackGame
	SaveBackgammon
	StackedRace
	numPlans
)

// PlanNames lists the names of the plans by their number.
var PlanNames = [numPlans]string{"natural", "holding", "prime", "blitz", "backgame",
	"containment", "bearoffcontact", "crashed", "race", "scattered", "mutualbackgame",
	"snake", "latehit", "massivebackgame", "savebackgammon", "stackedrace"}

func (p Plan) String() string {
	if p < numPlans {
		return PlanNames[p]
	}
	return "unknown"
}

// ParsePlan returns the plan with that name.
func ParsePlan(name string) (Plan, bool) {
	for i, n := range PlanNames {
		if n == name {
			return Plan(i), true
		}
	}
	return 0, false
}

// races reports whether boards of the plan have no contact.
func (p Plan) races() bool { return p == LongRace || p == SaveBackgammon || p == StackedRace }

// StartOf draws a starting board for a game of the plan. Natural games start from the start
// position; the others from boards drawn at random within the plan, either side on roll.
func StartOf(plan Plan, rng *rand.Rand) board.Position {
	if plan == Natural {
		return board.Start
	}
	for {
		d := drawing{rng: rng}
		plans[plan](&d)
		p := board.Position{Me: d.a, Opp: d.b}
		if rng.IntN(2) == 0 {
			p = p.Swap()
		}
		if p.Validate() != nil || p.Result() != 0 || p.Me.Count() == 0 || p.Opp.Count() == 0 {
			continue
		}
		if p.Contact() == plan.races() {
			continue
		}
		return p
	}
}

// drawing is a board under construction: a is the side whose plan it is.
type drawing struct {
	rng  *rand.Rand
	a, b board.Checkers
}

// rest puts n more checkers of side c, whose opponent is o, on the points lo..hi
// (indices), mostly in pairs. slope > 0 prefers the high points.
func (d *drawing) rest(c, o *board.Checkers, n, lo, hi int, slope float64) {
	for tries := 0; n > 0 && tries < 1000; tries++ {
		i := lo + d.rng.IntN(hi-lo+1)
		f := float64(i-lo) / float64(hi-lo+1)
		keep := 0.5 + slope*(f-0.5)
		if d.rng.Float64() > keep || o[23-i] > 0 || c[i] >= 5 {
			continue
		}
		k := 1
		if n > 1 && c[i] == 0 && d.rng.Float64() < 0.75 {
			k = 2
		}
		c[i] += uint8(k)
		n -= k
	}
}

// anchor gives side c between lo and hi checkers on index i.
func (d *drawing) anchor(c *board.Checkers, i, lo, hi int) int {
	n := lo + d.rng.IntN(hi-lo+1)
	c[i] += uint8(n)
	return n
}

func (d *drawing) between(lo, hi int) int { return lo + d.rng.IntN(hi-lo+1) }

func (d *drawing) chance(p float64) bool { return d.rng.Float64() < p }

var plans = [numPlans]func(*drawing){
	Holding: func(d *drawing) {
		n := d.anchor(&d.a, d.between(17, 20), 2, 3)
		if d.chance(0.5) {
			n += d.anchor(&d.a, 12, 2, 3)
		}
		m := 0
		if d.chance(0.4) {
			m = d.anchor(&d.b, d.between(17, 20), 2, 2)
		}
		if d.chance(0.5) && d.a[12] == 0 {
			m += d.anchor(&d.b, d.between(12, 14), 2, 3)
		}
		d.rest(&d.a, &d.b, 15-n, 1, 12, -0.2)
		d.rest(&d.b, &d.a, 15-m, 1, 13, -0.2)
	},
	Prime: func(d *drawing) {
		n := d.wall(&d.a, &d.b, d.between(4, 6))
		m := 0
		if d.chance(0.7) {
			m = d.wall(&d.b, &d.a, d.between(3, 6))
		}
		back := d.between(1, 3)
		d.behind(&d.a, &d.b, back)
		d.rest(&d.a, &d.b, 15-n-back, 0, 14, 0)
		back = d.between(1, 3)
		d.behind(&d.b, &d.a, back)
		d.rest(&d.b, &d.a, 15-m-back, 0, 14, 0)
	},
	Blitz: func(d *drawing) {
		bar := d.between(0, 2)
		d.b[board.Bar] = uint8(bar)
		m := d.between(max(0, 2-bar), 3)
		d.rest(&d.b, &d.a, m, 18, 23, 0.5)
		n := d.between(0, 3)
		d.rest(&d.a, &d.b, n, 18, 23, 0.3)
		d.rest(&d.a, &d.b, 15-n, 0, 10, -0.3)
		d.rest(&d.b, &d.a, 15-m-bar, 2, 14, 0)
	},
	BackGame: func(d *drawing) {
		i := d.between(19, 23)
		j := d.between(18, 22)
		n := d.anchor(&d.a, i, 2, 3)
		if j != i {
			n += d.anchor(&d.a, j, 2, 3)
		}
		if d.chance(0.3) {
			n++
			d.rest(&d.a, &d.b, 1, 14, 23, 0)
		}
		d.rest(&d.a, &d.b, 15-n, 0, 14, d.rng.Float64()-0.5)
		off := 0
		if d.chance(0.25) {
			off = d.between(1, 6)
		}
		d.rest(&d.b, &d.a, 15-off, 0, 4+d.rng.IntN(14), -0.4)
	},
	Containment: func(d *drawing) {
		off := d.between(3, 13)
		caught := d.between(1, 2)
		if d.chance(0.5) {
			d.b[board.Bar]++
			caught--
		}
		n := d.wall(&d.a, &d.b, d.between(3, 5))
		d.rest(&d.b, &d.a, caught, 12, 23, 0.3)
		d.rest(&d.a, &d.b, 15-n, 0, 21, -0.2)
		if left := 15 - off - int(d.b.Count()); left > 0 {
			d.rest(&d.b, &d.a, left, 0, 5, -0.5)
		}
	},
	BearoffContact: func(d *drawing) {
		n := 0
		if d.chance(0.8) {
			n = d.anchor(&d.a, d.between(18, 23), 1, 3)
		} else {
			n = 1
			d.a[board.Bar] = 1
		}
		if d.chance(0.25) {
			n += d.anchor(&d.a, d.between(18, 23), 1, 2)
		}
		d.rest(&d.a, &d.b, 15-n, 0, 6+d.rng.IntN(8), -0.3)
		off := 0
		if d.chance(0.7) {
			off = d.between(1, 12)
		}
		d.rest(&d.b, &d.a, 15-off, 0, 5+d.rng.IntN(3), d.rng.Float64()-0.5)
	},
	Crashed: func(d *drawing) {
		n := d.anchor(&d.a, d.between(17, 23), 1, 3)
		if d.chance(0.5) {
			n += d.anchor(&d.a, d.between(17, 23), 1, 3)
		}
		d.rest(&d.a, &d.b, 15-n, 0, 3+d.rng.IntN(3), -0.6)
		m := 0
		if d.chance(0.3) {
			m = d.anchor(&d.b, d.between(17, 23), 1, 2)
		}
		d.rest(&d.b, &d.a, 15-m, 0, 4+d.rng.IntN(10), -0.2)
	},
	LongRace: func(d *drawing) {
		m := d.between(0, 20)
		offA, offB := 0, 0
		if d.chance(0.3) {
			offA, offB = d.between(0, 6), d.between(0, 6)
		}
		d.rest(&d.a, &d.b, 15-offA, 0, max(m, 5), d.rng.Float64()-0.6)
		d.rest(&d.b, &d.a, 15-offB, 0, max(22-m, 5), d.rng.Float64()-0.6)
	},
	Scattered: func(d *drawing) {
		d.rest(&d.a, &d.b, d.between(8, 15), 0, 23, d.rng.Float64()-0.5)
		d.rest(&d.b, &d.a, d.between(8, 15), 0, 23, d.rng.Float64()-0.5)
		if d.chance(0.2) {
			d.a[d.a.Rearmost()]--
			d.a[board.Bar]++
		}
	},
	MutualBackGame: func(d *drawing) {
		for _, side := range [...][2]*board.Checkers{{&d.a, &d.b}, {&d.b, &d.a}} {
			c, o := side[0], side[1]
			for n := 2; n > 0; {
				if i := d.between(18, 23); o[23-i] == 0 && c[i] == 0 {
					d.anchor(c, i, 2, 3)
					n--
				}
			}
		}
		d.rest(&d.a, &d.b, 15-int(d.a.Count()), 0, 17, d.rng.Float64()-0.5)
		d.rest(&d.b, &d.a, 15-int(d.b.Count()), 0, 17, d.rng.Float64()-0.5)
	},
	Snake: func(d *drawing) {
		caught := d.between(1, 3)
		if d.chance(0.5) {
			d.b[board.Bar], caught = 1, caught-1
		}
		d.rest(&d.b, &d.a, caught, 12, 23, 0.4)
		lo := d.between(10, 15)
		d.rest(&d.a, &d.b, d.between(9, 13), lo, min(lo+d.between(5, 9), 23), 0)
		d.rest(&d.a, &d.b, 15-d.a.Count(), 0, lo, 0.3)
		off := 0
		if d.chance(0.5) {
			off = d.between(1, 11)
		}
		d.home(&d.b, &d.a, 15-off-d.b.Count())
	},
	LateHit: func(d *drawing) {
		off := d.between(5, 13)
		caught := d.between(1, min(2, 15-off))
		if d.chance(0.6) {
			d.b[board.Bar], caught = 1, caught-1
		}
		d.rest(&d.b, &d.a, caught, 10, 23, 0.3)
		n := d.wall(&d.a, &d.b, d.between(2, 6))
		d.rest(&d.a, &d.b, 15-n, 0, d.between(8, 20), -0.2)
		d.home(&d.b, &d.a, 15-off-d.b.Count())
	},
	MassiveBackGame: func(d *drawing) {
		n := d.between(6, 9)
		for anchors := 0; anchors < 2; {
			if i := d.between(18, 23); d.a[i] == 0 {
				n -= d.anchor(&d.a, i, 2, 3)
				anchors++
			}
		}
		d.rest(&d.a, &d.b, max(n, 0), 18, 23, 0)
		d.rest(&d.a, &d.b, 15-d.a.Count(), 0, 17, d.rng.Float64()-0.5)
		d.rest(&d.b, &d.a, 15, 0, 5+d.rng.IntN(13), d.rng.Float64()-0.6)
	},
	SaveBackgammon: func(d *drawing) {
		d.home(&d.b, &d.a, d.between(2, 9))
		d.rest(&d.a, &d.b, d.between(1, 4), 15, 23, 0)
		d.rest(&d.a, &d.b, 15-d.a.Count(), 0, 20, d.rng.Float64()-0.5)
	},
	StackedRace: func(d *drawing) {
		m := d.between(4, 18)
		for i, side := range [...][2]*board.Checkers{{&d.a, &d.b}, {&d.b, &d.a}} {
			c, o := side[0], side[1]
			far := max([]int{m, 22 - m}[i], 5)
			if i == 0 || d.chance(0.6) {
				d.anchor(c, d.between(0, far), 6, 12)
				if d.chance(0.3) {
					d.anchor(c, d.between(0, far), 1, 3)
				}
			}
			off := 0
			if d.chance(0.3) {
				off = d.between(1, 5)
			}
			d.rest(c, o, max(15-off-c.Count(), 0), 0, far, d.rng.Float64()-0.5)
		}
	},
}

// home puts n checkers of side c on points of its home that o leaves free.
func (d *drawing) home(c, o *board.Checkers, n int) {
	for tries := 0; n > 0 && tries < 200; tries++ {
		if i := d.rng.IntN(6); o[23-i] == 0 {
			c[i]++
			n--
		}
	}
}

// wall gives side c a block of n points, one gap allowed, between its home and the middle of
// the board.
func (d *drawing) wall(c, o *board.Checkers, n int) int {
	i := d.between(0, 6)
	used := 0
	gap := d.chance(0.5)
	for ; n > 0 && i < 14; i++ {
		if gap && d.chance(0.25) {
			gap = false
			continue
		}
		if o[23-i] == 0 {
			c[i] += 2
			used += 2
			n--
		}
	}
	return used
}

// behind puts k checkers of side c on the low points of o's home or the bar.
func (d *drawing) behind(c, o *board.Checkers, k int) {
	for ; k > 0; k-- {
		if d.chance(0.1) {
			c[board.Bar]++
			continue
		}
		d.rest(c, o, 1, 18, 23, 0.4)
	}
}

// UsualMix is the default mix of games that positions come from, in the form of ParseMix.
const UsualMix = "natural=10,holding=1,prime=2,blitz=1.5,backgame=2,containment=1.5,bearoffcontact=1.5,crashed=1,race=0.5,scattered=0.5"

// ParseMix reads PLAN=WEIGHT,... into w, the relative numbers of games by plan. Plans that
// text does not name keep their weights.
func ParseMix(text string, w *[numPlans]float64) error {
	for part := range strings.SplitSeq(text, ",") {
		name, val, ok := strings.Cut(strings.TrimSpace(part), "=")
		plan, known := ParsePlan(name)
		x, err := strconv.ParseFloat(val, 64)
		if !ok || !known || err != nil || !(x >= 0) || x > 1e6 {
			return fmt.Errorf("%.40q is not PLAN=WEIGHT (plans: %s)", part, strings.Join(PlanNames[:], " "))
		}
		w[plan] = x
	}
	return nil
}

// DrawPlan draws a plan by its weight.
func DrawPlan(weights *[numPlans]float64, rng *rand.Rand) (plan Plan) {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	x := rng.Float64() * total
	for i, w := range weights {
		if w > 0 {
			plan = Plan(i) // the last one with a weight, if rounding leaves no other
		}
		if x < w {
			break
		}
		x -= w
	}
	return plan
}
