package server

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/bgammon/wire"
)

// login registers a user, or returns why not.
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
	s.expire(u.heard)
	s.rejoin(u)
	s.opts.Log.WithField("name", name).Info("logged in")
	return u, ""
}

// rejoin seats a user in the match that a broken connection interrupted.
func (s *Server) rejoin(u *user) {
	for _, id := range s.ids() {
		t := s.tables[id]
		if seat := t.seatOf(u.name); seat >= 0 && t.users[seat] == nil && t.returns[seat] && !t.over() {
			s.sit(t, seat, u)
			u.notice("%s", s.say("Rejoined match: "+t.title))
			return
		}
	}
}

// sit seats a user and informs both players.
func (s *Server) sit(t *table, seat int, u *user) {
	t.names[seat], t.users[seat], u.table = u.name, u, t
	if t.first == seat {
		t.first = -1
	}
	u.send(jsonJoined{Type: "joined", Player: u.name, GameID: t.id, PlayerNumber: 1})
	u.send(t.board(seat))
	o := t.users[1-seat]
	o.send(jsonJoined{Type: "joined", Player: u.name, GameID: t.id, PlayerNumber: 2})
	o.send(t.board(1 - seat))
	for _, o := range t.watchers {
		o.send(jsonJoined{Type: "joined", Player: u.name, GameID: t.id, PlayerNumber: seat + 1})
		o.send(t.view())
	}
}

// lost handles the end of a user's connection.
func (s *Server) lost(u *user) {
	if s.users[u.name] != u {
		return
	}
	delete(s.users, u.name)
	if u.watching != nil {
		u.unwatch()
	}
	if u.table != nil {
		s.stand(u, true)
	}
}

// stand empties the seat of a user. With returns the user gets it back by logging in. A seat
// in a running match is kept in any case.
func (s *Server) stand(u *user, returns bool) {
	t := u.table
	seat := t.seatOf(u.name)
	left := jsonLeft{Type: "left", Player: u.name}
	if !returns {
		u.send(left)
	}
	u.table, t.users[seat], t.gone[seat], t.returns[seat] = nil, nil, time.Now(), returns
	if o := t.users[1-seat]; o != nil {
		o.send(left)
		t.first = seat
	}
	for _, o := range t.watchers {
		o.send(left)
	}
	if t.thrown {
		return
	}
	s.archive(t)
	t.names[seat] = ""
	if seat == 0 {
		t.names[0], t.users[0], t.names[1], t.users[1] = t.names[1], t.users[1], "", nil
	}
	if t.users[0] == nil {
		delete(s.tables, t.id)
	}
}

// afterMatch is how long a player may stay alone at a match that is over.
const afterMatch = 2 * time.Minute

// expire ends matches that no player will resume. A player who has waited long enough for the
// opponent has to leave, and a match without players ends at the next sweep. The player who
// left first loses it.
func (s *Server) expire(now time.Time) {
	for _, id := range s.ids() {
		t := s.tables[id]
		if !t.thrown {
			continue
		}
		if limit := s.opts.Inactive; limit > 0 && t.idle < 0 && t.game.turn >= 0 && !t.over() && now.Sub(t.acted) >= limit {
			if t.idle = t.game.turn; t.game.offered {
				t.idle = 1 - t.idle
			}
			t.users[1-t.idle].notice("Your opponent has been inactive for long. You may leave the match and receive a win.")
		}
		if t.players() == 1 {
			seat := 0
			if t.users[0] == nil {
				seat = 1
			}
			wait := s.opts.EmptySeat
			if t.over() {
				wait = afterMatch
			}
			if now.Sub(t.gone[1-seat]) < wait {
				continue
			}
			u := t.users[seat]
			u.notice("%s", s.say("Left completed match."))
			s.stand(u, false)
		}
		emptied := t.gone[0]
		if t.gone[1].After(emptied) {
			emptied = t.gone[1]
		}
		if t.players() == 0 && s.sweeps(now) > s.sweeps(emptied) {
			s.forfeit(t)
			s.archive(t)
			delete(s.tables, id)
		}
	}
}

