package position

import (
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// What eXtreme Gammon prints of a play and of its chances, those of the mover first, in any
// language and with a decimal point or comma.
var (
	xgPlay    = regexp.MustCompile(`^ +(\d{1,3})\. (\S.*?)  +(\S.*?) +eq: ?([-+]\d{1,2}[.,]\d{1,4})\b`)
	xgChances = regexp.MustCompile(`^ +\S[^:]*: +(\d{1,3}[.,]\d{1,2})% \(G: ?(\d{1,3}[.,]\d{1,2})% B: ?(\d{1,3}[.,]\d{1,2})%\)`)
	xgPlies   = regexp.MustCompile(`^(\d{1,2})-ply`)
)

// maxCandidates bounds the plays of one page.
const maxCandidates = 64

// analysis takes the plays and chances of a page over as the analysis of its roll.
func (p *reader) analysis(m *record.Match, line string) {
	g := &m.Games[len(m.Games)-1]
	if len(g.Actions) == 0 || p.over {
		return
	}
	a := &g.Actions[len(g.Actions)-1]
	if a.Kind != record.Roll {
		return
	}
	if v := xgPlay.FindStringSubmatch(line); v != nil && p.plays < maxCandidates {
		s, _ := Last(m, g)
		play, err := board.ParsePlay(s.Position, a.Dice, v[3])
		if err != nil {
			p.warn("cannot make anything of the play %.40q", v[3])
			return
		}
		if a.Analysis == nil {
			a.Analysis = &record.Analysis{Played: -1}
		}
		c := record.Candidate{Steps: append([]board.Step(nil), play.Steps[:play.N]...)}
		c.Settings = record.Settings{Level: v[2], Cubeful: true, Deterministic: true}
		if n := xgPlies.FindStringSubmatch(v[2]); n != nil { // its 1-ply looks at the position alone
			k, _ := strconv.Atoi(n[1])
			c.Settings.Plies = max(k-1, 0)
		}
		c.Outcome.Cubeful = decimal(v[4])
		a.Analysis.Candidates = append(a.Analysis.Candidates, c)
		p.plays++
		p.mover = false
		return
	}
	if v := xgChances.FindStringSubmatch(line); v != nil && a.Analysis != nil && p.plays > 0 {
		o := &a.Analysis.Candidates[p.plays-1].Outcome
		if q := &o.Probs; !p.mover {
			q[0], q[1], q[2] = decimal(v[1])/100, decimal(v[2])/100, decimal(v[3])/100
			p.mover = true
		} else {
			q[3], q[4] = decimal(v[2])/100, decimal(v[3])/100
			o.Cubeless = 2*q[0] - 1 + q[1] + q[2] - q[3] - q[4]
		}
	}
}

// decimal reads a number that a pattern has checked.
func decimal(text string) float64 {
	v, _ := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return v
}
