package gnubgtext

import (
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// maxCandidates bounds what is kept of one analysis.
const maxCandidates = 32

var (
	candidate = regexp.MustCompile(`^(\*)? +(?:(\d{1,4})\.|\?\?) +(Cubeful|Cubeless) (\d)-ply +(\S.*?) +Eq\.: +([-+]\d{1,2}\.\d{1,4})(?: |$)`)
	chances   = regexp.MustCompile(`^ +([01]\.\d{3}) ([01]\.\d{3}) ([01]\.\d{3}) - ([01]\.\d{3}) ([01]\.\d{3}) ([01]\.\d{3})$`)
	cubeless  = regexp.MustCompile(`^(\d)-ply cubeless equity [-+]\d`)
	cubeful   = regexp.MustCompile(`^\d\. (No (?:re)?double|(?:Double|Redouble), (?:take|pass|beaver)) +([-+]\d{1,2}\.\d{1,4})(?: |$)`)
	alert     = regexp.MustCompile(`^Alert: (doubtful|bad|very bad) move\b`)
	lucky     = regexp.MustCompile(`^Alert: (very unlucky|unlucky|lucky|very lucky) roll!`)
	luck      = regexp.MustCompile(`^Rolled [1-6]{2} \(([-+]\d{1,2}\.\d{1,4})\):$`)
)

// analysis is what is printed below one action.
type analysis struct {
	plays  []play
	played int // its number in plays from 1, 0 without
	rank   int // of that play, as in record.Analysis
	cube   *record.CubeAnalysis
	said   [3]bool // of its equities
	target *record.Outcome
	mark   record.Mark
	marks  int8
	luck   *float64
}

// play is a candidate with its play in words.
type play struct {
	text string
	c    record.Candidate
}

// read takes a line of an analysis and skips other lines.
func (a *analysis) read(text string) {
	if len(text) < 8 || len(text) > 200 {
		return
	}
	if m := chances.FindStringSubmatch(text); m != nil {
		if a.target != nil {
			o := a.target
			o.Probs = [5]float64{number(m[1]), number(m[2]), number(m[3]), number(m[5]), number(m[6])}
			o.SumUp()
		}
		a.target = nil
		return
	}
	if m := candidate.FindStringSubmatch(text); m != nil && len(a.plays) < maxCandidates {
		a.candidate(m)
		return
	}
	if m := cubeless.FindStringSubmatch(text); m != nil && a.cube == nil {
		a.cube = &record.CubeAnalysis{Settings: settings(m[1], true), Equities: &[3]float64{}}
		a.target = &a.cube.NoDouble
		return
	}
	if m := cubeful.FindStringSubmatch(text); m != nil && a.cube != nil {
		k := 0
		switch {
		case strings.HasSuffix(m[1], "pass"):
			k = 2
		case !strings.HasPrefix(m[1], "No"):
			k = 1
		}
		a.cube.Equities[k], a.said[k] = number(m[2]), true
		return
	}
	if m := luck.FindStringSubmatch(text); m != nil {
		v := number(m[1])
		a.luck = &v
		return
	}
	if m := alert.FindStringSubmatch(text); m != nil {
		a.mark = map[string]record.Mark{"doubtful": record.Doubtful, "bad": record.Bad, "very bad": record.VeryBad}[m[1]]
	} else if m := lucky.FindStringSubmatch(text); m != nil {
		a.marks = map[string]int8{"very unlucky": -2, "unlucky": -1, "lucky": 1, "very lucky": 2}[m[1]]
	}
}

func settings(plies string, cubeful bool) record.Settings {
	return record.Settings{Plies: int(plies[0] - '0'), Cubeful: cubeful, Deterministic: true}
}

func (a *analysis) candidate(m []string) {
	p := play{text: m[5], c: record.Candidate{Settings: settings(m[4], m[3] == "Cubeful")}}
	p.c.Outcome.Cubeful = number(m[6])
	if m[1] != "" {
		a.played = len(a.plays) + 1
		// The play made is printed below the best ones with its own rank, or with "??".
		if a.rank, _ = strconv.Atoi(m[2]); a.rank == 0 {
			a.rank = record.UnknownRank
		} else if a.rank == a.played {
			a.rank = 0
		}
	}
	a.plays = append(a.plays, p)
	a.target = &a.plays[len(a.plays)-1].c.Outcome
}

// analysed puts the analysis that was read at the action it stands below.
func (g *reader) analysed() {
	a := g.ana
	g.ana = analysis{}
	if g.Builder == nil || g.at != done && g.at != note || g.Last() == nil {
		return
	}
	to := g.Last()
	found := record.Analysis{Played: -1, Luck: a.luck}
	if a.cube != nil && a.said == [3]bool{true, true, true} {
		g.cube(a.cube, to)
		found.Cube = a.cube
	}
	if to.Kind == record.Move {
		to.Marks.Action, to.Marks.Luck = a.mark, a.marks
		for i := range a.plays {
			p := &a.plays[i]
			pl, err := board.ParsePlay(g.b.before, to.Dice, p.text)
			if err != nil {
				continue
			}
			if a.played == i+1 {
				found.Played, found.Rank = len(found.Candidates), a.rank
			}
			p.c.Steps = append(p.c.Steps, pl.Steps[:pl.N]...)
			found.Candidates = append(found.Candidates, p.c)
		}
	}
	if found.Cube != nil || len(found.Candidates) > 0 || found.Luck != nil {
		to.Analysis = &found
	}
}

// cube completes a cube decision, whose doubler sees it, with match winning chances.
func (g *reader) cube(c *record.CubeAnalysis, to *record.Action) {
	if c.Equities[2] < 0 {
		// Below an answer it is printed as the one who answers sees it.
		for i := range c.Equities {
			c.Equities[i] = -c.Equities[i]
		}
		o := &c.NoDouble
		o.Probs = [5]float64{1 - o.Probs[0], o.Probs[3], o.Probs[4], o.Probs[1], o.Probs[2]}
		o.Cubeless = -o.Cubeless
	}
	c.DoubleTake = c.NoDouble
	doubler := to.Player
	if to.Kind == record.Take || to.Kind == record.Drop {
		doubler = 1 - to.Player
	}
	st := g.b.state
	if doubler != g.b.stateOf {
		st = g.State(doubler)
	}
	c.Value(st, *c.Equities)
}
