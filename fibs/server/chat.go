package server

import (
	"fmt"
	"slices"
	"strings"
)

// spoken bounds a sentence in bytes.
func spoken(text string) string { return clean(strings.TrimSpace(text), maxText) }

// head cuts the first word off.
func head(args string) (string, string) {
	args = strings.TrimSpace(args)
	word, rest, _ := strings.Cut(args, " ")
	return word, strings.TrimSpace(rest)
}

func (s *Server) cmdTell(u *user, args string) {
	name, text := head(args)
	who := s.findUser(u, name)
	if who == nil {
		return
	}
	s.speak(u, who, text)
}

// cmdTellx is tell without completion of names.
func (s *Server) cmdTellx(u *user, args string) {
	name, text := head(args)
	who := s.users[key(name)]
	if who == nil {
		u.say("** There is no one called %s", clean(name, 20))
		return
	}
	s.speak(u, who, text)
}

func (s *Server) speak(u, who *user, text string) {
	text = spoken(text)
	switch {
	case text == "":
		u.say("** Tell %s what?", who.name)
	case who == u:
		u.say("You say to yourself: %s", text)
	case has(who.acct.Gagged, u.name):
		u.say("** %s won't listen to you.", who.name)
	case has(u.acct.Gagged, who.name):
		u.say("** You can't talk if you won't listen.")
	case who.conn.crowded():
		u.say("** The line of %s is busy. Please try again later.", who.name)
	default:
		who.hearEither("12 "+u.name+" "+text, u.name+" tells you: "+text)
		if who.set.on("bell") {
			who.conn.prompt("\a")
		}
		u.either("16 "+who.name+" "+text, "** You tell "+who.name+": "+text)
		if who.away != "" {
			u.say("%s is away: %s", who.name, who.away)
		}
	}
}

func (s *Server) cmdSay(u *user, args string) {
	if u.match == nil {
		u.say("** 'say' can't be used outside a game")
		return
	}
	s.speak(u, u.match.other(u), args)
}

func (s *Server) cmdShout(u *user, args string) {
	text := spoken(args)
	switch {
	case u.set.on("silent"):
		u.say("** Please type 'toggle silent' again before you shout.")
		return
	case text == "":
		u.say("** Shout what?")
		return
	}
	if _, ok := s.shouts.take(key(u.name), s.opts.Now(), 0); !ok {
		u.say("** You shout too much. Please wait a minute.")
		return
	}
	for _, other := range s.roster {
		if other != u && !other.set.on("silent") && !has(other.acct.Gagged, u.name) && !other.conn.crowded() {
			other.hearEither("13 "+u.name+" "+text, u.name+" shouts: "+text)
		}
	}
	u.either("17 "+text, "You shout: "+text)
}

// listeners are those at the table a user plays at or watches; players are
// included only for a kibitz.
func (u *user) listeners(players bool) []*user {
	at := u
	if u.match == nil {
		at = u.watching
	}
	if at == nil {
		return nil
	}
	seats := []*user{at}
	if at.match != nil {
		seats = append(seats, at.match.other(at))
	}
	var list []*user
	for _, p := range seats {
		if players && p != u {
			list = append(list, p)
		}
		for _, w := range p.watchers {
			if w != u {
				list = append(list, w)
			}
		}
	}
	return list
}

func (s *Server) cmdKibitz(u *user, args string) { s.remark(u, args, true) }

func (s *Server) cmdWhisper(u *user, args string) { s.remark(u, args, false) }

// remark is a kibitz, heard by players and watchers, or a whisper, heard by
// watchers only.
func (s *Server) remark(u *user, args string, kibitz bool) {
	text := spoken(args)
	if u.match == nil && u.watching == nil {
		u.say("** You're not watching or playing.")
		return
	}
	what, code, echo := "whisper", "14 ", "18 "
	if kibitz {
		what, code, echo = "kibitz", "15 ", "19 "
	}
	if text == "" {
		u.say("** %s what?", what)
		return
	}
	heard := 0
	for _, l := range u.listeners(kibitz) {
		if has(l.acct.Gagged, u.name) || l.conn.crowded() {
			continue
		}
		heard++
		l.hearEither(code+u.name+" "+text, u.name+" "+what+"es: "+text)
	}
	u.either(echo+text, "You "+what+": "+text)
	switch heard {
	case 0:
		u.say("** But nobody heard you.")
	case 1:
		u.say("** 1 user heard you.")
	default:
		u.say("** %d users heard you.", heard)
	}
}

