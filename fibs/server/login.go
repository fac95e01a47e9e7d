package server

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stage is the state of a connection before and after the login.
type stage int

const (
	atLogin stage = iota
	atPassword
	atGuest
	atGuestPassword
	atGuestRepeat
	inside
)

const (
	echoOff = "\xff\xfb\x01" // the server will echo: the client hides what is typed
	echoOn  = "\xff\xfc\x01"
)

// greet sends the banner and the first prompt.
func (s *Server) greet(c *conn) {
	s.mu.Lock()
	defer s.release()
	c.sayText("BANNER")
	c.line(s.dateLine(nil))
	c.prompt("login: ")
	s.deliver(nil)
}

// dateLine is the two-zone clock of the banner and of the time command.
func (s *Server) dateLine(u *user) string {
	now := s.opts.Now()
	zone := time.UTC
	if u != nil {
		zone = u.set.zone()
	}
	return now.In(zone).Format("Monday, January 02 15:04:05 MST") +
		"   ( " + now.UTC().Format("Mon Jan _2 15:04:05 2006") + " UTC )"
}

// beforeLogin handles a line before the login.
func (s *Server) beforeLogin(c *conn, line string) {
	switch c.stage {
	case atLogin:
		s.loginLine(c, strings.TrimSpace(line))
	case atPassword:
		c.say("")
		s.tryLogin(c, c.name, strings.TrimSpace(line))
	case atGuest:
		s.guestLine(c, strings.TrimSpace(line))
	case atGuestPassword:
		s.guestPassword(c, strings.TrimRight(line, " "))
	case atGuestRepeat:
		s.guestRepeat(c, strings.TrimRight(line, " "))
	}
}

// loginLine reads a name, "guest", or the one-line login of a client.
func (s *Server) loginLine(c *conn, line string) {
	f := strings.Fields(line)
	switch {
	case len(f) == 0:
		c.prompt("login: ")
	case f[0] == "login" && len(f) >= 4:
		version, err := strconv.Atoi(f[2])
		if err != nil || version < 1000 || len(f[1]) > 20 || !printable(f[1]) {
			s.loginFailed(c)
			return
		}
		c.clip = true
		c.name, c.secret = f[3], f[1] // the client's name waits in secret
		if len(f) == 4 {
			c.prompt(echoOff + "password: ")
			c.stage = atPassword
			return
		}
		s.tryLogin(c, f[3], f[4])
	case f[0] == "connect" && len(f) == 3:
		c.name, c.auto = f[1], true
		s.tryLogin(c, f[1], f[2])
	case isGoodbye(f[0]):
		s.goodbye(c)
	case f[0] == "guest":
		c.stage = atGuest
		s.guestHelp(c)
	default:
		c.name = f[0]
		c.prompt(echoOff + "password: ")
		c.stage = atPassword
	}
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}

// tryLogin checks name and password and logs the user in.
func (s *Server) tryLogin(c *conn, name, password string) {
	if !s.mayTry(c) {
		return
	}
	if left := s.ends.Sub(s.opts.Now()); left > 0 && left <= s.opts.Closing {
		s.loginFailed(c)
		return
	}
	a := s.accounts[key(name)]
	if a == nil && s.opts.AutoAccounts {
		if fault := s.newcomerFault(c, name, password); fault != "" {
			c.say("%s", fault)
			s.loginFailed(c)
			return
		}
		var err error
		if !s.hashed(c, func() { a, err = newAccount(name, password, s.cheap()) }) {
			return
		}
		if err == nil && s.register(a) == nil {
			s.enter(c, a)
			return
		}
		a = s.accounts[key(name)]
	}
	right := s.rightPassword(c, a, password)
	if c.gone || s.closing {
		return
	}
	if !right {
		s.loginFailed(c)
		return
	}
	s.enter(c, a)
}

// newcomerFault returns why a login cannot make an account, or "".
func (s *Server) newcomerFault(c *conn, name, password string) string {
	if fault := cmp.Or(s.nameFault(name), passwordFault(password), s.full()); fault != "" {
		return fault
	}
	if !s.mayRegister(c) {
		return tooManyNew
	}
	return ""
}

