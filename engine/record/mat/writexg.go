package mat

import (
	"bufio"
	"cmp"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/snowieline"
)

// writeTags writes the head of eXtreme Gammon, whose tags Galaxy, Studio and other
// servers write, too.
func writeTags(out *bufio.Writer, m *record.Match) {
	tag := func(name, value string) {
		if value != "" {
			fmt.Fprintf(out, "; [%s \"%s\"]\n", name, strings.ReplaceAll(oneLine(value), `"`, "'"))
		}
	}
	onOff := func(on bool) string {
		if on {
			return "On"
		}
		return "Off"
	}
	written := map[string]bool{}
	kept := func(name string) {
		written[name] = true
		for _, t := range m.Tags {
			if t.Name == name {
				tag(t.Name, t.Value)
				return
			}
		}
	}
	tag("Site", m.Place)
	kept("Match ID")
	tag("Event", m.Event)
	tag("Round", m.Round)
	for i := range m.Players {
		tag(fmt.Sprintf("Player %d", i+1), name(m, i))
	}
	for i := range m.Players {
		tag(fmt.Sprintf("Player %d Elo", i+1), m.Players[i].Rating)
	}
	kept("TimeControl")
	tag("EventDate", strings.ReplaceAll(m.Date, "-", "."))
	tag("EventTime", strings.ReplaceAll(m.Time, ":", "."))
	tag("Variation", cmp.Or(variation(m.Rules.Variation), "Backgammon"))
	kept("Unrated")
	if m.Length > 0 {
		tag("Crawford", onOff(m.Rules.Crawford))
	} else {
		tag("Jacoby", onOff(m.Rules.Jacoby))
		tag("Beaver", onOff(m.Rules.Beavers > 0))
	}
	limit := m.Rules.CubeLimit
	switch {
	case m.Rules.NoCube:
		limit = 1
	case limit == 0:
		limit = record.NoLimit
	}
	tag("CubeLimit", strconv.Itoa(limit))
	tag(dropsTag, drops(m))
	for _, t := range m.Tags {
		if !written[t.Name] {
			tag(t.Name, t.Value)
		}
	}
	tag("Transcriber", m.Annotator)
	writeLength(out, m)
}

// writeSetPos writes the position that a game begins with: the left player's checkers
// as capitals in his numbering, and the cube.
func writeSetPos(out *bufio.Writer, d *record.Diagram) {
	var b [26]byte
	for i := range b {
		b[i] = '-'
	}
	for i, n := range d.Boards[0] {
		if n > 0 {
			b[i+1] = 'A' + n - 1
		}
	}
	for i, n := range d.Boards[1] {
		if n > 0 {
			b[board.Bar-i] = 'a' + n - 1
		}
	}
	cube := bits.Len(uint(d.Cube)) - 1
	if d.Owner == record.NoPlayer {
		cube = 0
	} else if d.Owner == 0 {
		cube = -cube
	}
	fmt.Fprintf(out, "; Set Pos=%s/%d\n", b[:], cube)
}

// after is the position that action k of a game sets up, as Snowie's line.
func after(m *record.Match, g *record.Game, k int) string {
	short := *g
	short.Actions = g.Actions[:k+1]
	d := record.LastDiagram(m, &short)
	for i := range d.Players {
		// Characters that would end the bracket or the cell are replaced.
		d.Players[i].Name = strings.NewReplacer("(", " ", ")", " ", ":", " ").Replace(d.Players[i].Name)
	}
	return snowieline.Format(d)
}
