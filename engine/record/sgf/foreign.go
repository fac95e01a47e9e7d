package sgf

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Properties of our own, for which gnubg's dialect has no words; it passes over them.
const (
	// levelProperty holds the names of other programs for the ways they evaluated: that
	// of the cube, then those of the candidates. An "=" is the one before it.
	levelProperty = "XL"
	// statedProperty holds what another program stated, as words: "p" the error of the
	// play, "d" of the double, "a" of the answer; "e" the cube's three equities; "r" the rank
	// of the play made; "l" the plies at which LU was judged.
	statedProperty = "XE"
	// ownProperty marks the analysis that a player made while playing.
	ownProperty = "XO"
	// resignedProperty is the resignation after an action: how it was judged, as in DA, then
	// the equities of playing on and of resigning.
	resignedProperty = "XR"
	// besideProperty holds the verdicts that do not count. A value "by NAME" begins each; "level
	// NAME" is as in levelProperty, of what follows it; "cube" and "play" are as in DA and A,
	// "equities" the three of the cube before it.
	besideProperty = "XV"
	// judgeProperty is what made the analysis: program, preset, nets, match equity table, day.
	judgeProperty = "XJ"
	// endUnknownProperty marks a game whose result has the R of a resignation, without which
	// gnubg takes it for unfinished, though it may have ended in another way.
	endUnknownProperty = "XU"
	// disputedProperty says which statements about the result of a game contradict each other.
	disputedProperty = "XC"
	// timeProperty is the time of day when the match began.
	timeProperty = "XT"
	// tagsProperty holds the head of a .mat file: values "name:text".
	tagsProperty = "XH"
	// dropRule is the rule of servers where giving up costs what the position says
	// (match.DropByPosition). Programs that do not know it play on by the usual rule.
	dropRule = "DropByPosition"
	// egyptian is the rule of at most five checkers on a point, which gnubg plays but does not write.
	egyptian = "Egyptian"
	// beaverRule precedes an unusual number of instant redoubles in money play, limitRule the
	// highest cube.
	beaverRule = "Beavers"
	limitRule  = "CubeLimit"
)

// counted reads a rule with a number after its word; false if word is not such a rule.
func counted(word string, rules *record.Rules) bool {
	if v, ok := strings.CutPrefix(word, beaverRule); ok {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n > match.DefaultBeavers {
			return false
		}
		rules.Beavers = n
		return true
	}
	if v, ok := strings.CutPrefix(word, limitRule); ok {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 1<<15 {
			return false
		}
		rules.CubeLimit = n
		return true
	}
	return false
}

// beside writes the verdicts that do not count.
func (o *writer) beside(player int, list []record.Replaced) {
	if len(list) == 0 {
		return
	}
	o.text(besideProperty)
	for i := range list {
		v, last := &list[i], ""
		level := func(name string) {
			if name != last {
				o.text("[level ", escape.Replace(name), "]")
				last = name
			}
		}
		o.text("[by ", escape.Replace(v.By), "]")
		if c := v.Cube; c != nil {
			level(c.Settings.Level)
			o.text("[cube ")
			o.codec().cube(c)
			o.text("]")
			if e := c.Equities; e != nil {
				o.text("[equities ", general(e[0]), " ", general(e[1]), " ", general(e[2]), "]")
			}
		}
		for k := range v.Candidates {
			level(v.Candidates[k].Settings.Level)
			o.text("[play ")
			o.codec().candidate(player, &v.Candidates[k])
			o.text("]")
		}
	}
}

