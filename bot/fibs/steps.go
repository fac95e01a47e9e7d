package fibs

import (
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/fibs/clip"
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

// stepsOf turns the server's steps into their mover's numbering. An impossible step becomes
// one that no position allows.
func stepsOf(list clip.Steps) []board.Step {
	steps := make([]board.Step, 0, clip.MaxSteps)
	for _, st := range list.List[:min(list.N, clip.MaxSteps)] {
		from, to := int(st.From), int(st.To)
		if st.From == clip.Bar {
			from = numBar
		}
		if st.To == clip.Off {
			to = numOff
		}
		step, ok := stepOf(from, to)
		if !ok {
			step = board.Step{From: -1}
		}
		steps = append(steps, step)
	}
	return steps
}

// pointOf is the server's number of an end of a step. down tells that the mover
// plays from 24 to 1.
func pointOf(i int8, down bool) uint8 {
	switch {
	case i == board.Bar:
		return clip.Bar
	case i < 0:
		return clip.Off
	case down:
		return uint8(i + 1)
	}
	return uint8(24 - i)
}
