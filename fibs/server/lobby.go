package server

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/internal/pwhash"
)

// telnetWhoHeader stands above who lists in telnet mode.
const telnetWhoHeader = "No  S  username        rating   exp login  idle from"

func (s *Server) cmdWho(u *user, args string) {
	f := strings.Fields(args)
	list := append([]*user(nil), s.roster...)
	keep := func(*user) bool { return true }
	count := false
	if len(f) > 0 {
		switch f[0] {
		case "ready":
			keep = func(o *user) bool { return o.set.on("ready") && o.match == nil }
		case "playing":
			keep = func(o *user) bool { return o.match != nil }
		case "away":
			keep = func(o *user) bool { return o.away != "" }
		case "count":
			count = true
		case "from":
			site := strings.Join(f[1:], " ")
			keep = func(o *user) bool { return strings.Contains(o.conn.host, site) }
		default:
			who := s.findUser(u, f[0])
			if who == nil {
				return
			}
			keep = func(o *user) bool { return o == who }
		}
	}
	if count {
		u.say("There are %d users logged on.", len(list))
		return
	}
	shown := slices.DeleteFunc(list, func(o *user) bool { return !keep(o) })
	sortUsers(shown, u.set.SortWho)
	if !u.conn.clip || len(shown) == 0 {
		u.say(telnetWhoHeader)
	}
	now := s.opts.Now()
	for i, o := range shown {
		if u.conn.clip {
			u.conn.line(s.whoLine(o))
			continue
		}
		state := "-"
		switch {
		case o.match != nil:
			state = "P"
		case o.away != "":
			state = "A"
		case o.set.on("ready"):
			state = "R"
		}
		idle := now.Sub(o.conn.last)
		u.say("%2d %s  %-15s %7.2f %5d %s  %02d:%02d %s", i+1, state, o.name, o.acct.Rating, o.acct.Experience,
			o.login.In(u.set.zone()).Format("15:04"), int(idle.Minutes()), int(idle.Seconds())%60, o.conn.host)
	}
	if u.conn.clip {
		u.say("6")
	}
}

func (s *Server) cmdRawwho(u *user, args string) {
	f := strings.Fields(args)
	if len(f) > 0 {
		who := s.findUser(u, f[0])
		if who == nil {
			return
		}
		u.conn.line(s.whoLine(who))
		u.say("6")
		return
	}
	for _, o := range s.roster {
		u.conn.line(s.whoLine(o))
	}
	u.say("6")
}

func (s *Server) cmdWhois(u *user, args string) {
	name, _ := head(args)
	a := s.accounts[key(name)]
	if a == nil {
		u.say("No information found on user %s.", clean(name, 20))
		return
	}
	stamp := func(t time.Time) string { return t.In(u.set.zone()).Format("Monday, January 02 15:04 MST") }
	u.say("Information about %s:", a.Name)
	if !a.LastLogin.IsZero() {
		u.say("  Last login:  %s from %s", stamp(a.LastLogin), a.LastHost)
	}
	if who := s.users[key(a.Name)]; who != nil {
		idle := s.opts.Now().Sub(who.conn.last)
		if idle < time.Minute {
			u.say("  Still logged in. %d seconds idle.", int(idle.Seconds()))
		} else {
			u.say("  Still logged in. %d:%02d minutes idle.", int(idle.Minutes()), int(idle.Seconds())%60)
		}
		ready, watching := "not ready", "not watching"
		if who.set.on("ready") {
			ready = "ready"
		}
		if who.watching != nil {
			watching = "watching " + who.watching.name
		}
		if who.match != nil {
			u.say("  %s is playing with %s.", a.Name, who.match.other(who).name)
		} else {
			u.say("  %s is %s to play, %s, not playing.", a.Name, ready, watching)
		}
		if who.away != "" {
			u.say("  %s is away: %s", a.Name, who.away)
		}
	} else {
		if !a.LastLogout.IsZero() {
			u.say("  Last logout: %s", stamp(a.LastLogout))
		}
		u.say("  Not logged in right now.")
	}
	u.say("  Rating: %.2f Experience: %d", a.Rating, a.Experience)
	if a.Email == "" {
		u.say("  No email address.")
	} else {
		u.say("  Email address: %s", a.Email)
	}
}

