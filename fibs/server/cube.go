package server

import "fmt"

// points writes "1 point" or "n points".
func points(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}

// answers lists what the player asked may type.
func (m *match) answers() string {
	if m.Chain < m.Redoubles {
		return "'accept', 'reject' or 'redouble'"
	}
	return "'accept' or 'reject'"
}

// waits is the same for the player who waits.
func (m *match) waits() string {
	if m.Chain < m.Redoubles {
		return "accept, reject or redouble"
	}
	return "accept or reject"
}

func (s *Server) cmdDouble(u *user, m *match, _ string) {
	_, me, opponent := m.placeOf(u)
	switch {
	case m.Turn == 0:
		u.say("** The game is already over.")
		return
	case m.Doubling != 0:
		u.say("** It's not your turn to double")
		return
	case m.Turn != me:
		u.say("** Please wait until %s has moved.", opponent.name)
		return
	case m.Roll[0] != 0:
		u.say("** You can only double before you roll the dice.")
		return
	case m.CrawGame:
		u.say("** The Crawford rule doesn't allow you to double in this game.")
		return
	case m.Length == 1:
		u.say("** You can't double in a 1 point match.")
		return
	case m.Owner == -me:
		u.say("** It's not your turn to double")
		return
	case m.Cube >= 1<<20:
		u.say("** The cube is large enough.")
		return
	}
	m.Doubling, m.FirstDbl, m.Offered, m.Chain = me, me, 2*m.Cube, 0
	m.act(Action{Kind: Doubled, Side: me, Value: m.Offered})
	m.changed()
	u.say("You double. Please wait for %s to %s.", opponent.name, m.waits())
	opponent.hear("%s doubles. Type %s.", u.name, m.answers())
	m.toWatchers(u.name + " doubles.")
}

// cmdRedouble takes a double and redoubles at once. The words beaver, raccoon and otter mean the
// first, second and third time.
func cmdRedouble(word string) func(*Server, *user, *match, string) {
	order := map[string]int{"beaver": 0, "raccoon": 1, "otter": 2}
	animals := []string{"beaver", "raccoon", "otter"}
	return func(_ *Server, u *user, m *match, _ string) {
		_, me, opponent := m.placeOf(u)
		switch {
		case m.Length != 0:
			u.say("** Instant redoubles are only available for unlimited matches.")
			return
		case m.Doubling != -me || m.Chain >= m.Redoubles || m.Offered >= 1<<20:
			u.say("** You are not allowed to redouble.")
			return
		}
		if n, named := order[word]; named && n != m.Chain {
			right := "'redouble'"
			if m.Chain < len(animals) {
				right = "'" + animals[m.Chain] + "' or 'redouble'"
			}
			u.say("** This redouble is not a%s %s. Please type %s.", map[string]string{"otter": "n"}[word], word, right)
			return
		}
		m.Cube = m.Offered
		m.Doubling, m.Offered = me, 2*m.Cube
		m.Chain++
		m.act(Action{Kind: Redouble, Side: me, Value: m.Offered})
		m.changed()
		u.say("You accept the double to %d and redouble.", m.Offered)
		u.say("Please wait for %s to %s.", opponent.name, m.waits())
		opponent.hear("%s redoubles to %d. Type %s.", u.name, m.Offered, m.answers())
		m.toWatchers(u.name + " redoubles.")
	}
}

func (s *Server) cmdAccept(u *user, m *match, _ string) {
	i := m.seat(u)
	me := m.side(i)
	switch {
	case m.Resigning == -me:
		won := m.ResignFor * m.Cube
		m.act(Action{Kind: Accepted, Side: me})
		u.say("You accept and win %s.", points(won))
		text := fmt.Sprintf("%s accepts and wins %s.", u.name, points(won))
		m.seats[1-i].conn.line(text)
		m.toWatchers(text)
		s.endGame(m, i, won)
	case m.Resigning == me:
		s.blocked(u, m)
	case m.Doubling == -me:
		s.takeDouble(m, u)
	default:
		u.say("** %s didn't double or resign.", m.other(u).name)
	}
}

