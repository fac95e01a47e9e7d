package diagram_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/match"
)

// A caption is broken into lines that fit, in languages without spaces, too; it makes the drawing higher.
func TestSVG_caption(t *testing.T) {
	d := diagram.Diagram{Situation: match.Situation{Position: board.Start}, Theme: diagram.Plain, Width: 660}
	plain := d.SVG()
	for name, c := range map[string]struct {
		text  string
		lines int
	}{
		"short":     {"bob: 8/4 6/4 <b>", 1},
		"long":      {strings.Repeat("After 8/4 6/4 the opponent hits with 16 of 36 rolls. ", 4), 4},
		"no spaces": {strings.Repeat("x", 200), 3},
		"Japanese":  {strings.Repeat("この手は打たれる目が多い。", 10), 4},
		"too long":  {strings.Repeat("word ", 2000), 16},
		"empty":     {"  ", 0},
	} {
		d.Caption = []string{c.text}
		svg := d.SVG()
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := count(t, svg, "bg-text") - count(t, plain, "bg-text"); n != c.lines || strings.Contains(svg, "<b>") {
			t.Errorf("%s: %d lines, want %d", name, n, c.lines)
		}
		if (svg == plain) != (c.lines == 0) {
			t.Errorf("%s: the drawing does not make room", name)
		}
	}
}
