package formats_test

import (
	"bytes"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/formats"

	"github.com/google/go-cmp/cmp"
)

// A rule is read again from what was written, or it is told that the format cannot hold it.
func TestWritten_noRuleIsLostInSilence(t *testing.T) {
	type rule struct {
		name   string
		length int
		change func(m *record.Match)
		lost   string // a word of what is told
	}
	rules := []rule{
		{"the Egyptian rule", 3, func(m *record.Match) { m.Rules.Egyptian = true }, "Egyptian"},
		{"the Egyptian rule for money", 0, func(m *record.Match) { m.Rules.Egyptian = true }, "Egyptian"},
		{"no Jacoby rule", 0, func(m *record.Match) { m.Rules.Jacoby = false }, "no Jacoby"},
		{"the Jacoby rule", 0, func(*record.Match) {}, "the Jacoby rule"},
		{"no beavers", 0, func(m *record.Match) { m.Rules.Beavers = 0 }, "beavers"},
		{"one beaver", 0, func(m *record.Match) { m.Rules.Beavers = 1 }, "beavers"},
		{"an automatic double", 0, func(m *record.Match) { m.Games[0].Cube = 2 }, "automatic double"},
		{"no Crawford game", 3, func(m *record.Match) { m.Rules.Crawford = false }, "Crawford"},
		{"no cube", 3, func(m *record.Match) { m.Rules.NoCube = true }, "no cube"},
		{"a limit of the cube", 0, func(m *record.Match) { m.Rules.CubeLimit = 64 }, "64"},
		{"what giving up costs", 3, func(m *record.Match) { m.Rules.Drops = match.DropByPosition }, "giving up"},
	}
	for i, g := range record.Variations[1:] {
		rules = append(rules, rule{g.Title, 3 * (i % 2), func(m *record.Match) { m.Rules.Variation = g.Variation }, string(g.Variation)})
	}
	for _, c := range rules {
		for _, format := range formats.Written {
			m := ruled(c.length, c.change)
			lost := strings.Join(format.Lost(m), "; ")
			var b bytes.Buffer
			if err := format.Write(&b, m); err != nil {
				t.Errorf("%s in %s: %v", c.name, format.Name, err)
				continue
			}
			if format.Name == forPeople {
				said := c.name == "an automatic double" || c.name == "the Jacoby rule" || c.name == "what giving up costs" || c.name == "one beaver"
				if !said && !strings.Contains(b.String(), "Rules: ") {
					t.Errorf("%s in text: no line of rules", c.name)
				}
				continue
			}
			got, _, ws, err := detect.Read(&b)
			if err != nil {
				t.Errorf("%s in %s: %v", c.name, format.Name, err)
				continue
			}
			if !got[0].Rules.Limited() {
				got[0].Rules.CubeLimit = 0
			}
			same := cmp.Diff([]any{m.Rules, m.Games[0].Cube}, []any{got[0].Rules, got[0].Games[0].Cube})
			if told := strings.Contains(lost, c.lost); got[0].IsPosition() {
				// A position says less of the game that it comes from.
				if want := c.name == "the Egyptian rule" || strings.HasPrefix(c.name, "hyper") || c.name == "no cube"; want && !told {
					t.Errorf("%s in %s: told %q", c.name, format.Name, lost)
				}
			} else if (same == "") == told {
				t.Errorf("%s in %s: told %q, differs by %s (%v)", c.name, format.Name, lost, same, ws)
			}
		}
	}
}

// ruled is a match of one game that change makes unusual.
func ruled(length int, change func(*record.Match)) *record.Match {
	m := &record.Match{Length: length, Players: [2]record.Player{{Name: "anna"}, {Name: "bert"}}}
	m.Rules.Crawford, m.Rules.Jacoby = length > 0, length == 0
	if length == 0 {
		m.Rules.Beavers = match.DefaultBeavers
	}
	m.Games = []record.Game{{Cube: 1}}
	change(m)
	rules := m.Rules.Board()
	p := m.Rules.Variation.Start()
	for i, d := range []board.Dice{{A: 3, B: 1}, {A: 5, B: 2}} {
		play := rules.AppendPlays(nil, p, d)[0]
		m.Games[0].Actions = append(m.Games[0].Actions, record.Action{Kind: record.Move, Player: i, Dice: d, Steps: play.Steps[:play.N]})
		p = play.Result.Swap()
	}
	return m
}
