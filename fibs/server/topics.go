package server

import (
	_ "embed"
	"fmt"
	"strings"
)

// zoneNames are the zones of the IANA time zone database that countries use now (tzdata
// 2025, zone1970.tab, public domain) and UTC, one a line.
//
//go:embed zones.txt
var zoneNames string

// topics are texts of the help, and of the commands of that name.
var topics = map[string]string{
	"autologin": `
  'connect NAME PASSWORD' at the login prompt logs in without further prompts,
  for programs with a separate input line.`,
	"boardstyle": `
  'set boardstyle 1' and '2' draw the board, '3' sends it as one line of numbers,
  which programs read.`,
	"commands": `
  A command may be abbreviated as long as only one command begins with it:
  'res' is resign, 're' is refused because it could also be reject. Shortcuts are b (board),
  i (invite), k (kibitz), m (move), r (roll), s (say), t (tell), w (who) and
  wh (whisper). '!!' repeats the last command, unless it was talk. Before the
  numbers of a play, 'move' may be left out.`,
	"sortwho": `
  'set sortwho login', 'name', 'rating' or 'rrating' orders the list of who: by
  the time of the login, the name, or the rating, the highest or lowest first.`,
	"complaints": `
  This server has no judge. 'gag NAME' hides a user's talk from you, 'blind
  NAME' stops a user from watching you. If that is not enough, write to the
  operator of the server.`,
	"crawford": `
  When a player comes within one point of the match, the next game is the
  Crawford game: no one may double in it. Afterwards the cube is back in
  play. The rule holds unless both players have switched it off by 'toggle
  crawford'.`,
	"erase": `
  A player cannot erase a saved match alone. Both play it to its end
  ('invite NAME'), or agree to a new match ('invite NAME LENGTH'), whose
  beginning drops the old one.`,
	"formula": `
  D is the difference of the ratings, N the length of the match. The
  underdog wins with the probability Pu=1/(10^(D*sqrt(N)/2000)+1). P is 1-Pu
  if the underdog has won and Pu if the favourite has. The winner gains and
  the loser loses 4*K*sqrt(N)*P points, with K=max(1, 5-experience/100) of
  each player. New users start at 1500, and experience grows by N. Unlimited
  matches are not rated.`,
	"hostnames": `
  Lists show where a user connects from. This server does not look up names:
  it shows the address of the connection, or of the proxy in between.`,
	"names": `
  A name has 1 to 20 letters or underscores; upper and lower case are the
  same name. In most commands the first letters of a name are enough if they
  fit one user on line: 'tell ma Hi!' reaches mary if no other name begins
  with ma. Commands about users who may be absent ('last', 'message',
  'ratings') need the whole name.`,
	"panic": `
  'board' shows the match, and whose turn it is. 'cls' clears a garbled
  screen. If the opponent does not answer, 'leave' saves the match. 'bye'
  logs out. A running match is saved then, and also when your connection
  breaks.`,
	"rules": `
  Each player moves fifteen checkers round the board into the home board,
  the own points 6 to 1, and then bears them off. The two dice are played one
  after the other, equal ones twice each. A point with two or more checkers
  of the opponent is closed. A single checker that is hit starts again from
  the bar, before another may move. Both dice must be played if possible,
  else the larger one. A player whose checkers are all at home may bear off.
  The loser of a game pays the value of the cube: twice that (gammon) without
  a checker borne off, three times (backgammon) if one is also on the bar or
  in the winner's home board. A player may double before rolling: the
  opponent accepts and then owns the cube, or rejects and loses its present
  value. The first player with as many points as the match is long wins it.`,
}

// sayAll sends a text of several lines.
func (u *user) sayAll(text string) {
	for line := range strings.Lines(strings.TrimPrefix(text, "\n")) {
		u.conn.line(strings.TrimRight(line, "\n"))
	}
}

// cmdTopic returns a command that sends a help text.
func cmdTopic(name string) func(*Server, *user, string) {
	return func(_ *Server, u *user, _ string) { u.sayAll(topics[name]) }
}

// cmdPanic explains how to continue, and whose turn it is.
func (s *Server) cmdPanic(u *user, _ string) {
	if m := u.match; m != nil && !m.Between {
		who := "you"
		if on := m.onRoll(); on != u {
			who = on.name
		}
		u.say("You are playing with %s; it is the turn of %s.", m.other(u).name, who)
	}
	u.sayAll(topics["panic"])
}

// cmdClear clears the screen of a VT100 terminal. The line is ended for programs.
func (s *Server) cmdClear(u *user, _ string) { u.conn.line("\x1b[H\x1b[2J") }

func (s *Server) cmdTimezones(u *user, _ string) { u.zones() }

// zones lists the time zones, three in a line.
func (u *user) zones() {
	row := ""
	for i, name := range strings.Fields(zoneNames) {
		if i > 0 && i%3 == 0 {
			u.conn.line(strings.TrimRight(row, " "))
			row = ""
		}
		row += fmt.Sprintf("%-26s ", name)
	}
	u.conn.line(strings.TrimRight(row, " "))
}

// throw rolls the dice of a match and counts them for the command dicetest.
func (s *Server) throw(m *match) (a, b int) {
	a, b = m.dice.Roll()
	if a >= 1 && a <= 6 && b >= 1 && b <= 6 { // those of Options.Dice are the embedding program's
		s.thrown[a-1][b-1]++
	}
	return a, b
}

// cmdDicetest shows the rolls since the server's start, compared with fair dice.
func (s *Server) cmdDicetest(u *user, _ string) {
	rolls, doubles, faces := 0, 0, [6]int{}
	for a, row := range s.thrown {
		for b, n := range row {
			rolls += n
			faces[a] += n
			faces[b] += n
		}
		doubles += row[a]
	}
	u.say("Rolls since %s: %d", s.born.In(u.set.zone()).Format("Mon Jan _2 15:04:05 MST"), rolls)
	if rolls == 0 {
		return
	}
	u.say("Doubles: %d (%.2f%%, expected 16.67%%)", doubles, 100*float64(doubles)/float64(rolls))
	chi := 0.0
	for i, n := range faces {
		want := float64(rolls) / 3
		chi += (float64(n) - want) * (float64(n) - want) / want
		u.say("Die %d: %d (%.2f%%, expected 16.67%%)", i+1, n, 50*float64(n)/float64(rolls))
	}
	u.say("Chi-square of the dice: %.2f (5 degrees of freedom; above 11.07 in one of 20 tests of fair dice)", chi)
	chi = 0
	for _, row := range s.thrown {
		for _, n := range row {
			want := float64(rolls) / 36
			chi += (float64(n) - want) * (float64(n) - want) / want
		}
	}
	u.say("Chi-square of the rolls: %.2f (35 degrees of freedom; above 49.80 in one of 20 tests)", chi)
}