// sweeps counts the sweeps until a time.
func (s *Server) sweeps(at time.Time) int64 { return int64(at.Sub(s.began) / s.opts.Sweep) }

// forfeit gives the match to the player who was kept waiting for too long, or else who left last.
func (s *Server) forfeit(t *table) {
	loser := t.first
	if t.idle >= 0 {
		loser = t.idle
	}
	if t.record == nil || t.over() || t.started == 0 || loser < 0 {
		return
	}
	g := &t.record.Games[len(t.record.Games)-1]
	g.Lost, g.Winner = true, 1-loser
}

func (s *Server) list(u *user) {
	l := jsonList{Type: "list"}
	for _, id := range s.ids() {
		if t := s.tables[id]; t.players() > 0 {
			l.Games = append(l.Games, t.listing(u.name))
		}
	}
	u.send(l)
}

func refused(u *user, what, reason string) {
	u.send(jsonRefusal{Type: "failed" + what, Reason: reason})
}

// create carries out "create public POINTS VARIANT [NAME]" and "create private PASSWORD ...".
func (s *Server) create(u *user, words []string) {
	if u.table != nil || u.watching != nil {
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
	t := &table{id: s.nextID(), points: points, password: password, bots: u.bot, game: newGame(false), first: -1, idle: -1}
	t.title = titleOf(strings.Join(words[3:], " "), u.name)
	t.names[0], t.users[0] = u.name, u
	s.tables[t.id], u.table = t, t
	u.send(jsonJoined{Type: "joined", Player: u.name, GameID: t.id, PlayerNumber: 1})
	u.send(t.board(0))
	u.notice("%s", s.say("Created match: "+t.title))
}

// join carries out "join ID|PLAYER [PASSWORD]".
func (s *Server) join(u *user, words []string) {
	if u.table != nil || u.watching != nil {
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
	back := -1 // the seat of a match that the user left
	if t != nil && t.thrown && !t.over() {
		back = t.seatOf(u.name)
	}
	switch {
	case t == nil || t.players() == 0:
		refused(u, "join", s.say("Match not found."))
	case t.password != "" && (len(words) < 2 || words[1] != t.password):
		refused(u, "join", s.say("Invalid password."))
	case u.bot && !t.bots:
		refused(u, "join", "Bots are not allowed to join player matches. Please create a match instead.")
	case t.full() && back < 0:
		s.watch(u, t)
	case back >= 0:
		s.sit(t, back, u)
	default:
		t.names[1] = u.name
		t.newMatch()
		s.sit(t, 1, u)
		u.notice("%s", s.say("Joined match: "+t.title))
		s.opts.Log.WithField("match", t.id).Info("match started")
	}
}

// watch makes a user a spectator of a match of two others, who hears no talk.
func (s *Server) watch(u *user, t *table) {
	u.watching = t
	t.watchers = append(t.watchers, u)
	u.send(jsonJoined{Type: "joined", Player: u.name, GameID: t.id, PlayerNumber: 1})
	u.send(t.view())
	u.notice("%s", s.say("Joined match: "+t.title))
	u.notice("%s", s.say("You are a spectator here. What you say reaches no one."))
}

// unwatch ends that.
func (u *user) unwatch() {
	t := u.watching
	u.watching = nil
	t.watchers = slices.DeleteFunc(t.watchers, func(o *user) bool { return o == u })
}

// leave carries out "leave".
func (s *Server) leave(u *user) {
	t := u.table
	if u.watching != nil {
		u.unwatch()
		u.send(jsonLeft{Type: "left", Player: u.name})
		return
	}
	if t == nil {
		refused(u, "leave", s.say("You are not in a match."))
		return
	}
	s.stand(u, false)
}
