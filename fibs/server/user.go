package server

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// user is a user who is on line.
type user struct {
	conn   *conn
	acct   *account
	name   string
	client string
	login  time.Time
	serial int // order of logging in
	lines  int // lines sent on this connection
	set    settings

	away     string // why he is away; empty when he is not
	match    *match // running match
	invited  invitation
	watching *user
	watchers []*user
	waved    bool
	again    string // the line that "!!" repeats
	prompted bool   // telnet: the last line on the screen is a prompt
}

// invitation is the one open invitation of a user.
type invitation struct {
	to     string // account name, or empty
	length int    // 0 means unlimited
	resume bool
}

// either sends the first text in CLIP mode and the second in telnet mode.
func (u *user) either(clip, telnet string) {
	if u.conn.clip {
		u.conn.line(clip)
	} else {
		u.conn.line(telnet)
	}
}

// say sends a line to the user.
func (u *user) say(format string, args ...any) { u.conn.say(format, args...) }

// hear sends a line that the user did not cause.
func (u *user) hear(format string, args ...any) {
	u.conn.gap()
	u.conn.say(format, args...)
}

// hearEither is hear with a text for each mode.
func (u *user) hearEither(clip, telnet string) {
	u.conn.gap()
	u.either(clip, telnet)
}

func bit(on bool) int {
	if on {
		return 1
	}
	return 0
}

// ownInfo is line 2 of a CLIP login.
func (u *user) ownInfo() string {
	t := func(name string) int { return bit(u.set.on(name)) }
	return fmt.Sprintf("2 %s %d %d %d %d %d %d %d %d %d %d %d %d %d %.2f %d %d %s %d %d %s",
		u.name, t("allowpip"), t("autoboard"), t("autodouble"), t("automove"), bit(u.away != ""),
		t("bell"), t("crawford"), t("double"), u.acct.Experience, t("greedy"), t("moreboards"),
		t("moves"), t("notify"), u.acct.Rating, t("ratings"), t("ready"), u.set.redoublesInLine2(),
		t("report"), t("silent"), u.set.Timezone)
}

// whoLine is line 5 of a user.
func (s *Server) whoLine(u *user) string {
	opponent, watching, email := "-", "-", "-"
	if u.match != nil {
		opponent = u.match.other(u).name
	}
	if u.watching != nil {
		watching = u.watching.name
	}
	if u.acct.Email != "" {
		email = u.acct.Email
	}
	idle := int(s.opts.Now().Sub(u.conn.last).Seconds())
	// Written out: a list of a thousand users takes a third of the time of Sprintf.
	b := make([]byte, 0, 160)
	word := func(w string) { b = append(append(b, ' '), w...) }
	num := func(n int64) { b = strconv.AppendInt(append(b, ' '), n, 10) }
	b = append(b, '5')
	word(u.name)
	word(opponent)
	word(watching)
	num(int64(bit(u.set.on("ready"))))
	num(int64(bit(u.away != "")))
	b = strconv.AppendFloat(append(b, ' '), u.acct.Rating, 'f', 2, 64)
	num(int64(u.acct.Experience))
	num(int64(max(idle, 0)))
	num(u.login.Unix())
	word(u.conn.host)
	word(u.client)
	word(email)
	return string(b)
}

// pushWho tells every client about the new state of some users.
func (s *Server) pushWho(changed ...*user) {
	for _, u := range changed {
		text := s.whoLine(u)
		for _, other := range s.roster {
			if other.conn.clip && !other.conn.crowded() {
				other.conn.line(text)
				other.conn.line("6")
			}
		}
	}
}

// depart is why a user logs out: the text for other users, without the part about a game.
type depart string

const (
	departBye     depart = "%s logs out."
	departDrop    depart = "%s drops connection."
	departTimeout depart = "Connection with %s timed out."
	departNetwork depart = "Network error with %s."
	departRelogin depart = "Closed old connection with user %s."
)

func (d depart) text(name string) string { return fmt.Sprintf(string(d), name) }

// logout takes a user off line, saves the match and informs the other users. The caller closes the
// connection.
func (s *Server) logout(u *user, why depart) {
	if s.users[key(u.name)] != u {
		return
	}
	c := u.conn
	opponent := (*user)(nil)
	if m := u.match; m != nil {
		opponent = m.other(u)
		if why == departBye {
			u.say("Your game with %s was saved.", opponent.name)
		}
		waits := u.name
		if why == departBye {
			waits = ""
		}
		s.suspend(m, waits)
		opponent.hear("%s The game was saved.", why.text(u.name))
	}
	delete(s.users, key(u.name))
	s.roster = slices.DeleteFunc(slices.Clone(s.roster), func(other *user) bool { return other == u })
	for _, w := range u.watchers {
		w.watching = nil
		w.hear("%s. You're not watching anymore.", why.text(u.name))
		s.pushWho(w)
	}
	u.watchers = nil
	s.stopWatching(u, false)
	if opponent != nil {
		s.pushWho(opponent)
	}
	s.announceVisit("8", u, why.text(u.name))
	u.acct.LastLogout = s.opts.Now()
	u.acct.Settings = u.set
	s.changedAccount(u.acct)
	c.user = nil
	c.clip = false
	s.info("logout", "user", u.name, "how", why.text(u.name))
}

// findUser finds a logged-in user by exact name or unique prefix. Otherwise it sends asker a
// message and returns nil.
func (s *Server) findUser(asker *user, name string) *user {
	if u := s.users[key(name)]; u != nil {
		return u
	}
	var fits []string
	var found *user
	for _, u := range s.roster {
		if name != "" && strings.HasPrefix(key(u.name), key(name)) {
			fits = append(fits, u.name)
			found = u
		}
	}
	switch len(fits) {
	case 0:
		asker.say("** There is no one called %s", clean(name, 20))
		return nil
	case 1:
		return found
	}
	if len(fits) > 20 {
		fits = fits[:20]
	}
	asker.say("** Ambiguous name: Try one of: %s", strings.Join(fits, " "))
	return nil
}

// clean shortens text for a user's screen.
func clean(text string, limit int) string {
	if len(text) > limit {
		text = text[:limit]
	}
	return text
}

// has reports whether a list of names holds a name.
func has(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// drop removes a name from a list.
func drop(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.EqualFold(n, name) })
}
