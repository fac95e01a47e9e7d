package server

import (
	"strconv"
	"strings"
	"time"

	"fibsbot/bgammon/wire"
)

// command carries out one line of a user.
func (s *Server) command(u *user, line string) {
	u.heard = time.Now()
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	if s.trip != nil {
		s.trip(u.name, line)
	}
	word, rest := strings.ToLower(words[0]), words[1:]
	if long, ok := shortcuts[word]; ok {
		word = long
	}
	switch word {
	case "pong":
	case "ls":
		s.list(u)
	case "create":
		s.create(u, rest)
	case "join":
		s.join(u, rest)
	case "leave":
		s.leave(u)
	case "say":
		if t := u.table; t != nil && len(rest) > 0 {
			t.users[1-t.seatOf(u.name)].send(jsonText{Type: "say", Player: u.name, Message: strings.Join(rest, " ")})
		}
	default:
		s.play(u, word, rest)
	}
}

// shortcuts are other words for commands.
var shortcuts = map[string]string{"list": "ls", "c": "create", "j": "join", "l": "leave", "s": "say", "b": "board", "r": "roll",
	"d": "double", "k": "ok", "mv": "move", "m": "move", "rm": "rematch"}

// plays are the commands of a match with two players.
var plays = map[string]func(s *Server, t *table, seat int, u *user, rest []string){
	"board":   func(_ *Server, t *table, seat int, u *user, _ []string) { u.send(t.board(seat)) },
	"roll":    (*Server).roll,
	"double":  (*Server).double,
	"ok":      (*Server).ok,
	"move":    (*Server).move,
	"reset":   (*Server).reset,
	"resign":  (*Server).resign,
	"rematch": (*Server).rematch,
}

// play carries out the commands of a match.
func (s *Server) play(u *user, word string, rest []string) {
	t, do := u.table, plays[word]
	switch {
	case do == nil:
		u.notice("%s", s.say("Unknown command."))
	case u.watching != nil && word == "board":
		u.send(u.watching.view())
	case t == nil || !t.full():
		u.notice("%s", s.say("You are not currently in a match."))
	case word != "board" && s.waits(t, t.seatOf(u.name), u, word): // has refused it
	case t.over() && word != "board" && word != "rematch":
		u.notice("%s", s.say("The match has ended."))
	default:
		do(s, t, t.seatOf(u.name), u, rest)
	}
}

func (s *Server) boards(t *table) {
	t.sendBoards(s.opts.Faults.DoubleBoards, func() bool { n := s.opts.Faults.LateBoards; return n > 0 && s.late.IntN(n) == 0 })
}

// waits refuses what is not allowed while the opponent is away, in part by a notice only.
func (s *Server) waits(t *table, seat int, u *user, word string) bool {
	if t.users[1-seat] != nil {
		return false
	}
	reason := s.say("Please wait until your opponent rejoins the match.")
	switch word {
	case "roll":
		refused(u, "roll", reason)
		return true
	case "move":
		if s.opts.Faults.PlaysOn {
			return false
		}
		u.send(jsonFailedMove{Type: "failedmove", Reason: reason})
		return true
	case "reset":
		return false
	case "ok":
		if s.opts.Faults.PlaysOn {
			return false
		}
	}
	u.notice("%s", reason)
	return true
}

func (s *Server) roll(t *table, seat int, u *user, _ []string) {
	g := t.game
	switch {
	case g.turn < 0 && g.opening[seat] != 0:
		refused(u, "roll", s.say("You have already rolled."))
	case g.turn < 0:
		if g.opening[1-seat] == 0 {
			g.drawn = [2]int{s.dice.IntN(6) + 1, s.dice.IntN(6) + 1}
		}
		g.opening[seat] = g.drawn[seat]
		t.thrown = true
		t.rolled(seat)
		for g.opening[1-seat] == g.opening[seat] {
			g.opening = [2]int{}
			for who := range g.opening {
				g.opening[who] = s.dice.IntN(6) + 1
				t.rolled(who)
			}
		}
		if g.opening[1-seat] == 0 {
			return
		}
		if t.started == 0 {
			t.started = time.Now().Unix()
		}
		g.turn = 0
		if g.opening[1] > g.opening[0] {
			g.turn = 1
		}
		g.throw(g.opening[0], g.opening[1])
		s.boards(t)
	case g.turn != seat || g.offered:
		refused(u, "roll", s.say("It is not your turn to roll."))
	case g.dice[0] != 0:
		refused(u, "roll", s.say("You have already rolled."))
	default:
		g.roll(s.dice)
		t.all(func(_ int, o *user) {
			o.send(jsonRolled{Type: "rolled", Player: t.names[seat], Roll1: g.dice[0], Roll2: g.dice[1]})
		})
		s.boards(t)
	}
}

// rolled reports a die of the opening to both players; each sees the own die first.
func (t *table) rolled(who int) {
	t.all(func(reader int, o *user) {
		o.send(jsonRolled{Type: "rolled", Player: t.names[who], Roll1: t.game.opening[reader], Roll2: t.game.opening[1-reader]})
	})
}

func (s *Server) double(t *table, seat int, u *user, _ []string) {
	if t.game.turn != seat || !t.mayDouble() {
		u.notice("%s", s.say("You may not double at this time."))
		return
	}
	t.game.offered = true
	t.act(Act{Seat: seat, Kind: Doubled})
	points := strconv.Itoa(2 * t.game.cube)
	u.notice("%s", s.say("Double offered to opponent ("+points+" points)."))
	t.users[1-seat].notice("%s", s.say(u.name+" offers a double ("+points+" points)."))
	s.boards(t)
}

