package server

import (
	"fmt"
	"runtime"
	"time"
)

// maxLast bounds the logins and logouts of the command last.
const maxLast = 20

// visit is one login or logout.
type visit struct {
	at   time.Time
	text string // "bob logs in."
}

// came notes a login or a logout for the command last.
func (s *Server) came(text string) {
	s.lastSeen = append(s.lastSeen, visit{s.opts.Now(), text})
	if over := len(s.lastSeen) - maxLast; over > 0 {
		s.lastSeen = append(s.lastSeen[:0:0], s.lastSeen[over:]...)
	}
}

// hour counts the users on line in one hour of the day, once a minute.
type hour struct{ looks, users int }

// look counts the users on line for the command average.
func (s *Server) look(now time.Time) {
	if now.Sub(s.looked) < time.Minute {
		return
	}
	s.looked = now
	h := &s.hours[now.UTC().Hour()]
	h.looks++
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
		if h.looks > 0 {
			mean = fmt.Sprintf("%.1f", float64(h.users)/float64(h.looks))
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
