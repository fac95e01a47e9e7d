package server

import (
	_ "embed"
	"fmt"
	"strings"
)

// zoneNames are the zones of the IANA time zone database that countries use now (tzdata
// 2025, zone1970.tab, public domain) and UTC, one a line.
//
//go:embed zones.txt
var zoneNames string

//go:embed texts.txt
var textFile string

// texts are those of the help and of commands of that name, and others in capitals, by their
// headings.
var texts = func() map[string]string {
	out := map[string]string{}
	for _, section := range strings.Split("\n"+strings.TrimSuffix(textFile, "\n"), "\n== ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		out[name] = text
	}
	return out
}()

// sayText sends one of texts.
func (c *conn) sayText(name string) {
	for line := range strings.SplitSeq(texts[name], "\n") {
		c.line(line)
	}
}

// cmdTopic returns a command that sends a help text.
func cmdTopic(name string) func(*Server, *user, string) {
	return func(_ *Server, u *user, _ string) { u.conn.sayText(name) }
}

// cmdPanic explains how to continue, and whose turn it is.
func (s *Server) cmdPanic(u *user, _ string) {
	if m := u.match; m != nil && !m.Between {
		who := "you"
		if on := m.onRoll(); on != u {
			who = on.name
		}
		u.say("You are playing with %s; it is the turn of %s.", m.other(u).name, who)
	}
	u.conn.sayText("panic")
}

// cmdClear clears the screen of a VT100 terminal. The line is ended for programs.
func (s *Server) cmdClear(u *user, _ string) { u.conn.line("\x1b[H\x1b[2J") }

func (s *Server) cmdTimezones(u *user, _ string) { u.zones() }

// zones lists the time zones, three in a line.
func (u *user) zones() {
	row := ""
	for i, name := range strings.Fields(zoneNames) {
		if i > 0 && i%3 == 0 {
			u.conn.line(strings.TrimRight(row, " "))
			row = ""
		}
		row += fmt.Sprintf("%-26s ", name)
	}
	u.conn.line(strings.TrimRight(row, " "))
}

// throw rolls the dice of a match and counts them for the command dicetest.
func (s *Server) throw(m *match) (a, b int) {
	a, b = m.dice.Roll()
	if a >= 1 && a <= 6 && b >= 1 && b <= 6 { // those of Options.Dice are the embedding program's
		s.thrown[a-1][b-1]++
	}
	return a, b
}

// cmdDicetest shows the rolls since the server's start, compared with fair dice.
func (s *Server) cmdDicetest(u *user, _ string) {
	rolls, doubles, faces := 0, 0, [6]int{}
	for a, row := range s.thrown {
		for b, n := range row {
			rolls += n
			faces[a] += n
			faces[b] += n
		}
		doubles += row[a]
	}
	u.say("Rolls since %s: %d", s.born.In(u.set.zone()).Format("Mon Jan _2 15:04:05 MST"), rolls)
	if rolls == 0 {
		return
	}
	u.say("Doubles: %d (%.2f%%, expected 16.67%%)", doubles, 100*float64(doubles)/float64(rolls))
	chi := 0.0
	for i, n := range faces {
		want := float64(rolls) / 3
		chi += (float64(n) - want) * (float64(n) - want) / want
		u.say("Die %d: %d (%.2f%%, expected 16.67%%)", i+1, n, 50*float64(n)/float64(rolls))
	}
	u.say("Chi-square of the dice: %.2f (5 degrees of freedom; above 11.07 in one of 20 tests of fair dice)", chi)
	chi = 0
	for _, row := range s.thrown {
		for _, n := range row {
			want := float64(rolls) / 36
			chi += (float64(n) - want) * (float64(n) - want) / want
		}
	}
	u.say("Chi-square of the rolls: %.2f (35 degrees of freedom; above 49.80 in one of 20 tests)", chi)
}
