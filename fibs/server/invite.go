package server

import (
	"strconv"
	"strings"
)

// Limits of match lengths.
const (
	longestMatch   = 99
	longestForNew  = 9  // more needs experience
	experienceMark = 50 // more than this counts as experienced
)

func (s *Server) cmdInvite(u *user, args string) {
	f := strings.Fields(args)
	if u.match != nil {
		u.say("** You are already playing.")
		return
	}
	guest := s.invitable(u, f[0])
	if guest == nil {
		return
	}
	old := s.saved[pairOf(u.name, guest.name)]
	inv := invitation{to: guest.name, resume: len(f) == 1}
	if inv.resume && old == nil {
		u.say("** There's no saved match with %s. Please give a match length.", guest.name)
		return
	}
	if !inv.resume {
		var ok bool
		if inv.length, ok = readLength(u, guest, f[1]); !ok {
			return
		}
		if !s.mayBegin(u, guest) {
			u.say("** You are not allowed to create new games.")
			return
		}
	}
	u.invited = inv
	asked, told := inv.words()
	u.say("** You invited %s %s.", guest.name, asked)
	if guest.away != "" {
		u.say("")
		u.say("%s is away: %s", guest.name, guest.away)
	}
	if !u.set.on("ready") {
		u.set.Toggles.set("ready", true)
		s.pushWho(u)
	}
	guest.hear("%s wants to %s with you.", u.name, told)
	guest.say("Type 'join %s' to accept.", u.name)
	if old != nil && !inv.resume {
		guest.say("WARNING: Don't accept if you want to continue the saved %s match!", kindOf(old.Length, " "))
	}
	if guest.set.on("bell") {
		guest.conn.prompt("\a")
	}
}

// invitable returns the user called name if u may invite them, or nil after telling u why not.
func (s *Server) invitable(u *user, name string) *user {
	guest := s.findUser(u, name)
	switch {
	case guest == nil:
	case guest == u:
		u.say("** You can't invite yourself.")
	case guest.match != nil:
		u.say("** %s is already playing with someone else.", guest.name)
	case !guest.set.on("ready") || has(guest.acct.Gagged, u.name):
		u.say("** %s is refusing games.", guest.name)
	case guest.conn.crowded():
		u.say("** The line of %s is busy. Please try again later.", guest.name)
	default:
		return guest
	}
	return nil
}

// mayBegin reports whether two users may have one more match. A match of the same pair replaces
// their saved one.
func (s *Server) mayBegin(one, other *user) bool {
	return s.saved[pairOf(one.name, other.name)] != nil || len(one.acct.open) < maxSaved && len(other.acct.open) < maxSaved
}

// readLength reads the length of a match that u proposes to guest, 0 for an unlimited one. ok is
// false after telling u why that length is impossible.
func readLength(u, guest *user, text string) (length int, ok bool) {
	if strings.HasPrefix("unlimited", text) {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 1:
		u.say("** The second argument to 'invite' has to be a number or the word 'unlimited'")
	case n > longestMatch:
		u.say("** You can't play a %d point match.", n)
	case n > longestForNew && min(u.acct.Experience, guest.acct.Experience) <= experienceMark:
		u.say("** You're not experienced enough to play a match of that length.")
	default:
		return n, true
	}
	return 0, false
}

// words returns the texts of an invitation for its sender and for the guest.
func (i invitation) words() (asked, told string) {
	if i.resume {
		return "to resume a saved match", "resume a saved match"
	}
	return "to " + aKindOf(i.length) + " match", "play " + aKindOf(i.length) + " match"
}