func (s *Server) cmdMessage(u *user, args string) {
	name, text := head(args)
	text = spoken(text)
	if name == "" {
		if len(u.acct.Mail) == 0 {
			u.say("There are no new messages for you.")
			return
		}
		s.showMail(u)
		return
	}
	if text == "" {
		u.say("** usage: message <user> <text>")
		return
	}
	a := s.accounts[key(name)]
	if a == nil {
		u.say("** Don't know user %s.", clean(name, 20))
		return
	}
	if has(a.Gagged, u.name) {
		u.say("** %s won't listen to you.", a.Name)
		return
	}
	now := s.opts.Now()
	if who := s.users[key(a.Name)]; who != nil {
		if who.conn.crowded() {
			u.say("** The line of %s is busy. Please try again later.", who.name)
			return
		}
		who.hearEither(fmt.Sprintf("9 %s %d %s", u.name, now.Unix(), text), fmt.Sprintf("%s: message from %s: %s", now.In(who.set.zone()).Format("Jan 02 15:04"), u.name, text))
		u.either("10 "+a.Name, "Message delivered to "+a.Name+".")
		return
	}
	if len(a.Mail) >= maxMail {
		u.say("** The mailbox of %s is full.", a.Name)
		return
	}
	m := mail{From: u.name, At: now, Text: text}
	own := 0
	for _, old := range a.Mail {
		own += bit(old.From == u.name)
	}
	if own >= maxMailFrom || s.mailed+m.size() > maxMailed {
		u.say("** The mailbox of %s is full.", a.Name)
		return
	}
	a.Mail = append(a.Mail, m)
	s.mailed += m.size()
	s.changedAccount(a)
	u.either("11 "+a.Name, "Message for "+a.Name+" saved.")
}

// showMail delivers stored messages and deletes them.
func (s *Server) showMail(u *user) {
	if len(u.acct.Mail) == 0 {
		return
	}
	if !u.conn.clip {
		u.say("There are messages for you:")
	}
	for _, m := range u.acct.Mail {
		u.either(fmt.Sprintf("9 %s %d %s", m.From, m.At.Unix(), m.Text), fmt.Sprintf("%s %s: %s", m.At.In(u.set.zone()).Format("Jan 02 15:04"), m.From, m.Text))
	}
	s.mailed -= mailSize(u.acct.Mail)
	u.acct.Mail = nil
	s.changedAccount(u.acct)
}

func (s *Server) cmdAway(u *user, args string) {
	text := spoken(args)
	if text == "" {
		away := slices.DeleteFunc(slices.Clone(s.roster), func(o *user) bool { return o.away == "" })
		u.conn.line(map[bool]string{true: "None of the users is away.", false: "The following users are away:"}[len(away) == 0])
		for _, other := range away {
			u.say("%s: %s", other.name, other.away)
		}
		return
	}
	u.away = text
	u.say("You're away. Please type 'back'")
	s.pushWho(u)
}

func (s *Server) cmdBack(u *user, _ string) {
	if u.away == "" {
		u.say("** You're not away.")
		return
	}
	u.away = ""
	u.say("Welcome back.")
	s.pushWho(u)
}

func (s *Server) cmdWave(u *user, _ string) {
	text := u.name + " waves goodbye."
	if u.waved {
		text = u.name + " waves goodbye again."
	}
	for _, other := range s.roster {
		if other != u && !other.set.on("silent") && !other.conn.crowded() {
			other.hear("%s", text)
		}
	}
	if u.waved {
		u.say("You wave goodbye again and log out.")
		s.goodbye(u.conn)
		return
	}
	u.waved = true
	u.say("You wave goodbye.")
}