// loginFailed answers as FIBS does, with another prompt and no reason. The answer is delayed
// longer with each failed login of the address.
func (s *Server) loginFailed(c *conn) {
	// What was typed for a name may be a password: only real ones reach the log.
	name := "(no such account)"
	if a := s.accounts[key(c.name)]; a != nil {
		name = a.Name
	}
	s.warn("login failed", "user", name, "from", c.host)
	c.tries++
	auto := c.auto
	c.stage, c.clip, c.auto, c.name, c.secret = atLogin, false, false, "", ""
	s.pause(c, s.struck(c.site))
	if c.gone {
		return
	}
	if c.tries >= maxLoginTries {
		c.say("")
		c.say("Too many failed logins.")
		s.end(c)
		return
	}
	if !auto {
		c.say(echoOn)
	}
	c.prompt("login: ")
}

// enter puts the user of a connection on line.
func (s *Server) enter(c *conn, a *account) {
	client := "-"
	if c.clip {
		client = c.secret
	}
	c.secret = ""
	now := s.opts.Now()
	old := s.users[key(a.Name)]
	var carry *match
	if old != nil {
		carry = old.match
		old.conn.say("** You just logged in a second time from %s, terminating this session.", c.host)
		oldConn := old.conn
		s.logout(old, departRelogin)
		s.end(oldConn)
	}
	s.serial++
	u := &user{conn: c, acct: a, name: a.Name, client: client, login: now, serial: s.serial, set: a.Settings}
	c.user, c.stage = u, inside
	s.users[key(a.Name)] = u
	text := u.name + " logs in."
	if old != nil {
		text = u.name + " logs in again."
	}
	s.announceVisit("7", u, text)
	s.pushWho(u) // to the others: the welcome of u has a list
	s.roster = append(append(make([]*user, 0, len(s.roster)+1), s.roster...), u)
	s.info("login", "user", u.name, "client", client, "from", c.host)
	s.welcome(u, old != nil)
	a.LastLogin, a.LastHost = now, c.host
	s.changedAccount(a)

	for _, other := range s.roster {
		if has(other.acct.Awaited, u.name) {
			other.acct.Awaited = drop(other.acct.Awaited, u.name)
			s.changedAccount(other.acct)
			other.conn.say("** FINALLY!!! %s logs in.\a\a\a", u.name)
			u.conn.say("** %s is waiting for you to log in.", other.name)
		}
	}
	s.reattach(u, carry)
}

// welcome sends the lines after a login.
func (s *Server) welcome(u *user, again bool) {
	c, a := u.conn, u.acct
	lastHost := cmp.Or(a.LastHost, c.host)
	lastLogin := a.LastLogin
	if lastLogin.IsZero() {
		lastLogin = u.login
	}
	switch {
	case c.clip:
		c.say("")
	case !c.auto:
		c.say(echoOn)
	}
	if again {
		c.say("** Warning: You are already logged in.")
	}
	if !c.clip {
		c.say("** User %s authenticated.", u.name)
		c.say("** Last login: %s from %s", lastLogin.In(u.set.zone()).Format("Monday, January 02 15:04 MST"), lastHost)
		s.motd(u)
		s.showMail(u)
		return
	}
	c.say("1 %s %d %s", u.name, lastLogin.Unix(), lastHost)
	c.line(u.ownInfo())
	s.motd(u)
	c.say("")
	s.showMail(u)
	for _, other := range s.roster {
		c.line(s.whoLine(other))
	}
	c.say("6")
}

// motd sends the message of the day in its box.
func (s *Server) motd(u *user) {
	if u.conn.clip {
		u.conn.say("3")
	}
	edge := "+" + strings.Repeat("-", 68) + "+"
	u.conn.line(edge)
	for _, line := range s.opts.MOTD {
		u.conn.say("|  %-66.66s|", line)
	}
	u.conn.line(edge)
	u.conn.say("")
	if u.conn.clip {
		u.conn.say("4")
	}
}

