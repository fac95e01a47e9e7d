package sgf

import (
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
	// play, "d" of the double, "a" of the answer; "e" the cube's three equities.
	statedProperty = "XE"
	// timeProperty is the time of day when the match began.
	timeProperty = "XT"
	// dropRule is the rule of servers where giving up costs what the position says
	// (match.DropByPosition). Programs that do not know it play on by the usual rule.
	dropRule = "DropByPosition"
	// egyptian is the rule of at most five checkers on a point, which gnubg plays and does not write.
	egyptian = "Egyptian"
	// beaverRule and limitRule stand before how often money play allows to redouble at
	// once, where that is not the usual number, and before the highest cube.
	beaverRule = "Beavers"
	limitRule  = "CubeLimit"
)

// counted reads a rule with a number behind its word; false where word is none.
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

// foreign writes what only another program's analysis has.
func (o *writer) foreign(an *record.Analysis) {
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

// foreign reads what only another program's analysis has. It tells whether there was
// something.
func (r *reader) foreign(n *node, an *record.Analysis) bool {
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
		return false
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
		case 'e':
			equities = append(equities, v)
		}
	}
	if an.Cube != nil && len(equities) == 3 {
		an.Cube.Equities = (*[3]float64)(equities)
	}
	if s != (record.Stated{}) {
		an.Stated = &s
		return true
	}
	return false
}