// parseBeside reads the values of besideProperty.
func parseBeside(player int, values []string) (list []record.Replaced, err error) {
	level := ""
	for _, text := range values {
		word, rest, _ := strings.Cut(text, " ")
		if word == "by" {
			list, level = append(list, record.Replaced{By: rest}), ""
			continue
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("%q where \"by\" should be", clip(word))
		}
		v := &list[len(list)-1]
		switch word {
		case "level":
			level = rest
		case "cube":
			if v.Cube, err = parseCube(rest); err == nil {
				v.Cube.Settings.Level = level
			}
		case "equities":
			c, e := codec{in: rest}, [3]float64{}
			for i := range e {
				c.float(&e[i], general)
			}
			if err = c.err; err == nil && v.Cube != nil {
				v.Cube.Equities = &e
			}
		case "play":
			var c record.Candidate
			c, err = parseCandidate(player, rest)
			c.Settings.Level = level
			v.Candidates = append(v.Candidates, c)
		default:
			err = fmt.Errorf("%q where a verdict should be", clip(word))
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// foreign writes what only another program's analysis has, and what gnubg's dialect has no
// word for.
func (o *writer) foreign(player int, an *record.Analysis) {
	o.beside(player, an.Beside)
	if an.Own {
		o.text(ownProperty, "[1]")
	}
	if v := an.Resigned; v != nil {
		o.text(resignedProperty, "[")
		o.codec().resigned(v)
		o.text("]")
	}
	if named(an) {
		o.text(levelProperty)
		cube, last := "", ""
		if an.Cube != nil {
			cube = an.Cube.Settings.Level
		}
		o.text("[", escape.Replace(cube), "]")
		for i := range an.Candidates {
			level := an.Candidates[i].Settings.Level
			if i > 0 && level == last {
				o.text("[=]")
			} else {
				o.text("[", escape.Replace(level), "]")
			}
			last = level
		}
	}
	var b strings.Builder
	add := func(letter byte, v *float64) {
		if v != nil {
			b.WriteString(" " + string(letter) + strconv.FormatFloat(*v, 'g', 7, 64))
		}
	}
	if s := an.Stated; s != nil {
		add('p', s.Play)
		add('d', s.Double)
		add('a', s.Answer)
	}
	if an.Cube != nil && an.Cube.Equities != nil {
		for i := range an.Cube.Equities {
			add('e', &an.Cube.Equities[i])
		}
	}
	if an.Rank != 0 {
		rank := float64(an.Rank)
		add('r', &rank)
	}
	if an.Luck != nil && an.LuckPlies != nil {
		n := float64(*an.LuckPlies)
		add('l', &n)
	}
	if b.Len() > 0 {
		o.text(statedProperty, "[", b.String()[1:], "]")
	}
}

func named(an *record.Analysis) bool {
	if an.Cube != nil && an.Cube.Settings.Level != "" {
		return true
	}
	for i := range an.Candidates {
		if an.Candidates[i].Settings.Level != "" {
			return true
		}
	}
	return false
}

// foreign reads what foreign of a writer wrote, and reports whether there was something
// that makes an analysis of its own.
func (r *reader) foreign(n *node, player int, an *record.Analysis) (found bool) {
	list, err := parseBeside(player, n.get(besideProperty))
	if err != nil {
		r.warn(n, "verdicts beside the analysis: %v", err)
	}
	an.Beside, found = list, len(list) > 0
	if v, ok := n.one(resignedProperty); ok {
		c, x := codec{in: v}, &record.Resigned{}
		if c.resigned(x); c.err != nil {
			r.warn(n, "resignation: %v", c.err)
		} else {
			an.Resigned, found = x, true
		}
	}
	_, an.Own = n.one(ownProperty)
	if v := n.get(levelProperty); len(v) > 0 {
		if an.Cube != nil {
			an.Cube.Settings.Level = v[0]
		}
		last := ""
		for i := range an.Candidates {
			if i+1 >= len(v) {
				break
			}
			if v[i+1] != "=" {
				last = v[i+1]
			}
			an.Candidates[i].Settings.Level = last
		}
	}
	text, ok := n.one(statedProperty)
	if !ok {
		return found
	}
	var s record.Stated
	var equities []float64
	for word := range strings.FieldsSeq(text) {
		v, err := strconv.ParseFloat(word[1:], 64)
		if err != nil || !finite(v) {
			r.warn(n, "stated error %q", clip(word))
			continue
		}
		switch word[0] {
		case 'p':
			s.Play = &v
		case 'd':
			s.Double = &v
		case 'a':
			s.Answer = &v
		case 'r':
			if v == math.Trunc(v) && v >= record.UnknownRank && v <= maxRank {
				an.Rank = int(v)
			}
		case 'l':
			if n := int(v); v == math.Trunc(v) && v >= 0 && v <= maxLuckPlies && an.Luck != nil {
				an.LuckPlies = &n
			}
		case 'e':
			equities = append(equities, v)
		}
	}
	if an.Cube != nil && len(equities) == 3 {
		an.Cube.Equities = (*[3]float64)(equities)
	}
	if s != (record.Stated{}) {
		an.Stated, found = &s, true
	}
	return found
}

// maxLuckPlies bounds the depth of luck.
const maxLuckPlies = 9

// maxRank bounds the rank of a play: no roll has as many plays.
const maxRank = 10_000

// sameDepth begins the value of judgeProperty that names the players who searched as deep as
// the analysis.
const sameDepth = "same depth"

// judge writes what made the analysis of the match.
func (o *writer) judge(j record.Provenance) {
	if j == (record.Provenance{}) {
		return
	}
	o.text(judgeProperty)
	for _, v := range []string{j.Program, j.Preset, j.Nets, j.Table, j.Date} {
		o.text("[", escape.Replace(v), "]")
	}
	if j.SameDepth != [2]bool{} {
		o.text("[", sameDepth)
		for p, name := range [2]string{"W", "B"} {
			if j.SameDepth[p] {
				o.text(" ", name)
			}
		}
		o.text("]")
	}
}

// tags writes the tags of the match.
func (o *writer) tags(tags []record.Tag) {
	for i, t := range tags {
		if i == 0 {
			o.text(tagsProperty)
		}
		o.text("[", escape.Replace(strings.ReplaceAll(t.Name, ":", " ")+":"+t.Value), "]")
	}
}

// judge reads it. A file that another program wrote was analysed by that one.
func (r *reader) judge(n *node, m *record.Match) {
	if v := n.get(judgeProperty); len(v) > 0 {
		for i, to := range []*string{&m.Judge.Program, &m.Judge.Preset, &m.Judge.Nets, &m.Judge.Table, &m.Judge.Date} {
			if i < len(v) {
				*to = v[i]
			}
		}
		if len(v) > 5 {
			if names, ok := strings.CutPrefix(v[5], sameDepth); ok {
				m.Judge.SameDepth = [2]bool{strings.Contains(names, "W"), strings.Contains(names, "B")}
			}
		}
		return
	}
	if v, ok := n.one("AP"); ok && v != Application {
		name, version, _ := strings.Cut(v, ":")
		m.Judge.Program = strings.TrimSpace(name + " " + version)
	}
}
