package server

import (
	"strconv"
	"strings"
	"time"

	"fibsbot/bgammon/wire"
)

// login seats a user, or says why not.
func (s *Server) login(words []string, out *outbox) (u *user, why string) {
	if len(words) == 0 || !strings.Contains(words[0], "/") {
		return nil, "Please name your client."
	}
	asked, password := "", ""
	if len(words) > 1 {
		asked = words[1]
	}
	if len(words) > 2 {
		password = words[2]
	}
	name := s.guestName(asked)
	if want, registered := s.opts.Accounts[asked]; registered {
		if strings.ReplaceAll(want, " ", "_") != password {
			return nil, "No account was found with the provided username and password."
		}
		name = asked
	} else if password != "" {
		return nil, "No account was found with the provided username and password."
	}
	if len(asked) > 18 || asked != "" && strings.Trim(asked, "0123456789") == "" {
		return nil, "Invalid username."
	}
	if s.users[name] != nil {
		return nil, "That username is already in use."
	}
	u = &user{name: name, out: out, heard: time.Now(), bot: strings.HasPrefix(name, wire.BotPrefix)}
	s.users[name] = u
	u.send(jsonWelcome{Type: "welcome", PlayerName: name, Clients: len(s.users), Games: len(s.tables)})
	if _, registered := s.opts.Accounts[asked]; registered {
		u.send(jsonSettings{Type: "settings", Highlight: true, Pips: true})
	}
	s.list(u)
	u.notice("%s", s.say("Connect with other players."))
	if !s.opts.Faults.NoRejoin {
		s.rejoin(u)
	}
	s.opts.Log.WithField("name", name).Info("logged in")
	return u, ""
}

// rejoin puts a user back into the match that he was torn from.
func (s *Server) rejoin(u *user) {
	for _, id := range s.ids() {
		t := s.tables[id]
		seat := t.seatOf(u.name)
		if seat < 0 || t.users[seat] != nil {
			continue
		}
		t.users[seat], u.table = u, t
		u.send(jsonJoined{Type: "joined", Player: u.name, GameID: id, PlayerNumber: 1})
		u.send(t.board(seat))
		u.notice("%s", s.say("Rejoined match: "+t.title))
		if o := t.users[1-seat]; o != nil {
			o.send(jsonJoined{Type: "joined", Player: u.name, GameID: id, PlayerNumber: 2})
			o.send(t.board(1 - seat))
		}
		return
	}
}

// lost is a line that broke or was ended.
func (s *Server) lost(u *user) {
	if s.users[u.name] != u {
		return
	}
	delete(s.users, u.name)
	t := u.table
	if t == nil {
		return
	}
	seat := t.seatOf(u.name)
	t.users[seat], t.gone[seat] = nil, time.Now()
	if o := t.users[1-seat]; o != nil && !s.opts.Faults.DropSilently {
		o.send(jsonLeft{Type: "left", Player: u.name})
	}
	if !t.full() || t.over() || s.opts.Faults.NoRejoin {
		s.vacate(t, seat)
	}
}

// vacate empties a seat for good, and closes a table without anybody.
func (s *Server) vacate(t *table, seat int) {
	t.names[seat], t.users[seat] = "", nil
	if t.names[1-seat] == "" || t.users[1-seat] == nil {
		s.archive(t)
		delete(s.tables, t.id)
		return
	}
	if t.record != nil && !t.over() {
		s.forfeit(t, 1-seat)
	}
	s.archive(t)
	// Who stays has an open match, as after creating one.
	if seat == 0 {
		t.names[0], t.users[0] = t.names[1], t.users[1]
		t.names[1], t.users[1] = "", nil
	}
	t.score, t.crawford, t.started, t.ended = [2]int{}, wire.CrawfordToCome, 0, 0
	t.game = newGame(false)
}

// forfeit gives the match to who stays.
func (s *Server) forfeit(t *table, winner int) {
	if n := len(t.record.Games); n > 0 {
		t.record.Games[n-1].Lost = true
		t.record.Games[n-1].Winner = winner
	}
	if u := t.users[winner]; u != nil {
		u.send(jsonWin{Type: "win", Player: t.names[winner], Resigned: t.names[1-winner]})
	}
}

