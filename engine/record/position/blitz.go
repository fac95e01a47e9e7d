package position

import (
	"math"
	"regexp"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// What BGBlitz prints of a play and its chances, of the chances of both sides and of a cube
// action: figures in fixed places, words in any language. In a match the first figure is a
// chance to win it (mwp, MWC), the second the normalised equity (EMG).
var (
	blitzPlay    = regexp.MustCompile(`^ +(\d{1,3})\. +(?:\d\.\d{1,4} +\S+ +/ +)?(-?\d{1,2}\.\d{1,4})(?: +\([- ]?\d{1,2}\.\d{1,4}\))? +([Bb\d]\S*/.*?)\s*$`)
	blitzChances = regexp.MustCompile(`^ +(\d\.\d{1,4}) +(\d\.\d{1,4}) +(\d\.\d{1,4}) +- +\d\.\d{1,4} +(\d\.\d{1,4}) +(\d\.\d{1,4})\s*$`)
	blitzSide    = regexp.MustCompile(`^ (\S.*?) +(\d{1,3}\.\d{1,2}) +(\d{1,3}\.\d{1,2}) +(\d{1,3}\.\d{1,2})\s*$`)
	blitzCube    = regexp.MustCompile(`^ (\S.*?) +: +(-?\d{1,2}\.\d{1,4}) +\([- ]?\d{1,2}\.\d{1,4}\)(?: +(-?\d{1,2}\.\d{1,4}) +\([- ]?\d{1,2}\.\d{1,4}\))?\s*$`)
)

// blitzSettings are what its figures are made with; the pages do not say how deep.
var blitzSettings = record.Settings{Level: "BGBlitz", Cubeful: true, Deterministic: true}

// blitzAction is one line of a cube decision.
type blitzAction struct {
	words       string
	value, emg  float64 // the same in money play
	doubleFirst bool    // "double / something"
}

// blitz takes a line of a page of BGBlitz over as analysis and reports whether it was one.
func (p *reader) blitz(m *record.Match, g *record.Game, a *record.Action, line string) bool {
	if a.Kind == record.Roll {
		return p.blitzRoll(m, g, a, line)
	}
	if v := blitzSide.FindStringSubmatch(line); v != nil && len(p.sides) < 2 {
		p.sides = append(p.sides, [3]float64{decimal(v[2]) / 100, decimal(v[3]) / 100, decimal(v[4]) / 100})
		return true
	}
	v := blitzCube.FindStringSubmatch(line)
	if v == nil || len(p.sides) < 2 || len(p.actions) >= 3 {
		return false
	}
	x := blitzAction{words: v[1], value: decimal(v[2]), doubleFirst: strings.Contains(v[1], "/")}
	if x.emg = x.value; v[3] != "" {
		x.emg = decimal(v[3])
	}
	if p.actions = append(p.actions, x); len(p.actions) == 3 {
		p.blitzDecision(m, g, a)
	}
	return true
}

func (p *reader) blitzRoll(m *record.Match, g *record.Game, a *record.Action, line string) bool {
	if v := blitzPlay.FindStringSubmatch(line); v != nil && p.plays < maxCandidates {
		s, _ := Last(m, g)
		play, err := board.ParsePlay(s.Position, a.Dice, v[3])
		if err != nil {
			p.warn("the play %.40q cannot be read", v[3])
			return true
		}
		p.candidate(a, play, blitzSettings, decimal(v[2]))
		m.Judge.Program = "BGBlitz"
		return true
	}
	v := blitzChances.FindStringSubmatch(line)
	if v == nil || a.Analysis == nil || p.plays == 0 {
		return false
	}
	o := &a.Analysis.Candidates[p.plays-1].Outcome
	for i := range o.Probs {
		o.Probs[i] = decimal(v[i+1])
	}
	o.SumUp()
	return true
}

// blitzDecision takes the three actions, the best one first, over as the analysis of a. Only
// no double has no second word; a pass is worth 1.
func (p *reader) blitzDecision(m *record.Match, g *record.Game, a *record.Action) {
	var none, take, pass *blitzAction
	for i := range p.actions {
		switch x := &p.actions[i]; {
		case !x.doubleFirst && none == nil:
			none = x
		case x.doubleFirst && pass == nil && math.Abs(x.emg-1) < 5e-4:
			pass = x
		case x.doubleFirst && take == nil:
			take = x
		}
	}
	if none == nil || take == nil || pass == nil {
		p.warn("the cube decision cannot be read: %q, %q, %q", p.actions[0].words, p.actions[1].words, p.actions[2].words)
		return
	}
	_, who := Last(m, g)
	mine, theirs := p.sides[1], p.sides[0] // O stands above X
	if who == 0 {
		mine, theirs = theirs, mine
	}
	c := &record.CubeAnalysis{Settings: blitzSettings, Equities: &[3]float64{none.emg, take.emg, pass.emg}}
	c.NoDouble.Probs = [5]float64{mine[0], mine[1], mine[2], theirs[1], theirs[2]}
	c.NoDouble.SumUp()
	c.DoubleTake = c.NoDouble
	c.NoDouble.Cubeful, c.DoubleTake.Cubeful = none.value, take.value
	a.Analysis = &record.Analysis{Played: -1, Cube: c}
	m.Judge.Program = "BGBlitz"
}
