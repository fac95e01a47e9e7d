package server

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// maxLast bounds the logins and logouts of the command last.
const maxLast = 20

// visit is one login or logout.
type visit struct {
	at   time.Time
	text string // "bob logs in."
}

// announceVisit notes a login or a logout for the command last, and notifies users of it. code is that of
// CLIP.
func (s *Server) announceVisit(code string, u *user, text string) {
	for _, other := range s.roster {
		if other.set.on("notify") && !other.conn.crowded() {
			other.hearEither(code+" "+u.name+" "+text, text)
		}
	}
	s.lastSeen = append(s.lastSeen, visit{s.opts.Now(), text})
	if over := len(s.lastSeen) - maxLast; over > 0 {
		s.lastSeen = append(s.lastSeen[:0:0], s.lastSeen[over:]...)
	}
}

// hour counts the users on line in one hour of the day, once a minute.
type hour struct{ samples, users int }

// sampleUsers counts the users on line for the command average.
func (s *Server) sampleUsers(now time.Time) {
	if now.Sub(s.sampled) < time.Minute {
		return
	}
	s.sampled = now
	h := &s.hours[now.UTC().Hour()]
	h.samples++
	h.users += len(s.roster)
}

// cmdStat shows statistics of the server: those of FIBS's lines that make sense here.
func (s *Server) cmdStat(u *user, _ string) {
	playing, watching, saved := 0, 0, 0
	for _, o := range s.roster {
		playing += bit(o.match != nil)
		watching += bit(o.watching != nil)
	}
	for _, o := range s.roster {
		saved += len(o.acct.open)
	}
	var mem runtime.MemStats
	s.unlocked(func() { runtime.ReadMemStats(&mem) })
	u.say("The server is running since %s.", s.born.In(u.set.zone()).Format("Mon Jan _2 15:04:05 MST"))
	// No line begins with a figure: a client takes "5 accounts" for a row of the who list.
	u.say("Memory in use: %d MiB", mem.HeapInuse>>20)
	u.say("Accounts: %d, rated: %d", len(s.accounts), len(s.ranking))
	u.say("Users on line: %d, playing: %d, watching: %d", len(s.roster), playing, watching)
	u.say("Saved matches: %d, of users on line: %d", len(s.saved), saved)
}

// cmdAverage lists the average number of users on line by hour.
func (s *Server) cmdAverage(u *user, _ string) {
	u.say("Time (UTC)   users")
	for i, h := range s.hours {
		mean := "-"
		if h.samples > 0 {
			mean = fmt.Sprintf("%.1f", float64(h.users)/float64(h.samples))
		}
		u.say("%02d:00-%02d:00: %5s", i, (i+1)%24, mean)
	}
}

// cmdLast lists the last logins and logouts, or those of one user.
func (s *Server) cmdLast(u *user, args string) {
	if name, _ := head(args); name != "" {
		s.lastOf(u, name)
		return
	}
	u.say("The %d last logins/logouts:", len(s.lastSeen))
	for _, p := range s.lastSeen {
		u.say("%s: %s", p.at.In(u.set.zone()).Format("Mon 15:04 MST"), p.text)
	}
}

func (s *Server) lastOf(u *user, name string) {
	a := s.accounts[key(name)]
	if a == nil {
		u.say("** There is no user called '%s'.", clean(name, 20))
		return
	}
	stamp := func(t time.Time) string { return t.In(u.set.zone()).Format("Monday, January 02 15:04 MST") }
	if a.LastLogin.IsZero() {
		u.say("%s has not logged in yet.", a.Name)
		return
	}
	u.say("Last login of %s:  %s from %s", a.Name, stamp(a.LastLogin), a.LastHost)
	switch {
	case s.users[key(a.Name)] != nil:
		u.say("Still logged in.")
	case !a.LastLogout.IsZero():
		u.say("Last logout of %s: %s", a.Name, stamp(a.LastLogout))
	}
}

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
