package table

import (
	"strconv"
	"strings"

	"fibsbot/engine/board"
)

// parseSteps reads the parts of a FIBS move ("24-18 bar-21 6-off") in the mover's
// own numbering. The direction of play shows in each part: points fall for the
// player who moves from 24 to 1, who enters on 24-19 and bears off from 6-1, and
// rise for the other.
func parseSteps(text string) ([]board.Step, bool) {
	fields := strings.Fields(text)
	if len(fields) == 0 || len(fields) > 4 {
		return nil, false
	}
	steps := make([]board.Step, 0, len(fields))
	for _, f := range fields {
		from, to, ok := strings.Cut(f, "-")
		if !ok {
			return nil, false
		}
		a, okA := pointNumber(from)
		b, okB := pointNumber(to)
		if !okA || !okB || a == numOff || b == numBar {
			return nil, false
		}
		st, ok := stepOf(a, b)
		if !ok {
			return nil, false
		}
		steps = append(steps, st)
	}
	return steps, true
}

// Numbers that pointNumber gives to the words.
const (
	numBar = -1
	numOff = -2
)

func pointNumber(s string) (int, bool) {
	switch strings.ToLower(s) {
	case "bar", "b":
		return numBar, true
	case "off", "o", "home", "h":
		return numOff, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 1 && n <= 24
}

// stepOf turns a part in board numbers into a step of its mover.
func stepOf(from, to int) (board.Step, bool) {
	switch {
	case from == numBar && to >= 1 && to <= 6:
		return board.Step{From: board.Bar, To: int8(24 - to)}, true // X enters low
	case from == numBar && to >= 19 && to <= 24:
		return board.Step{From: board.Bar, To: int8(to - 1)}, true
	case to == numOff && from >= 1 && from <= 6:
		return board.Step{From: int8(from - 1), To: board.Off}, true
	case to == numOff && from >= 19 && from <= 24:
		return board.Step{From: int8(24 - from), To: board.Off}, true // X bears off high
	case from >= 1 && to >= 1 && from > to && from <= 24:
		return board.Step{From: int8(from - 1), To: int8(to - 1)}, true
	case from >= 1 && to >= 1 && from < to && to <= 24:
		return board.Step{From: int8(24 - from), To: int8(24 - to)}, true
	}
	return board.Step{}, false
}

// orderSteps returns the steps of a play in the order FIBS wants: entries from
// the bar first, bear-offs last and from the higher points down. Both changes
// keep a legal order legal: nothing may move before an entry anyway, and a
// checker that could be borne off still can when others have come nearer.
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
