package terminal

import (
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/advice"
	"fibsbot/internal/figure"
)

// hintPlays is how many plays a hint lists.
const hintPlays = 5

// ranked lists plays with their chances in percent, in named columns. A narrow panel has two
// lines for each play, a very narrow one has three and no decimals.
func ranked(moves []advice.Play, width int) []string {
	const wide, middle = 72, 37
	digits, cell := 1, 5
	if width > 0 && width < middle {
		digits, cell = 0, 4
	}
	chances := func(win, g, bg, lose, lg, lbg string) string {
		return fmt.Sprintf("%*s%*s%*s  %*s%*s%*s", cell, win, cell, g, cell, bg, cell, lose, cell, lg, cell, lbg)
	}
	percent := func(v float32) string { return figure.Text("%."+strconv.Itoa(digits)+"f", 100*float64(v)) }
	// add puts the parts of a play into as many lines as the width needs.
	var out []string
	add := func(rank, play, equity, diff, chances string) {
		head, worth := fmt.Sprintf("%2s %-16s", rank, play), fmt.Sprintf("%8s %8s", equity, diff)
		switch {
		case width <= 0 || width >= wide:
			out = append(out, head+" "+worth+"  "+chances)
		case width >= middle:
			out = append(out, head+" "+worth, "  "+chances)
		default:
			out = append(out, strings.TrimRight(head, " "), worth, chances)
		}
	}
	add("#", "play", "equity", "diff", chances("win", "g", "bg", "lose", "g", "bg"))
	for i := range moves {
		if i == hintPlays {
			break
		}
		m, diff := &moves[i], ""
		if i > 0 {
			diff = figure.Text("%+.3f", m.Diff)
		}
		p := m.Probs
		add(strconv.Itoa(i+1), m.Move, figure.Text("%+.3f", m.Equity), diff,
			chances(percent(p[0]), percent(p[1]), percent(p[2]), percent(1-p[0]), percent(p[3]), percent(p[4])))
	}
	return out
}
