package table

import (
	"strconv"

	"fibsbot/engine/board"
)

// orderSteps returns the steps of a play in the order FIBS expects: entries from the bar
// first, bear-offs last and from the highest point down. A legal order stays legal: nothing
// may move before an entry, and a checker that could be borne off still can after others
// have moved nearer.
func orderSteps(p board.Play) []board.Step {
	out := make([]board.Step, 0, 4)
	steps := p.Steps[:p.N]
	for _, s := range steps {
		if s.From == board.Bar {
			out = append(out, s)
		}
	}
	for _, s := range steps {
		if s.From != board.Bar && s.To >= 0 {
			out = append(out, s)
		}
	}
	first := len(out)
	for _, s := range steps {
		if s.To < 0 {
			out = append(out, s)
		}
	}
	offs := out[first:]
	for i := 1; i < len(offs); i++ {
		for k := i; k > 0 && offs[k].From > offs[k-1].From; k-- {
			offs[k], offs[k-1] = offs[k-1], offs[k]
		}
	}
	return out
}

func formatRating(r float64) string {
	if r == 0 {
		return ""
	}
	return strconv.FormatFloat(r, 'f', 2, 64)
}
