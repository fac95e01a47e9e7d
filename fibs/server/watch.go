package server

import (
	"slices"
	"strings"
)

func (s *Server) cmdWatch(u *user, args string) {
	name, _ := head(args)
	if u.match != nil {
		u.say("** You can't watch another game while you're playing.")
		return
	}
	who := s.findUser(u, name)
	switch {
	case who == nil:
		return
	case who == u:
		u.say("** Use a mirror to do that.")
		return
	case has(who.acct.Blinded, u.name):
		u.say("** %s doesn't want you to watch.", who.name)
		return
	case who.match != nil && has(who.match.other(who).acct.Blinded, u.name):
		u.say("** You can't watch the match between %s and %s.", who.name, who.match.other(who).name)
		return
	}
	if u.watching != nil {
		u.say("** You stop watching %s.", u.watching.name)
		s.stopWatching(u, false)
	}
	u.watching = who
	who.watchers = append(who.watchers, u)
	u.say("You're now watching %s.", who.name)
	s.pushWho(u)
	who.hear("%s is watching you.", u.name)
	if who.match == nil {
		u.say("%s is not doing anything interesting.", who.name)
		return
	}
	opponent := who.match.other(who)
	opponent.hear("%s starts watching %s.", u.name, who.name)
	s.showBoard(u, who.match, who.match.seat(who), true)
}

func (s *Server) cmdUnwatch(u *user, _ string) {
	if u.watching == nil {
		u.say("** You're not watching.")
		return
	}
	u.say("You stop watching %s.", u.watching.name)
	s.stopWatching(u, true)
}

// stopWatching ends watching and informs the players.
func (s *Server) stopWatching(u *user, push bool) {
	who := u.watching
	if who == nil {
		return
	}
	u.watching = nil
	who.watchers = slices.DeleteFunc(slices.Clone(who.watchers), func(w *user) bool { return w == u })
	who.hear("%s stops watching you.", u.name)
	if who.match != nil {
		opponent := who.match.other(who)
		opponent.hear("%s stops watching %s.", u.name, who.name)
	}
	if push {
		s.pushWho(u)
	}
}

func (s *Server) cmdLook(u *user, args string) {
	name, _ := head(args)
	who := s.findUser(u, name)
	switch {
	case who == nil:
	case who == u:
		u.say("You look great.")
	case has(who.acct.Blinded, u.name):
		u.say("** %s doesn't want you to look.", who.name)
	case who.match == nil:
		u.say("%s is not playing.", who.name)
	default:
		s.showBoard(u, who.match, who.match.seat(who), true)
	}
}

// listWords are FIBS's words about one of a user's lists of names.
type listWords struct{ title, self, add, remove string }

// flip adds a name to a list of the user or removes it, or shows the list without a name. on is
// true for a name that was added.
func (s *Server) flip(u *user, args string, list *[]string, words listWords) (name string, on bool) {
	f := strings.Fields(args)
	if len(f) == 0 {
		u.say("** %s: %s", words.title, listed(*list))
		return "", false
	}
	name, ok := s.listName(u, f[0], *list)
	if !ok {
		return "", false
	}
	if key(name) == key(u.name) {
		u.say("** %s", words.self)
		return "", false
	}
	s.changedAccount(u.acct)
	if has(*list, name) {
		*list = drop(*list, name)
		u.say("** You %s %s.", words.remove, name)
		return name, false
	}
	*list = append(*list, name)
	u.say("** You %s %s.", words.add, name)
	return name, true
}

func (s *Server) cmdBlind(u *user, args string) {
	name, on := s.flip(u, args, &u.acct.Blinded, listWords{"Blinded users", "You can't read this message now, can you?", "blind", "unblind"})
	if !on {
		return
	}
	blinded := s.users[key(name)]
	if blinded == nil || blinded.watching == nil {
		return
	}
	if who := blinded.watching; who == u || (who.match != nil && who.match.other(who) == u) {
		s.stopWatching(blinded, true)
		blinded.say("%s bans you from watching.", u.name)
	}
}

func (s *Server) cmdGag(u *user, args string) {
	s.flip(u, args, &u.acct.Gagged, listWords{"Gagged users", "You talk too much, don't you?", "gag", "ungag"})
}

// listName finds the user of a list command: on line, already on the list, or with an account.
// Lists are bounded.
func (s *Server) listName(u *user, name string, list []string) (string, bool) {
	if a := s.accounts[key(name)]; a != nil {
		name = a.Name
	} else if who := s.findUser(u, name); who != nil {
		name = who.name
	} else {
		return "", false
	}
	if len(list) >= maxList && !has(list, name) {
		u.say("** Your list is full.")
		return "", false
	}
	return name, true
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ",")
}

func (s *Server) cmdWaitfor(u *user, args string) {
	f := strings.Fields(args)
	if len(f) == 0 {
		switch n := len(u.acct.Awaited); n {
		case 0:
			u.say("You are not waiting for any players.")
		case 1:
			u.say("You are waiting for %s", u.acct.Awaited[0])
		default:
			u.say("You are waiting for the following %d players:", n)
			u.say("%s", strings.Join(u.acct.Awaited, " "))
		}
		return
	}
	a := s.accounts[key(f[0])]
	switch {
	case a == nil:
		u.say("** There is no user called '%s'.", clean(f[0], 20))
	case a == u.acct:
		u.say("** Look behind you. Maybe you are waiting there.")
	case s.users[key(a.Name)] != nil:
		u.say("** '%s' is already logged in.", a.Name)
	case len(u.acct.Awaited) >= maxList:
		u.say("** Your list is full.")
	default:
		u.acct.Awaited = append(drop(u.acct.Awaited, a.Name), a.Name)
		s.changedAccount(u.acct)
		u.say("** You'll receive a message when '%s' logs in.", a.Name)
	}
}
