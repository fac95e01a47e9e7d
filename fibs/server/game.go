package server

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxDances bounds how many automatic rolls in a row may end in a dance. Two
// closed boards with a checker on each bar would otherwise roll for ever.
const maxDances = 30

// atTable sends one text to player i and another to the opponent and all watchers.
func (m *match) atTable(i int, own, others string) {
	m.seats[i].conn.line(own)
	opponent := m.seats[1-i]
	opponent.hear("%s", others)
	m.toWatchers(others)
}

// toWatchers sends a line to all who watch one of the players.
func (m *match) toWatchers(text string) {
	for _, w := range m.watchers() {
		w.hear("%s", text)
	}
}

// watchers are those of both players.
func (m *match) watchers() []*user { return slices.Concat(m.seats[0].watchers, m.seats[1].watchers) }

// startGame sets up the next game, makes the opening roll and shows the board.
func (s *Server) startGame(m *match) {
	m.Between, m.Joined = false, [2]bool{}
	if !s.opts.KeepSides || len(m.Record.Games) == 0 {
		m.SideO = 1 - m.SideO
	}
	m.Layout = startLayout()
	m.Turn, m.Roll, m.Cube, m.Owner = 0, [2]int{}, 1, 0
	m.Doubling, m.Offered, m.Chain, m.FirstDbl = 0, 0, 0, 0
	m.Resigning, m.ResignFor = 0, 0
	m.CrawGame = m.Length > 1 && m.Crawford && !m.CrawDone && max(m.Score[0], m.Score[1]) == m.Length-1
	m.CrawDone = m.CrawDone || m.CrawGame
	m.trim()
	m.Record.Games = append(m.Record.Games, GameRecord{
		O: m.SideO, Names: m.Record.Players[:], Length: m.Length, Score: m.Score, Crawford: m.CrawGame, Winner: -1,
	})
	for i, u := range m.seats {
		u.set.Toggles.set("double", true)
		u.set.Toggles.set("greedy", false)
		u.set.Toggles.set("moves", false)
		u.say("Starting a new game with %s.", m.name(1-i))
		for _, w := range u.watchers {
			w.hear("Starting a new game with %s.", m.name(1-i))
		}
	}
	s.openingRoll(m)
	m.changed()
}

// openingRoll lets both roll one die until they differ.
func (s *Server) openingRoll(m *match) {
	auto := m.cubeInPlay() && m.seats[0].set.on("autodouble") && m.seats[1].set.on("autodouble")
	for {
		var die [2]int
		die[0], die[1] = s.throw(m)
		for i, u := range m.seats {
			u.say("You rolled %d, %s rolled %d", die[i], m.name(1-i), die[1-i])
			for _, w := range u.watchers {
				w.say("%s rolled %d, %s rolled %d", m.name(i), die[i], m.name(1-i), die[1-i])
			}
		}
		if die[0] == die[1] {
			if auto && m.Cube < 64 {
				m.Cube *= 2
				text := fmt.Sprintf("The number on the doubling cube is now %d", m.Cube)
				for _, u := range m.seats {
					u.conn.line(text)
				}
				m.toWatchers(text)
			}
			continue
		}
		first := bit(die[1] > die[0])
		m.Turn = m.side(first)
		// In the players' order, not the winner's die first: on FIBS both
		// orders occur.
		m.Roll = die
		m.CanMove[first] = m.Layout.demand(m.Turn, m.Roll).Steps
		m.act(Action{Kind: Moved, Side: m.Turn, Roll: m.Roll})
		text := m.name(first) + " makes the first move."
		m.seats[first].say("It's your turn to move.")
		m.seats[1-first].conn.line(text)
		for _, w := range m.watchers() {
			w.conn.line(text)
		}
		s.autoBoards(m, false)
		return
	}
}

// rollsByItself reports whether the player on roll has no choice, so that the server rolls.
func (m *match) rollsByItself() bool { return !m.mayDouble(m.Turn) || !m.onRoll().set.on("double") }

// beginTurn lets the player on roll choose between roll and double, or rolls if there is no
// choice.
func (s *Server) beginTurn(m *match) {
	for range maxDances {
		if !m.rollsByItself() {
			break
		}
		if s.rollDice(m) {
			return
		}
	}
	m.onRoll().say("It's your turn. Please roll or double")
}

