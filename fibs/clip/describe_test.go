package clip

import (
	"fmt"
	"strings"
)

// describe writes the kind and the fields of an event that are not zero, for
// golden files that people read.
func describe(e Event) string {
	var b strings.Builder
	b.WriteString(e.Kind.String())
	word := func(name, v string) {
		if v != "" {
			fmt.Fprintf(&b, " %s=%q", name, v)
		}
	}
	num := func(name string, v int) {
		if v != 0 {
			fmt.Fprintf(&b, " %s=%d", name, v)
		}
	}
	flag := func(name string, v bool) {
		if v {
			b.WriteString(" " + name)
		}
	}
	word("name", e.Name)
	word("other", e.Other)
	word("text", e.Text)
	num("length", e.Length)
	num("points", e.Points)
	num("cube", e.Cube)
	num("count", e.Count)
	num("when", int(e.When))
	if e.Score != [2]int{} {
		fmt.Fprintf(&b, " score=%d:%d", e.Score[0], e.Score[1])
	}
	if e.Dice != (Dice{}) {
		fmt.Fprintf(&b, " dice=%d%d", e.Dice[0], e.Dice[1])
	}
	if e.Steps.N > 0 {
		fmt.Fprintf(&b, " steps=%v", e.Steps.Slice())
	}
	if e.Result != ByNothing {
		fmt.Fprintf(&b, " by=%q", e.Result)
	}
	if e.Cause != CauseNone {
		fmt.Fprintf(&b, " cause=%q", e.Cause)
	}
	if e.Side != 0 {
		fmt.Fprintf(&b, " side=%c", e.Side)
	}
	flag("on", e.On)
	flag("asks", e.Asks)
	flag("redouble", e.Redouble)
	if e.Board != nil {
		fmt.Fprintf(&b, " board=%+v", plainBoard(*e.Board))
	}
	if e.Player != nil {
		fmt.Fprintf(&b, " player=%+v", plainPlayer(*e.Player))
	}
	if e.Settings != nil {
		fmt.Fprintf(&b, " settings=%+v", plainSettings(*e.Settings))
	}
	return b.String()
}

// The plain types print field by field instead of as a line.
type (
	plainBoard    Board
	plainPlayer   Player
	plainSettings Settings
)