func isGoodbye(word string) bool {
	return slices.Contains([]string{"bye", "quit", "exit", "logout", "adios", "ciao", "end", "tschoe"}, word)
}

// goodbye ends a connection at the user's request.
func (s *Server) goodbye(c *conn) {
	if c.user != nil {
		s.logout(c.user, departBye)
	}
	c.sayText("GOODBYE")
	s.end(c)
}

// guestHelp tells a newcomer how to register.
func (s *Server) guestHelp(c *conn) {
	c.say("Welcome to %s. You just logged in as guest.", s.opts.Name)
	c.sayText("GUEST")
	c.prompt("> ")
}

func (s *Server) guestLine(c *conn, line string) {
	f := strings.Fields(line)
	fault := badName
	if len(f) == 2 {
		fault = cmp.Or(s.nameFault(f[1]), s.full())
	}
	switch {
	case len(f) > 0 && isGoodbye(f[0]):
		s.goodbye(c)
	case len(f) == 0 || f[0] != "name":
		s.guestHelp(c)
	case fault != "":
		c.line(fault)
		c.prompt("> ")
	default:
		c.name, c.stage = f[1], atGuestPassword
		c.say("Your name will be %s", c.name)
		c.say("Type in no password and hit Enter/Return if you want to change it now.")
		c.prompt(echoOff + "Please give your password: ")
	}
}

// full answers a registration at the limit of accounts, or is "" below it.
func (s *Server) full() string {
	if len(s.accounts) < s.opts.MaxAccounts {
		return ""
	}
	return "** There are too many accounts. Please try again later."
}

// tooManyNew answers a registration above the limits of an hour.
const tooManyNew = "** Too many new accounts. Please try again later."

// badName answers a name with characters that a name may not have.
const badName = "** Your name may only contain letters and the underscore character _ ."

// nameFault returns why no one can register by that name, or "".
func (s *Server) nameFault(name string) string {
	switch {
	case len(name) > 20:
		return "** Please use a name with at most 20 characters."
	case !goodName(name):
		return badName
	case s.accounts[key(name)] != nil || reservedName(name):
		return "** Please use another name. '" + name + "' is already used by someone else."
	}
	return ""
}

// passwordFault returns why no one can register with that password, or "".
func passwordFault(password string) string {
	switch {
	case len(password) < 4:
		return "Minimal password length is 4 characters."
	case strings.Contains(password, ":"):
		return "Your password may not contain ':'"
	case !goodPassword(password):
		return "** Your password may have at most 80 characters and no blanks."
	}
	return ""
}

func (s *Server) guestPassword(c *conn, password string) {
	c.say("")
	switch {
	case password == "":
		c.stage = atGuest
		c.say(echoOn + "** No password given. Please choose a new name")
		c.prompt("> ")
	case passwordFault(password) != "":
		c.say("%s", passwordFault(password))
		c.prompt("Please give your password: ")
	default:
		c.secret = password
		c.stage = atGuestRepeat
		c.prompt("Please retype your password: ")
	}
}

func (s *Server) guestRepeat(c *conn, password string) {
	c.say("")
	if password != c.secret {
		c.secret = ""
		c.stage = atGuestPassword
		c.prompt("** The two passwords were not identical. Please give them again. Password: ")
		return
	}
	c.secret = ""
	if !s.mayRegister(c) {
		c.stage = atGuest
		c.say(echoOn + tooManyNew)
		c.prompt("> ")
		return
	}
	var a *account
	var err error
	if !s.hashed(c, func() { a, err = newAccount(c.name, password, s.cheap()) }) {
		return
	}
	if err == nil {
		err = s.register(a)
	}
	if err != nil {
		c.stage = atGuest
		c.say(echoOn+"** Please use another name. '%s' is already used by someone else.", c.name)
		c.prompt("> ")
		return
	}
	s.info("registered", "user", a.Name, "from", c.host)
	c.say(echoOn + "You are registered.")
	c.say("Type 'help beginner' to get started.")
	s.enter(c, a)
}
