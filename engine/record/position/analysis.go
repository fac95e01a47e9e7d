package position

import (
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/level"
)

// What eXtreme Gammon prints of a play and of its chances, those of the mover first, in any
// language and with a decimal point or comma.
var (
	xgPlay    = regexp.MustCompile(`^ +(\d{1,3})\. (\S.*?)  +(\S.*?) +[^\s:：]{1,12}[:：] ?([-+]\d{1,2}[.,]\d{1,4})(?:[^\d]|$)`)
	xgChances = regexp.MustCompile(`^ *\S[^:：]*[:：] +(\d{1,3}[.,]\d{1,2}) ?% \([^\s:：]{1,3}[:：] ?(\d{1,3}[.,]\d{1,2}) ?% [^\s:：]{1,3}[:：] ?(\d{1,3}[.,]\d{1,2}) ?%\)`)
	xgCube    = regexp.MustCompile(`^ +\S[^:：]*[:：] *([-+]\d{1,2}[.,]\d{1,4})(?: +\([-+]\d{1,2}[.,]\d{1,4}\))?\s*$`)
	xgTable   = regexp.MustCompile(`^eXtreme Gammon Version[:：] [^,]*, [^:：]*[:：] *(\S.*?)\s*$`)
)

// maxCandidates bounds the plays of one page.
const maxCandidates = 64

// analysis takes a line of a page over as the analysis of its roll or cube decision.
func (p *reader) analysis(m *record.Match, line string) {
	g := &m.Games[len(m.Games)-1]
	if len(g.Actions) == 0 || p.over {
		return
	}
	a := &g.Actions[len(g.Actions)-1]
	if p.blitz(m, g, a, line) {
		return
	}
	if a.Kind != record.Roll {
		p.cube(m, a, line)
		return
	}
	if v := xgPlay.FindStringSubmatch(line); v != nil && p.plays < maxCandidates {
		s, _ := Last(m, g)
		play, err := board.ParsePlay(s.Position, a.Dice, v[3])
		if err != nil {
			p.warn("the play %.40q cannot be read", v[3])
			return
		}
		by, _ := level.ByWords(v[2])
		p.candidate(a, play, by, decimal(v[4]))
		m.Judge.Program = "eXtreme Gammon"
		return
	}
	if v := xgChances.FindStringSubmatch(line); v != nil && a.Analysis != nil && p.plays > 0 {
		o := &a.Analysis.Candidates[p.plays-1].Outcome
		setChances(&o.Probs, v, !p.mover)
		if p.mover {
			o.SumUp()
		}
		p.mover = true
	}
}

// setChances takes the wins, gammons and backgammons of a line over: the mover's, or those of the other side.
func setChances(q *[5]float64, v []string, mover bool) {
	if mover {
		q[0], q[1], q[2] = decimal(v[1])/100, decimal(v[2])/100, decimal(v[3])/100
	} else {
		q[3], q[4] = decimal(v[2])/100, decimal(v[3])/100
	}
}

// cube takes the cube decision of a page over as the analysis of its last action.
func (p *reader) cube(m *record.Match, a *record.Action, line string) {
	if s, ok := level.Analysed(line); ok && p.cubeLevel.Level == "" {
		p.cubeLevel = s
	}
	if v := xgChances.FindStringSubmatch(line); v != nil && p.cubeLines < 2 {
		setChances(&p.cubeChances, v, p.cubeLines == 0)
		p.cubeLines++
	}
	v := xgCube.FindStringSubmatch(line)
	if v == nil || p.cubeLines < 2 || len(p.equities) >= 3 {
		return
	}
	if p.equities = append(p.equities, decimal(v[1])); len(p.equities) < 3 {
		return
	}
	c := &record.CubeAnalysis{}
	if c.Settings = p.cubeLevel; c.Settings.Level == "" {
		c.Settings, _ = level.ByWords("")
	}
	c.NoDouble.Probs = p.cubeChances
	c.NoDouble.SumUp()
	c.DoubleTake = c.NoDouble
	s, _ := Last(m, &m.Games[len(m.Games)-1])
	c.Value(s.State, [3]float64(p.equities))
	a.Analysis = &record.Analysis{Played: -1, Cube: c}
	m.Judge.Program = "eXtreme Gammon"
}

// candidate adds a play to the analysis of a roll.
func (p *reader) candidate(a *record.Action, play board.Play, by record.Settings, equity float64) {
	c := record.Candidate{Steps: append([]board.Step(nil), play.Steps[:play.N]...), Settings: by}
	c.Outcome.Cubeful = equity
	a.Judged().Candidates = append(a.Judged().Candidates, c)
	p.plays++
	p.mover = false
}

// decimal reads a number that a pattern has checked.
func decimal(text string) float64 {
	v, _ := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return v
}
