package table

import (
	"cmp"
	"slices"
	"strconv"

	"fibsbot/engine/board"
)

// orderSteps returns the steps of a play in the order FIBS expects: entries from the bar
// first, bear-offs last and from the highest point down. A legal order stays legal: nothing
// may move before an entry, and a checker that could be borne off still can after others
// have moved nearer.
func orderSteps(p board.Play) []board.Step {
	kind := func(s board.Step) int {
		switch {
		case s.From == board.Bar:
			return 0
		case s.To >= 0:
			return 1
		}
		return 2
	}
	out := slices.Clone(p.Steps[:p.N])
	slices.SortStableFunc(out, func(a, b board.Step) int {
		if k := kind(a); k != 2 || kind(b) != 2 {
			return cmp.Compare(k, kind(b))
		}
		return cmp.Compare(b.From, a.From)
	})
	return out
}

func formatRating(r float64) string {
	if r == 0 {
		return ""
	}
	return strconv.FormatFloat(r, 'f', 2, 64)
}
