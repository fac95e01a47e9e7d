package server

import (
	"fmt"

	"github.com/sirupsen/logrus"
)

// wonGame announces a game won by bearing off and ends it.
func (s *Server) wonGame(m *match, winner, won int) {
	m.seats[winner].say("You win the game and get %s. Congratulations!", points(won))
	m.seats[1-winner].say("%s wins the game and gets %s. Sorry.", m.name(winner), points(won))
	text := fmt.Sprintf("%s wins the game and gets %s.", m.name(winner), points(won))
	for _, w := range m.watchers() {
		w.conn.line(text)
	}
	s.endGame(m, winner, won)
}

// endGame adds the points of a game and starts the next one or ends the match.
func (s *Server) endGame(m *match, winner, won int) {
	g := m.game()
	g.Winner, g.Points = winner, won
	m.Score[winner] += won
	m.Turn, m.Roll = 0, [2]int{}
	m.Doubling, m.Offered, m.Chain, m.FirstDbl = 0, 0, 0, 0
	m.Resigning, m.ResignFor = 0, 0
	m.CrawGame = false
	m.changed()
	s.rememberGame(m)
	for _, u := range m.seats {
		if u.set.on("moves") {
			for _, line := range g.oldmoves() {
				u.conn.line(line)
			}
		}
	}
	if m.Length > 0 && m.Score[winner] >= m.Length {
		s.endMatch(m, winner)
		return
	}
	m.Between = true
	for i, u := range m.seats {
		text := fmt.Sprintf("score in %s match: %s-%d %s-%d", kindOf(m.Length, " "), m.name(i), m.Score[i], m.name(1-i), m.Score[1-i])
		u.conn.line(text)
		u.say("Type 'join' if you want to play the next game, type 'leave' if you don't.")
		for _, w := range u.watchers {
			w.conn.line(text)
		}
	}
}

// endMatch rates both players and removes the match.
func (s *Server) endMatch(m *match, winner int) {
	m.Record.Winner = winner
	accounts := [2]*account{m.seats[0].acct, m.seats[1].acct}
	calc := rateMatch(accounts[winner].Rating, accounts[1-winner].Rating, accounts[winner].Experience, accounts[1-winner].Experience, m.Length)
	for _, u := range m.seats {
		if u.set.on("ratings") {
			for _, line := range calc.lines(accounts, winner, m.Length) {
				u.conn.line(line)
			}
		}
	}
	for i, a := range accounts {
		s.ranking.remove(a)
		if i == winner {
			a.Rating += calc.gain
		} else {
			a.Rating -= calc.loss
		}
		a.Experience += m.Length
		m.Record.After[i] = a.Rating
		s.ranking.add(a)
		s.changedAccount(a)
	}

	name, loser := m.name(winner), m.name(1-winner)
	score := fmt.Sprintf("%d point match %d-%d .", m.Length, m.Score[winner], m.Score[1-winner])
	seats := m.seats
	for i, u := range seats {
		u.conn.gap()
		if i == winner {
			u.say("You win the %s", score)
		} else {
			u.say("%s wins the %s", name, score)
		}
		for _, w := range u.watchers {
			w.say("%s wins the %s", name, score)
		}
	}
	length, final := m.Length, fmt.Sprintf("%d-%d", m.Score[winner], m.Score[1-winner])
	s.suspend(m, "")
	s.remember(m)
	s.report(fmt.Sprintf("%s wins a %d point match against %s  %d-%d .", name, m.Length, loser, m.Score[winner], m.Score[1-winner]), seats[0], seats[1])
	s.pushWho(seats[0], seats[1])
	s.log(func(l logrus.FieldLogger) {
		l.WithFields(logrus.Fields{"winner": name, "loser": loser, "length": length, "score": final}).Info("match finished")
	})
}

// report informs the users who want reports of other matches.
func (s *Server) report(text string, except ...*user) {
	for _, u := range s.roster {
		skip := !u.set.on("report") || u.conn.crowded()
		for _, e := range except {
			skip = skip || e == u
		}
		if !skip {
			u.conn.gap()
			u.conn.line(text)
		}
	}
}
