package server

import (
	"strconv"
	"strings"
)

func (s *Server) cmdShow(u *user, args string) {
	f := strings.Fields(args)
	switch f[0] {
	case "games":
		s.showGames(u)
	case "saved":
		s.showSaved(u)
	case "savedcount":
		name := u.name
		if len(f) > 1 {
			a := s.accounts[key(f[1])]
			if a == nil {
				u.say("** There is no one called %s", clean(f[1], 20))
				return
			}
			name = a.Name
		}
		switch n := len(s.savedOf(name)); n {
		case 0:
			u.say("%s has no saved games.", name)
		case 1:
			u.say("%s has 1 saved game.", name)
		default:
			u.say("%s has %d saved games.", name, n)
		}
	case "watchers":
		none := true
		for _, o := range s.roster {
			none = none && o.watching == nil
		}
		if none {
			u.say("Watching players: none.")
			return
		}
		u.say("Watching players:")
		for _, o := range s.roster {
			if o.watching != nil {
				u.say("%s is watching %s.", o.name, o.watching.name)
			}
		}
	case "max":
		u.say("max_logins is %d (maximum: %d)", s.opts.MaxConns, s.opts.MaxConns)
	default:
		u.say("** Don't know how to show %s", clean(f[0], 40))
	}
}

func (s *Server) showGames(u *user) {
	u.say("List of games:")
	for _, m := range s.runningMatches() {
		u.say("%-15s - %15s (%s match %d-%d)", m.name(0), m.name(1), kindOf(m.Length, " "), m.Score[0], m.Score[1])
	}
	u.say("")
}

// showSaved lists saved matches and, with one star, the running one. Two stars mark an opponent
// who is ready, one star an opponent who is on line.
func (s *Server) showSaved(u *user) {
	header := false
	for _, m := range s.savedOf(u.name) {
		if !header {
			u.say("  opponent          matchlength   score (your points first)")
			header = true
		}
		i := bit(key(m.name(1)) == key(u.name))
		opponent := m.name(1 - i)
		stars := "  "
		if o := s.users[key(opponent)]; o != nil {
			stars = " *"
			if o.set.on("ready") && o.match == nil {
				stars = "**"
			}
		}
		length := "unlimited"
		if m.Length > 0 {
			length = strconv.Itoa(m.Length)
		}
		u.say("%s%-16s %9s %16d - %2d", stars, opponent, length, m.Score[i], m.Score[1-i])
	}
	if !header {
		u.say("no saved games.")
	}
}

func (s *Server) cmdOldmoves(u *user, args string) {
	name, _ := head(args)
	p := pairOf(u.name, name)
	var g *GameRecord
	if m := s.saved[p]; m != nil && len(m.Record.Games) > 0 {
		g = m.game()
	} else {
		g = s.lastGame[p]
	}
	if g == nil {
		u.say("** There is no saved game with %s.", clean(name, 20))
		return
	}
	lines, ended := s.heldBack(g)
	for _, line := range lines {
		s.notice(u)
		u.conn.line(line)
	}
	if ended {
		u.say("")
	}
}

// heldBack returns the lines of oldmoves and whether an empty one follows. As a quirk the list
// of a running game lacks lines that are still in the server's buffer.
func (s *Server) heldBack(g *GameRecord) (lines []string, ended bool) {
	lines = g.oldmoves()
	if g.Winner >= 0 || !s.chance(s.opts.Quirks.ShortList) {
		return lines, true
	}
	const head = 2 // lines
	last := len(lines) - 1
	keep := max(head, len(lines)-s.rng.IntN(4))
	if n := len(g.Actions); n > 0 && !g.Actions[n-1].Done && g.Actions[n-1].Kind == Moved && keep < last && s.chance(0.5) {
		return append(lines[:keep:keep], lines[last]), false // the open roll is not in the buffer
	}
	return lines[:keep], s.chance(0.5)
}

// notice sends a notice, as a quirk.
func (s *Server) notice(u *user) {
	if s.chance(s.opts.Quirks.Notice) {
		u.hear("*** All running games will be saved.")
	}
}

func (s *Server) cmdOldboard(u *user, args string) {
	name, _ := head(args)
	if u.match != nil {
		u.say("** You can't do this while playing.")
		return
	}
	m := s.saved[pairOf(u.name, name)]
	if m == nil {
		u.say("** There's no saved match with a player called '%s'.", clean(name, 20))
		return
	}
	i := bit(key(m.name(1)) == key(u.name))
	if u.set.BoardStyle == 3 {
		u.conn.line(s.boardLine(m, i, "You"))
		return
	}
	s.showBoard(u, m, i, true)
}