// ok takes a double or ends a turn.
func (s *Server) ok(t *table, seat int, u *user, _ []string) {
	g := t.game
	switch {
	case g.offered && g.turn == 1-seat:
		g.offered, g.cube, g.owner = false, 2*g.cube, seat
		t.act(Act{Seat: seat, Kind: Took})
		u.notice("%s", s.say("Accepted double."))
		t.users[1-seat].notice("%s", s.say(u.name+" accepted double."))
		s.boards(t)
	case g.turn != seat || g.dice[0] == 0:
		refused(u, "ok", s.say("It is not your turn."))
	case len(g.available()) > 0:
		refused(u, "ok", s.say("A legal move is left."))
	default:
		t.act(Act{Seat: seat, Kind: Played, Dice: g.dice, Hops: g.hops})
		g.pass()
		s.boards(t)
	}
}

// parseHop reads "8/5", "bar/20" or "4/off".
func parseHop(word string) (wire.Hop, bool) {
	from, to, ok := strings.Cut(strings.ToLower(word), "/")
	h := wire.Hop{From: wire.OwnBar, To: wire.OwnHome}
	if !ok {
		return h, false
	}
	var err error
	if from != "bar" && from != "b" {
		if h.From, err = strconv.Atoi(from); err != nil || h.From < 1 || h.From > 24 {
			return h, false
		}
	}
	if to != "off" && to != "o" {
		if h.To, err = strconv.Atoi(to); err != nil || h.To < 1 || h.To > 24 {
			return h, false
		}
	}
	return h, true
}

func (s *Server) move(t *table, seat int, u *user, words []string) {
	g := t.game
	if g.turn != seat || g.dice[0] == 0 {
		u.send(jsonFailedMove{Type: "failedmove", Reason: s.say("It is not your turn to move.")})
		return
	}
	if len(words) == 0 || len(words) > 4 {
		u.send(jsonFailedMove{Type: "failedmove", Reason: s.say("Specify one or more moves in the form FROM/TO.")})
		return
	}
	for _, w := range words {
		h, ok := parseHop(w)
		n := len(g.hops)
		if !ok || !g.move(h) {
			u.send(jsonFailedMove{Type: "failedmove", From: h.From, To: h.To, Reason: s.say("Illegal move.")})
			return
		}
		made := g.hops[n:]
		t.all(func(reader int, o *user) {
			o.send(jsonMoved{Type: "moved", Player: u.name, Moves: pairs(made, seat, reader)})
		})
		if p := g.seen(seat); p[wire.OwnHome] == 15 {
			g.winner = seat
			t.act(Act{Seat: seat, Kind: Played, Dice: g.dice, Hops: g.hops})
			s.boards(t)
			t.finish(seat, g.cube*p.mirror().worth(), false, time.Now())
		}
		s.boards(t)
		if g.winner >= 0 {
			return
		}
	}
}

func (s *Server) reset(t *table, seat int, u *user, _ []string) {
	g := t.game
	if g.turn != seat || g.dice[0] == 0 || len(g.hops) == 0 {
		u.notice("%s", s.say("There is nothing to take back."))
		return
	}
	var back []wire.Hop
	for i := len(g.hops) - 1; i >= 0; i-- {
		back = append(back, wire.Hop{From: g.hops[i].To, To: g.hops[i].From})
	}
	g.reset()
	t.all(func(reader int, o *user) {
		o.send(jsonMoved{Type: "moved", Player: u.name, Moves: pairs(back, seat, reader)})
	})
	s.boards(t)
}

// resign passes a double, or resigns the game on the own turn. The position sets the price.
func (s *Server) resign(t *table, seat int, u *user, _ []string) {
	g := t.game
	o := t.users[1-seat]
	switch {
	case g.offered && g.turn == 1-seat:
		t.act(Act{Seat: seat, Kind: Dropped})
		u.notice("%s", s.say("Declined double offer."))
		o.notice("%s", s.say(u.name+" declined double offer."))
	case g.turn == seat && !g.offered:
		t.act(Act{Seat: seat, Kind: Resigned})
		u.notice("%s", s.say("Resigned."))
		o.notice("%s", s.say(u.name+" resigned."))
	default:
		u.notice("%s", s.say("You may not resign until it is your turn."))
		return
	}
	t.finish(1-seat, g.cube*g.seen(seat).worth(), true, time.Now())
	s.boards(t)
}

func (s *Server) rematch(t *table, seat int, u *user, _ []string) {
	if !t.over() {
		u.notice("%s", s.say("The match you are in is still in progress."))
		return
	}
	t.again[seat] = true
	if !t.again[1-seat] {
		u.notice("%s", s.say("Rematch offer sent."))
		t.users[1-seat].notice("%s", s.say("Your opponent would like to play again."))
		return
	}
	s.archive(t)
	t.newMatch()
	t.both(func(reader int, o *user) {
		o.send(jsonJoined{Type: "joined", Player: t.names[reader], GameID: t.id, PlayerNumber: 1})
		o.send(jsonJoined{Type: "joined", Player: t.names[1-reader], GameID: t.id, PlayerNumber: 2})
		o.send(t.board(reader))
	})
	for _, u := range t.watchers {
		u.send(t.view())
	}
}
