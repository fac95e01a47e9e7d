package server

import (
	"strings"

	"github.com/sirupsen/logrus"
)

// guestHelp tells a newcomer how to register.
func (s *Server) guestHelp(c *conn) {
	c.say("Welcome to %s. You just logged in as guest.", s.opts.Name)
	c.sayText("GUEST")
	c.prompt("> ")
}

func (s *Server) guestLine(c *conn, line string) {
	f := strings.Fields(line)
	switch {
	case len(f) > 0 && isGoodbye(f[0]):
		s.goodbye(c)
	case len(f) == 0 || f[0] != "name":
		s.guestHelp(c)
	case len(f) != 2:
		c.say(badName)
		c.prompt("> ")
	case s.nameFault(f[1]) != "":
		c.say("%s", s.nameFault(f[1]))
		c.prompt("> ")
	case len(s.accounts) >= s.opts.MaxAccounts:
		c.say(serverFull)
		c.prompt("> ")
	default:
		c.name = f[1]
		c.stage = atGuestPassword
		c.say("Your name will be %s", c.name)
		c.say("Type in no password and hit Enter/Return if you want to change it now.")
		c.prompt(echoOff + "Please give your password: ")
	}
}

// serverFull answers a registration at the limit of accounts.
const serverFull = "** There are too many accounts. Please try again later."

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
	s.log(func(l logrus.FieldLogger) {
		l.WithField("user", a.Name).WithField("from", c.host).Info("registered")
	})
	c.say(echoOn + "You are registered.")
	c.say("Type 'help beginner' to get started.")
	s.enter(c, a)
}