// takeDouble accepts the double; the player who began doubling rolls.
func (s *Server) takeDouble(m *match, u *user) {
	_, me, opponent := m.placeOf(u)
	m.Cube = m.Offered
	// The cube belongs to the player who was doubled first, also after a beaver and a raccoon.
	word := "double"
	m.Owner = -m.FirstDbl
	if m.Chain > 0 {
		word = "redouble"
	}
	m.Turn = m.FirstDbl
	m.Doubling, m.Offered, m.Chain, m.FirstDbl = 0, 0, 0, 0
	m.act(Action{Kind: Accepted, Side: me})
	m.changed()
	u.conn.unended(fmt.Sprintf("You accept the %s. The cube shows %d.", word, m.Cube))
	opponent.conn.unended(fmt.Sprintf("%s accepts the %s. The cube shows %d.", u.name, word, m.Cube))
	m.toWatchers(fmt.Sprintf("%s accepts the %s.", u.name, word))
	if !s.rollDice(m) {
		s.beginTurn(m)
	}
}

func (s *Server) cmdReject(u *user, _ string) {
	m := u.match
	if m == nil {
		u.say("** You're not playing, so you can't give up.")
		return
	}
	i, me, opponent := m.placeOf(u)
	switch {
	case m.Resigning == -me:
		m.Resigning, m.ResignFor = 0, 0
		m.act(Action{Kind: Rejected, Side: me})
		m.changed()
		u.say("You reject. The game continues.")
		text := u.name + " rejects. The game continues."
		opponent.conn.line(text)
		m.toWatchers(text)
		s.rollIfDue(m)
	case m.Resigning == me:
		s.blocked(u, m)
	case m.Doubling == -me:
		won := m.Offered / 2
		m.act(Action{Kind: Rejected, Side: me})
		u.say("You give up. %s wins %s.", opponent.name, points(won))
		opponent.hear("%s gives up. You win %s.", u.name, points(won))
		m.toWatchers(fmt.Sprintf("%s gives up. %s wins %s.", u.name, opponent.name, points(won)))
		s.endGame(m, 1-i, won)
	default:
		u.say("** %s didn't double or resign.", opponent.name)
	}
}

// rollIfDue makes the automatic roll of a player without a choice, after a resume or a refused
// resignation. Real FIBS forgets it.
func (s *Server) rollIfDue(m *match) {
	if m.Turn == 0 || m.Roll[0] != 0 || m.Doubling != 0 || m.Resigning != 0 {
		return
	}
	if m.mayDouble(m.Turn) && m.onRoll().set.on("double") {
		return
	}
	if s.chance(s.opts.Quirks.ForgetRoll) {
		return
	}
	s.beginTurn(m)
}

func (s *Server) cmdResign(u *user, m *match, args string) {
	_, me, opponent := m.placeOf(u)
	kind := map[byte]int{'n': 1, '1': 1, 'g': 2, '2': 2, 'b': 3, '3': 3}[(args + " ")[0]]
	switch {
	case m.Resigning == me:
		u.say("** You already did that.")
	case m.Resigning != 0:
		s.blocked(u, m)
	case m.Turn == 0:
		u.say("** The game is already over.")
	case kind == 0:
		u.say("** Type 'n' (normal), 'g' (gammon) or 'b' (backgammon) after resign.")
	case m.Doubling == me:
		u.say("** %s hasn't responded to your double yet.", opponent.name)
	default:
		m.Resigning, m.ResignFor = me, kind
		won := kind * m.Cube
		m.act(Action{Kind: Resigned, Side: me, Value: won})
		m.changed()
		u.say("You want to resign. %s will win %s.", opponent.name, points(won))
		opponent.hear("%s wants to resign. You will win %s. Type 'accept' or 'reject'.", u.name, points(won))
		m.toWatchers(fmt.Sprintf("%s wants to resign. %s will win %s.", u.name, opponent.name, points(won)))
	}
}