// rollDice rolls for the player on turn and reports whether that player must move. After a dance
// it returns false, and the opponent is on roll.
func (s *Server) rollDice(m *match) bool {
	i := m.player(m.Turn)
	u := m.seats[i]
	a, b := s.throw(m)
	m.Roll = [2]int{a, b}
	m.act(Action{Kind: Moved, Side: m.Turn, Roll: m.Roll})
	want := m.Layout.demand(m.Turn, m.Roll)
	m.CanMove[i] = want.Steps
	m.changed()
	m.atTable(i, fmt.Sprintf("You roll %d and %d.", a, b), fmt.Sprintf("%s rolls %d and %d.", u.name, a, b))
	s.autoBoards(m, true)
	if want.Steps == 0 {
		m.atTable(i, "You can't move.", u.name+" can't move.")
		m.played(nil)
		m.Turn, m.Roll = -m.Turn, [2]int{}
		return false
	}
	if s.moveByItself(m, want) {
		return true
	}
	u.say("Please move %d pieces.", want.Steps)
	return true
}

// moveByItself plays greedy bear-offs and forced moves for users who want that, and reports
// whether it did.
func (s *Server) moveByItself(m *match, want Demand) bool {
	u := m.onRoll()
	if u.set.on("greedy") {
		if steps, after, ok := m.Layout.greedy(m.Turn, m.Roll, want); ok {
			var b strings.Builder
			b.WriteString("Bearing off:")
			for _, st := range steps {
				fmt.Fprintf(&b, " %d o", st.From)
			}
			u.conn.line(b.String())
			s.complete(m, steps, after)
			return true
		}
	}
	if u.set.on("automove") {
		if all := m.Layout.plays(m.Turn, m.Roll, 2); len(all) == 1 {
			u.say("The only possible move is %s .", formatSteps(m.Turn, all[0].steps))
			s.complete(m, all[0].steps, all[0].result)
			return true
		}
	}
	return false
}

// greedy bears a checker off with every die if that is possible.
func (l *Layout) greedy(c Colour, roll [2]int, want Demand) ([]Step, Layout, bool) {
	if want.Steps == 0 || l.farthest(c) > 6 {
		return nil, *l, false
	}
	dice := diceOf(roll)
	if len(dice) == 2 && dice[0] < dice[1] {
		dice[0], dice[1] = dice[1], dice[0]
	}
	if want.Only != 0 {
		dice = []int{want.Only}
	}
	at := *l
	var steps []Step
	for _, die := range dice {
		if at.Off(c) == checkersASide {
			break
		}
		from := min(die, at.farthest(c))
		if c == X {
			from = 25 - from
		}
		st, ok := at.mayStep(c, from, die)
		if !ok || st.To != offOf(c) {
			return nil, *l, false
		}
		at.apply(c, st)
		steps = append(steps, st)
	}
	return steps, at, len(steps) == want.Steps
}

// complete makes a legal play: shows it, and passes the turn or ends the game.
func (s *Server) complete(m *match, steps []Step, after Layout) {
	i := m.player(m.Turn)
	u, opponent := m.seats[i], m.seats[1-i]
	m.Layout = after
	m.played(steps)
	text := fmt.Sprintf("%s moves %s .", u.name, formatSteps(m.Turn, steps))
	m.Turn, m.Roll = -m.Turn, [2]int{}
	m.changed()
	if who, kind := m.Layout.winner(); who != 0 {
		opponent.hear("%s", text)
		m.toWatchers(text)
		s.wonGame(m, m.player(who), kind*m.Cube)
		return
	}
	s.autoBoard(u, m, i, false)
	opponent.hear("%s", text)
	// A board before an automatic roll would look like a turn without dice, and programs would
	// roll, too late. The one after the roll follows at once.
	if !m.rollsByItself() || !opponent.set.on("moreboards") {
		s.autoBoard(opponent, m, 1-i, false)
	}
	for j, p := range m.seats {
		for _, w := range p.watchers {
			w.hear("%s", text)
			s.autoBoard(w, m, j, false)
		}
	}
	s.beginTurn(m)
}