func (s *Server) cmdRatings(u *user, args string) {
	f := strings.Fields(args)
	from, to := 1, 20
	var only string
	for i := 0; i < len(f); i++ {
		if (f[i] == "from" || f[i] == "to") && i+1 < len(f) {
			n, err := strconv.Atoi(f[i+1])
			if err != nil || n < 1 {
				u.say("** Please give a positive number after '%s'.", f[i])
				return
			}
			if f[i] == "from" {
				from = n
				if to < from {
					to = from + 19
				}
			} else {
				to = n
			}
			i++
			continue
		}
		if only != "" {
			u.say("** Please use only one of the given names '%s' and '%s'", clean(only, 20), clean(f[i], 20))
			return
		}
		only = f[i]
	}
	switch {
	case to < from:
		u.say("** invalid range from %d to %d.", from, to)
		return
	case to-from > 100:
		u.say("** range currently limited to 100.")
		return
	}
	u.say("")
	u.say(" rank name            rating    Experience")
	ranks := []int{s.ranking.rank(u.acct)}
	if only == "" {
		for n := from; n <= min(to, len(s.ranking)); n++ {
			ranks = append(ranks, n)
		}
	} else if a := s.accounts[key(only)]; a != nil {
		ranks = append(ranks, s.ranking.rank(a))
	}
	slices.Sort(ranks)
	for _, rank := range slices.Compact(ranks) {
		if rank == 0 {
			continue
		}
		a := s.ranking[rank-1]
		star := " "
		if a == u.acct {
			star = "*"
		}
		u.say("%s%5d %-15s %7.2f %9d", star, rank, a.Name, a.Rating, a.Experience)
	}
	u.say("")
}

func (s *Server) cmdTime(u *user, _ string) { u.conn.line(s.dateLine(u)) }

func (s *Server) cmdAddress(u *user, args string) {
	f := strings.Fields(args)
	switch {
	case f[0] == "-":
		u.acct.Email = ""
		u.say("Your email address is ''.")
		s.changedAccount(u.acct)
		s.pushWho(u)
	case len(f) != 1 || len(f[0]) > 80 || strings.Count(f[0], "@") != 1 || !printable(f[0]):
		u.say("** '%s' is not an email address.", clean(strings.Join(f, " "), 80))
	default:
		u.acct.Email = f[0]
		u.say("Your email address is '%s'.", f[0])
		s.changedAccount(u.acct)
		s.pushWho(u)
	}
}

func (s *Server) cmdPassword(u *user, args string) {
	parts := strings.Split(strings.TrimSpace(args), ":")
	if len(parts) != 3 {
		u.say("** usage: password <old password>:<new password>:<new password>")
		u.say("** NOTE: The character between the passwords is now a colon!")
		return
	}
	a, c := u.acct, u.conn
	// A guess costs what one at the login costs.
	wait, ok := s.logins.take(c.site, time.Now(), longestLoginWait)
	if !ok {
		u.say("** Too many passwords from your address. Please try again later.")
		return
	}
	if s.pause(c, wait); c.gone {
		return
	}
	right := s.rightPassword(c, a, parts[0])
	if c.gone {
		return
	}
	if !right {
		s.warn("wrong old password", "user", a.Name, "from", c.host)
		s.pause(c, s.struck(c.site))
		u.say("** Sorry. Old password not correct.")
		return
	}
	old := a.secret
	if parts[1] != parts[2] {
		u.say("** Please give your new password twice.")
		return
	}
	if !goodPassword(parts[1]) {
		u.say("Minimal password length is 4 characters.")
		return
	}
	var fresh pwhash.Secret
	var err error
	cheap := s.cheap()
	if !s.hashed(c, func() { fresh, err = pwhash.New(parts[1], cheap) }) {
		return
	}
	if err != nil {
		u.say("** The password could not be changed.")
		return
	}
	if !a.secret.Same(old) { // another connection of his was faster
		u.say("** Sorry. Old password not correct.")
		return
	}
	a.secret = fresh
	s.changedAccount(u.acct)
	u.say("Password changed.")
}

func (s *Server) cmdWhere(u *user, args string) {
	name, _ := head(args)
	if who := s.findUser(u, name); who != nil {
		u.say("%s from %s", who.name, who.conn.host)
	}
}

func (s *Server) cmdMotd(u *user, _ string) { s.motd(u) }