// expire ends matches whose empty seat has waited too long.
func (s *Server) expire(now time.Time) {
	for _, id := range s.ids() {
		t := s.tables[id]
		for seat := range t.names {
			if t.names[seat] != "" && t.users[seat] == nil && now.Sub(t.gone[seat]) >= s.opts.EmptySeat {
				s.vacate(t, seat)
				break
			}
		}
	}
}

func (s *Server) list(u *user) {
	l := jsonList{Type: "list"}
	for _, id := range s.ids() {
		l.Games = append(l.Games, s.tables[id].listing())
	}
	u.send(l)
}

func refused(u *user, what, reason string) {
	u.send(jsonRefusal{Type: "failed" + what, Reason: reason})
}

// create obeys "create public POINTS VARIANT [NAME]" and "create private PASSWORD ...".
func (s *Server) create(u *user, words []string) {
	if u.table != nil {
		refused(u, "create", s.say("You are already in a match."))
		return
	}
	if len(s.tables) >= s.opts.MaxMatches {
		refused(u, "create", s.say("There are too many matches."))
		return
	}
	password := ""
	if len(words) > 1 && words[0] == "private" {
		password = words[1]
		words = words[1:]
	} else if len(words) == 0 || words[0] != "public" {
		refused(u, "create", s.say("To create a match please specify whether it is public or private."))
		return
	}
	if len(words) < 3 {
		refused(u, "create", s.say("To create a match please specify its points and variant."))
		return
	}
	points, err := strconv.Atoi(words[1])
	if err != nil || points < 1 || points > wire.MaxPoints {
		refused(u, "create", s.say("Invalid points."))
		return
	}
	if words[2] != "0" {
		refused(u, "create", s.say("Invalid variant."))
		return
	}
	t := &table{id: s.nextID(), points: points, password: password, bots: u.bot, game: newGame(false)}
	t.title = titleOf(strings.Join(words[3:], " "), u.name)
	t.names[0], t.users[0] = u.name, u
	s.tables[t.id], u.table = t, t
	u.send(jsonJoined{Type: "joined", Player: u.name, GameID: t.id, PlayerNumber: 1})
	u.send(t.board(0))
	u.notice("%s", s.say("Created match: "+t.title))
}

// join obeys "join ID|PLAYER [PASSWORD]".
func (s *Server) join(u *user, words []string) {
	if u.table != nil {
		refused(u, "join", s.say("You are already in a match."))
		return
	}
	var t *table
	if len(words) > 0 {
		if id, err := strconv.Atoi(words[0]); err == nil {
			t = s.tables[id]
		} else if o := s.users[words[0]]; o != nil {
			t = o.table
		}
	}
	switch {
	case t == nil:
		refused(u, "join", s.say("Match not found."))
	case t.password != "" && (len(words) < 2 || words[1] != t.password):
		refused(u, "join", s.say("Invalid password."))
	case t.full():
		refused(u, "join", s.say("Match is full."))
	case u.bot && !t.bots:
		refused(u, "join", "Bots are not allowed to join player matches. Please create a match instead.")
	default:
		t.names[1], t.users[1], u.table = u.name, u, t
		t.newMatch()
		u.send(jsonJoined{Type: "joined", Player: u.name, GameID: t.id, PlayerNumber: 1})
		u.send(t.board(1))
		u.notice("%s", s.say("Joined match: "+t.title))
		t.users[0].send(jsonJoined{Type: "joined", Player: u.name, GameID: t.id, PlayerNumber: 2})
		t.users[0].send(t.board(0))
		s.opts.Log.WithField("match", t.id).Info("match began")
	}
}

// leave obeys "leave".
func (s *Server) leave(u *user) {
	t := u.table
	if t == nil {
		refused(u, "leave", s.say("You are not in a match."))
		return
	}
	seat := t.seatOf(u.name)
	t.both(func(_ int, o *user) { o.send(jsonLeft{Type: "left", Player: u.name}) })
	u.table = nil
	s.vacate(t, seat)
}