// blocked tells a player which answer the game waits for.
func (s *Server) blocked(u *user, m *match) bool {
	i := m.seat(u)
	opponent := m.name(1 - i)
	switch {
	case m.Resigning == m.side(i):
		u.say("** %s hasn't accepted or rejected your resign yet.", opponent)
	case m.Resigning == m.side(1-i):
		u.say("** %s wanted to resign. Type 'accept' or 'reject'.", opponent)
	default:
		return false
	}
	return true
}

func (s *Server) cmdRoll(u *user, m *match, _ string) {
	me := m.side(m.seat(u))
	switch {
	case m.Turn == 0:
		u.say("** The game is already over.")
	case m.Doubling == me:
		u.say("** %s hasn't responded to your double yet.", m.other(u).name)
	case m.Turn != me || m.Doubling != 0:
		u.say("** It's not your turn to roll the dice.")
	case m.Roll[0] != 0:
		u.say("** You did already roll the dice.")
	default:
		if !s.rollDice(m) {
			s.beginTurn(m)
		}
	}
}

func (s *Server) cmdMove(u *user, m *match, args string) {
	me := m.side(m.seat(u))
	switch {
	case m.Turn == 0:
		u.say("** The game is already over.")
	case m.Doubling == me:
		u.say("** %s hasn't responded to your double yet.", m.other(u).name)
	case m.Doubling != 0:
		u.say("** %s doubles. Type 'accept' or 'reject' first.", m.other(u).name)
	case m.Turn != me:
		u.say("** It's not your turn to move.")
	case m.Roll[0] == 0:
		u.say("** You have to roll the dice before moving.")
	default:
		steps, after, err := m.Layout.readMove(me, m.Roll, args)
		var refused rejection
		if errors.As(err, &refused) {
			u.conn.line(string(refused))
			return
		}
		s.complete(m, steps, after)
	}
}

// cmdOff bears off with all dice at once.
func (s *Server) cmdOff(u *user, m *match, _ string) {
	me := m.side(m.seat(u))
	if m.Turn != me || m.Doubling != 0 {
		u.say("** It's not your turn.")
		return
	}
	if m.Roll[0] == 0 {
		u.say("** You have to roll the dice before moving.")
		return
	}
	steps, after, ok := m.Layout.greedy(me, m.Roll, m.Layout.demand(me, m.Roll))
	if !ok {
		u.say("** You can't bear off with every number you have rolled.")
		return
	}
	s.complete(m, steps, after)
}

func (s *Server) cmdBoard(u *user, _ string) {
	switch {
	case u.match != nil:
		s.showBoard(u, u.match, u.match.seat(u), true)
	case u.watching == nil:
		u.say("** You're not playing.")
	case u.watching.match == nil:
		u.say("** %s is not playing.", u.watching.name)
	default:
		m := u.watching.match
		s.showBoard(u, m, m.seat(u.watching), true)
	}
}

func (s *Server) cmdPip(u *user, _ string) {
	of := u
	if u.match == nil {
		of = u.watching
	}
	if of == nil || of.match == nil {
		u.say("** You're not watching or playing.")
		return
	}
	m := of.match
	opponent := m.other(of)
	switch {
	case of == u && !u.set.on("allowpip"):
		u.say("** Type 'toggle allowpip' first.")
		return
	case of == u && !opponent.set.on("allowpip"):
		u.say("** %s doesn't allow this. Ask %s to 'toggle allowpip'", opponent.name, opponent.name)
		return
	case of != u && (!of.set.on("allowpip") || !opponent.set.on("allowpip")):
		u.say("** The players don't allow pipcounts.")
		return
	}
	name := of.name
	if of == u {
		name = "You"
	}
	i := m.seat(of)
	u.say("Pipcounts: %s %d   %s %d", name, m.Layout.Pips(m.side(i)), opponent.name, m.Layout.Pips(m.side(1-i)))
}

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
	s.info("match finished", "winner", name, "loser", loser, "length", length, "score", final)
}

// report informs the users who want reports of other matches.
func (s *Server) report(text string, except ...*user) {
	for _, u := range s.roster {
		skip := !u.set.on("report") || u.conn.crowded()
		for _, e := range except {
			skip = skip || e == u
		}
		if !skip {
			u.hear("%s", text)
		}
	}
}
