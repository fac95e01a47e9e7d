// Package share writes links to reviews whose marks stay as they are.
//
// A link rounds figures, and a loss at a limit may fall on its other side. Where that changes a mark, a figure
// goes one step further.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package share

import (
	"io"
	"slices"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/link"
)

// Write writes the text of a link to m on a line, as link.Write. Marks are those of the usual limits and the
// default table.
func Write(w io.Writer, m *record.Match) error {
	text, got, err := packed(m)
	if err != nil {
		return err
	}
	want := verdicts(m)
	for n := 0; n < 2*len(moves) && len(got) == len(want) && !slices.Equal(got, want); n++ { // an action may need two of them
		move := moves[n%len(moves)]
		for _, by := range []float64{-1, 1} {
			_, tried, err := packed(moved(m, want, move, by, func(i int) bool { return got[i] != want[i] }))
			if err != nil {
				return err
			}
			m = moved(m, want, move, by, func(i int) bool { return differ(want[i], tried[i]) < differ(want[i], got[i]) })
			if text, got, err = packed(m); err != nil {
				return err
			}
		}
	}
	_, err = io.WriteString(w, text)
	return err
}

// differ counts the marks that are others.
func differ(a, b verdict) (n int) {
	x, y := a.marks, b.marks
	for _, same := range []bool{x.Action == y.Action, x.NoDouble == y.NoDouble, x.Luck == y.Luck} {
		if !same {
			n++
		}
	}
	return n
}

// packed returns the text of a link to m, and the verdicts on what is read from it.
func packed(m *record.Match) (string, []verdict, error) {
	var b strings.Builder
	if err := link.Write(&b, m); err != nil {
		return "", nil, err
	}
	list, _, err := link.Read(strings.NewReader(b.String()))
	if err != nil {
		return "", nil, err
	}
	return b.String(), verdicts(list[0]), nil
}

// verdict is the marks of an action, or of the resignation that ended a game.
type verdict struct {
	game, action int
	marks        record.Marks
}

func verdicts(m *record.Match) (out []verdict) {
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	for i := range s.Games {
		g, at := &s.Games[i], 0
		for k := range g.Decisions {
			j := &g.Decisions[k]
			for at < len(m.Games[i].Actions)-1 && &m.Games[i].Actions[at] != j.Turn.Action {
				at++
			}
			out = append(out, verdict{i, at, record.Marks{Action: j.Mark, NoDouble: j.CubeMark, Luck: j.LuckMark}})
		}
		if r := g.Resignation; r != nil {
			out = append(out, verdict{i, at, record.Marks{Action: r.Mark}})
		}
	}
	return out
}

// moved is m with a figure moved of those actions of the list that which picks.
func moved(m *record.Match, list []verdict, move func(a *record.Analysis, by float64), by float64, which func(i int) bool) *record.Match {
	c := *m
	c.Games = slices.Clone(m.Games)
	for i, v := range list {
		if g := &c.Games[v.game]; which(i) && g.Actions[v.action].Analysis != nil {
			g.Actions = slices.Clone(g.Actions)
			a := *g.Actions[v.action].Analysis
			move(&a, by)
			g.Actions[v.action].Analysis = &a
		}
	}
	return &c
}

// moves change a figure of an analysis, if it is there, by steps of a link.
var moves = []func(a *record.Analysis, by float64){
	func(a *record.Analysis, by float64) {
		if a.Played > 0 && a.Played < len(a.Candidates) {
			a.Candidates = slices.Clone(a.Candidates)
			a.Candidates[a.Played].Outcome.Cubeful += by * link.Step
		}
	},
	func(a *record.Analysis, by float64) { cube(a, 0, by) },
	func(a *record.Analysis, by float64) { cube(a, 1, by) },
	func(a *record.Analysis, by float64) {
		if a.Luck != nil {
			v := *a.Luck + by*link.Step
			a.Luck = &v
		}
	},
	func(a *record.Analysis, by float64) {
		if a.Resigned != nil {
			v := *a.Resigned
			v.PlayOn += by * link.Step
			a.Resigned = &v
		}
	},
}

// cube moves one of the two equities of a cube decision.
func cube(a *record.Analysis, which int, by float64) {
	if a.Cube == nil {
		return
	}
	v := *a.Cube
	to := []*float64{&v.NoDouble.Cubeful, &v.DoubleTake.Cubeful}[which]
	if v.Equities != nil {
		said := *v.Equities
		v.Equities, to = &said, &said[which]
	}
	*to += by * link.CubeStep
	a.Cube = &v
}
