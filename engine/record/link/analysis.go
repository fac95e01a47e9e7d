package link

import (
	"math"
	"slices"

	"fibsbot/engine/record"
)

const (
	perMille = 1000
	fine     = 20_000
)

// Step is that of equities and chances, CubeStep that of the equities and match winning chances of cube decisions.
const (
	Step     = 1.0 / perMille
	CubeStep = 1.0 / fine
)

func (s *stream) analysis(a *record.Action) {
	x := a.Analysis
	cube, plays := x.Cube != nil, len(x.Candidates) > 0
	lucky, deep, resigned := x.Luck != nil, x.LuckPlies != nil, x.Resigned != nil
	var said [3]bool
	stated := x.Stated
	if stated == nil {
		stated = &record.Stated{}
	}
	list := [3]**float64{&stated.Play, &stated.Double, &stated.Answer}
	for i, v := range list {
		said[i] = *v != nil
	}
	s.turn(a)
	s.bits(&cube, &plays, &lucky, &deep, &resigned, &said[0], &said[1], &said[2], &x.Own)
	if cube {
		if s.reading {
			x.Cube = &record.CubeAnalysis{}
		}
		s.cube(x.Cube)
	}
	if plays {
		s.plays(a, x)
	} else if s.reading {
		x.Played = -1
	}
	if lucky {
		s.optional(luck, &x.Luck, perMille, true)
	}
	if deep {
		if s.reading {
			x.LuckPlies = new(int)
		}
		number(s, depths, x.LuckPlies, 0, 99)
	}
	if resigned {
		if s.reading {
			x.Resigned = &record.Resigned{}
		}
		s.setting(&x.Resigned.Settings)
		s.near(rest, &x.Resigned.PlayOn, perMille, 0)
		s.near(rest, &x.Resigned.Given, perMille, 0)
	}
	for i, v := range list {
		s.optional(rest, v, perMille, said[i])
	}
	if *stated != (record.Stated{}) {
		x.Stated = stated
	}
}

// plays carries the best play and the one made.
func (s *stream) plays(a *record.Action, x *record.Analysis) {
	list, made, rank := x.Candidates, min(x.Played, 1), x.Rank
	if !s.reading {
		if list = slices.Clone(list[:1]); x.Played > 0 {
			list = append(list, x.Candidates[x.Played])
		}
		if rank == 0 && x.Played > 1 {
			rank = x.Played + 1
		}
	}
	number(s, better, &made, -1, 1)
	number(s, better, &rank, record.UnknownRank, 1<<20)
	if s.reading {
		list = make([]record.Candidate, 1+max(made, 0))
		x.Played, x.Rank = made, rank
	}
	for i := range list {
		c := &list[i]
		if i != made {
			s.steps(better, betterPips, a.Dice, &c.Steps)
		} else if s.reading {
			c.Steps = slices.Clone(a.Steps)
		}
		s.setting(&c.Settings)
		s.outcome(&c.Outcome, false)
		rolled := c.Rollout != nil
		s.bits(&rolled)
		if rolled {
			s.rollout(&c.Rollout, 1)
			s.near(rest, &c.Rollout.Output, fine, 0)
		}
	}
	if s.reading {
		x.Candidates = list
	}
}

func (s *stream) cube(c *record.CubeAnalysis) {
	s.setting(&c.Settings)
	s.outcome(&c.NoDouble, true)
	s.outcome(&c.DoubleTake, true)
	rolled, said := c.Rollout != nil, c.Equities != nil
	s.bits(&rolled, &said)
	if rolled {
		s.rollout(&c.Rollout, 2)
	}
	if said {
		if s.reading {
			c.Equities = &[3]float64{}
		}
		for i := range c.Equities {
			s.near(rest, &c.Equities[i], fine, 0)
		}
	}
}

func (s *stream) rollout(r **record.Rollout, outcomes int) {
	if s.reading {
		*r = &record.Rollout{}
	}
	number(s, rest, &(*r).Trials, 0, 1<<30)
	for i := range outcomes {
		s.near(rest, &(*r).StdErr[i].Cubeful, fine, 0)
		s.near(rest, &(*r).StdErr[i].Cubeless, fine, 0)
	}
}

// setting carries settings as their place among those of the match.
func (s *stream) setting(v *settings) {
	at := slices.Index(s.settings, *v)
	if !s.reading && at < 0 {
		at = len(s.settings)
		s.settings = append(s.settings, *v)
	}
	s.int(depths, &at)
	if s.reading {
		if at < 0 || at >= len(s.settings) {
			s.err = errColumns
			return
		}
		*v = s.settings[at]
	}
}

// turn expects the chances of who decides at a: those of the decision before, or of the other side.
func (s *stream) turn(a *record.Action) {
	side := a.Player
	if a.Kind == record.Take || a.Kind == record.Drop { // the doubler's chances
		side = 1 - side
	}
	if side == s.side {
		return
	}
	l := s.last
	s.side, s.last, s.beyond, s.cubeful = side, [5]int{perMille - l[0], l[3], l[4], l[1], l[2]}, -s.beyond, s.whole-s.cubeful
}

// outcome carries chances and equity near to those before. The equity of a cube decision is a winning chance in
// matches.
func (s *stream) outcome(o *record.Outcome, cube bool) {
	l := &s.last
	for i := range o.Probs {
		l[i] = s.near(chances1+column(i), &o.Probs[i], perMille, l[i])
		if l[i] < 0 || l[i] > perMille {
			s.err, l[i] = errColumns, 0
		}
	}
	equity := 2*l[0] - perMille + l[1] + l[2] - l[3] - l[4]
	stated := int(math.Round(min(max(o.Cubeless*perMille, -1e6), 1e6)))
	own := max(stated-equity, equity-stated) > 3 // of chances at a score, not only rounded
	// One that is read back as 0 is as good as unknown: match files write that as 0.
	known := o.Cubeless != 0 && (own && stated != 0 || !own && equity != 0)
	own = own && known
	switch s.bits(&known, &own); {
	case own:
		s.near(rest, &o.Cubeless, perMille, equity)
	case known && s.reading:
		o.SumUp()
	}
	if cube {
		s.cubeful = s.near(cubes, &o.Cubeful, fine, s.cubeful)
		return
	}
	s.beyond = s.near(equities, &o.Cubeful, perMille, equity+s.beyond) - equity
}