func (s *Server) cmdJoin(u *user, args string) {
	f := strings.Fields(args)
	if m := u.match; m != nil {
		switch {
		case m.Between:
			s.joinNext(u, m)
		case len(f) > 0:
			u.say("** You can't play two games at once")
		default:
			u.say("** You are already playing.")
		}
		return
	}
	if len(f) == 0 {
		u.say("** Error: Join who?")
		return
	}
	host := s.findUser(u, f[0])
	switch {
	case host == nil:
		return
	case host.match != nil:
		u.say("** Error: %s is already playing with someone else.", host.name)
		return
	case host.invited.to != u.name:
		u.say("** %s didn't invite you.", host.name)
		return
	case !host.set.on("ready"):
		u.say("** %s is refusing games.", host.name)
		return
	}
	inv := host.invited
	if inv.resume {
		m := s.saved[pairOf(u.name, host.name)]
		if m == nil {
			host.invited = invitation{}
			u.say("** %s didn't invite you.", host.name)
			return
		}
		s.resume(m, host, u)
		return
	}
	if !s.mayBegin(host, u) { // both may have begun others since the invitation
		u.say("** You are not allowed to create new games.")
		return
	}
	m := s.newMatch(host, u, inv.length)
	s.seatPlayers(m)
	u.say("** You are now playing %s match with %s", aKindOf(inv.length), host.name)
	s.report(host.name+" and "+u.name+" start "+aKindOf(m.Length)+" match.", host, u)
	s.pushWho(u, host)
	host.conn.gap()
	if inv.length == 0 {
		host.say("Player %s has joined you for an unlimited match.", u.name)
	} else {
		host.say("** Player %s has joined you for a %d point match.", u.name, inv.length)
	}
	s.info("match started", "host", host.name, "guest", u.name, "length", inv.length)
	s.startGame(m)
}

// joinNext agrees to the next game of a match.
func (s *Server) joinNext(u *user, m *match) {
	i := m.seat(u)
	m.Joined[i] = true
	m.changed()
	if m.Joined[1-i] {
		s.startGame(m)
		return
	}
	u.say("** Please wait for %s to join too.", m.name(1-i))
}

// resume resumes a saved match: guest accepted host's invitation, or both have returned.
func (s *Server) resume(m *match, host, guest *user) {
	if !s.seatPlayers(m) {
		guest.say("** ERROR: Saved match is corrupt. Please start another one.")
		host.say("** ERROR: Saved match is corrupt. Please start another one.")
		return
	}
	if m.dice == nil {
		m.dice = s.diceFor(m)
	}
	guest.say("You are now playing with %s. Your running match was loaded.", host.name)
	s.report(host.name+" and "+guest.name+" are resuming their "+kindOf(m.Length, "-")+" match.", host, guest)
	s.pushWho(guest, host)
	host.hear("%s has joined you. Your running match was loaded.", guest.name)
	for i, u := range m.seats {
		if m.Turn != 0 {
			turn := m.Turn
			if m.Doubling != 0 {
				turn = m.Doubling
			}
			u.say("turn: %s.", m.name(m.player(turn)))
		}
		if m.Length == 0 {
			u.say("unlimited matchlength")
		} else {
			u.say("match length: %d", m.Length)
		}
		u.say("points for %s: %d", m.name(0), m.Score[0])
		u.say("points for %s: %d", m.name(1), m.Score[1])
		if !m.Between && !s.chance(s.opts.Quirks.NoBoard) {
			s.showBoard(u, m, i, false)
		}
	}
	s.info("match resumed", "host", host.name, "guest", guest.name)
	if m.Between {
		// Coming together again is a yes to the next game.
		s.startGame(m)
		return
	}
	s.rollIfDue(m)
}

// reattach resumes the interrupted match of a user if the opponent is still free. first is the
// match that a second login interrupted, or nil.
func (s *Server) reattach(u *user, first *match) {
	if s.opts.NoAutoResume {
		return
	}
	try := append([]*match{first}, s.savedOf(u.name)...)
	for _, m := range try {
		if m == nil || m.running || m.Dropped == "" || s.saved[m.pair()] != m {
			continue
		}
		opponent := s.users[key(m.opponentOf(u.name))]
		if opponent == nil || opponent.match != nil || opponent.away != "" || !opponent.set.on("ready") {
			continue
		}
		if key(m.Dropped) != key(u.name) && key(m.Dropped) != key(opponent.name) {
			continue
		}
		s.resume(m, opponent, u)
		return
	}
}

func (s *Server) cmdLeave(u *user, _ string) {
	m := u.match
	if m == nil {
		u.say("** Error: No one to leave.")
		return
	}
	opponent := m.other(u)
	s.suspend(m, "")
	u.say("** You terminated the game. The game was saved.")
	s.report(u.name+" has left the game with "+opponent.name+".", u, opponent)
	s.pushWho(u, opponent)
	opponent.hear("** Player %s has left the game. The game was saved.", u.name)
}
