package server

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// match is two players' match, running or saved. The exported fields are what
// is saved on disk. Players are numbered: 0 invited, 1 joined.
type match struct {
	Length    int `json:"length"` // 0 is unlimited
	Score     [2]int
	Crawford  bool `json:"crawford"`      // the rule is in force
	CrawGame  bool `json:"crawford_game"` // this is the Crawford game
	CrawDone  bool `json:"crawford_done"` // it was begun or played
	Redoubles int  `json:"redoubles"`     // instant redoubles allowed in a row; 0 none

	Between bool    `json:"between"` // waiting for join
	Joined  [2]bool `json:"joined"`

	Layout    Layout `json:"layout"`
	SideO     int    `json:"side_o"` // which player is O
	Turn      Colour `json:"turn"`   // 0 between games
	Roll      [2]int `json:"roll"`   // 0 0 before the roll
	Cube      int    `json:"cube"`
	Owner     Colour `json:"owner"`      // 0 in the middle
	Doubling  Colour `json:"doubling"`   // who waits for an answer to a double
	Offered   int    `json:"offered"`    // the cube if the double is taken
	Chain     int    `json:"chain"`      // instant redoubles so far in this exchange
	FirstDbl  Colour `json:"first_dbl"`  // who began the exchange: he rolls after it
	Resigning Colour `json:"resigning"`  // who waits for an answer to a resignation
	ResignFor int    `json:"resign_for"` // 1, 2 or 3
	CanMove   [2]int `json:"can_move"`   // field 49, stale as on FIBS

	DiceState []byte      `json:"dice_state,omitempty"`
	Dropped   string      `json:"dropped,omitempty"` // whose line broke; he gets it back by himself
	Record    MatchRecord `json:"record"`

	home    *Server
	dice    Dice
	running bool
	written int      // so many games are on disk as they ended
	seats   [2]*user // when running
}

func (m *match) name(i int) string { return m.Record.Players[i] }

func (m *match) pair() pair { return pairOf(m.name(0), m.name(1)) }

// side is the colour of a player.
func (m *match) side(i int) Colour {
	if i == m.SideO {
		return O
	}
	return X
}

// player returns the number of the player of a colour.
func (m *match) player(c Colour) int {
	if c == O {
		return m.SideO
	}
	return 1 - m.SideO
}

// seat is the number of a user in his match.
func (m *match) seat(u *user) int {
	if m.seats[1] == u {
		return 1
	}
	return 0
}

// placeOf returns number, colour and opponent of a user in his match.
func (m *match) placeOf(u *user) (i int, me Colour, opponent *user) {
	i = m.seat(u)
	return i, m.side(i), m.seats[1-i]
}

func (m *match) other(u *user) *user { return m.seats[1-m.seat(u)] }

// onRoll returns the user on turn.
func (m *match) onRoll() *user { return m.seats[m.player(m.Turn)] }

// cubeInPlay reports whether doubling is allowed in this game.
func (m *match) cubeInPlay() bool { return m.Length != 1 && !m.CrawGame }

// mayDouble reports whether c may double before rolling.
func (m *match) mayDouble(c Colour) bool {
	return m.cubeInPlay() && m.Doubling == 0 && (m.Owner == 0 || m.Owner == c)
}

// kindOf is "5 point", with that between its parts, or "unlimited".
func kindOf(length int, between string) string {
	if length == 0 {
		return "unlimited"
	}
	return strconv.Itoa(length) + between + "point"
}

// aKindOf is "5 point" or "unlimited" with its article.
func aKindOf(length int) string {
	if length == 0 {
		return "an unlimited"
	}
	return "a " + kindOf(length, " ")
}

func byNumber(a, b *match) int { return cmp.Compare(a.Record.Number, b.Record.Number) }

// openMatches lists running and saved matches by number.
func (s *Server) openMatches() []*match {
	return slices.SortedFunc(maps.Values(s.saved), byNumber)
}

// runningMatches lists running matches by number. It iterates over the users on line, since there
// may be many more saved matches.
func (s *Server) runningMatches() []*match {
	var list []*match
	for _, u := range s.roster {
		if m := u.match; m != nil && m.seats[0] == u {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, byNumber)
	return list
}

// savedOf lists the matches a player has open, by number.
func (s *Server) savedOf(name string) []*match {
	a := s.accounts[key(name)]
	if a == nil {
		return nil
	}
	return slices.SortedFunc(slices.Values(a.open), byNumber)
}

// addMatch adds a match to the world.
func (s *Server) addMatch(m *match) {
	s.saved[m.pair()] = m
	for i := range 2 {
		a := s.accounts[key(m.name(i))]
		a.open = append(a.open, m)
	}
	s.recorded += m.recorded()
}

// removeMatch removes a match from the world.
func (s *Server) removeMatch(m *match) {
	delete(s.saved, m.pair())
	for i := range 2 {
		a := s.accounts[key(m.name(i))]
		if at := slices.Index(a.open, m); at >= 0 {
			a.open = slices.Delete(a.open, at, at+1)
		}
	}
	s.recorded -= m.recorded()
	s.removeSaved(m)
}

// opponentOf is the name of the other player of a match.
func (m *match) opponentOf(name string) string {
	if key(m.name(0)) == key(name) {
		return m.name(1)
	}
	return m.name(0)
}

// newMatch makes the match of two users and adds it to the world. It drops a saved match of the
// pair, as FIBS does.
func (s *Server) newMatch(inviter, joiner *user, length int) *match {
	if old := s.saved[pairOf(inviter.name, joiner.name)]; old != nil {
		old.Record.Replaced = true
		s.remember(old)
	}
	s.begun++
	m := &match{
		home: s, Length: length, Cube: 1,
		Crawford: inviter.set.on("crawford") || joiner.set.on("crawford"),
		Record: MatchRecord{
			Number: s.begun, Players: [2]string{inviter.name, joiner.name}, Length: length,
			Started: s.opts.Now(), Winner: -1,
			Before: [2]float64{inviter.acct.Rating, joiner.acct.Rating},
		},
	}
	if length == 0 {
		m.Redoubles = mostRedoubles
		for _, u := range []*user{inviter, joiner} {
			if n := int(u.set.Redoubles); n != unlimitedRedoubles {
				m.Redoubles = min(m.Redoubles, n)
			}
		}
	}
	m.dice = s.diceFor(m)
	if s.opts.KeepSides {
		m.SideO = bit(key(m.name(0)) < key(m.name(1))) // the first game swaps it
	} else {
		m.SideO = bit(m.dice.Swap())
	}
	s.addMatch(m)
	m.changed()
	return m
}

// mostRedoubles bounds the redoubles of players without a limit, so that a cube stays a number.
const mostRedoubles = 12

// diceFor makes or restores the dice of a match.
func (s *Server) diceFor(m *match) Dice {
	if s.opts.Dice != nil {
		return s.opts.Dice(m.name(0), m.name(1), m.Record.Number)
	}
	d := newRandomDice(s.opts.Seed, key(m.name(0)), key(m.name(1)), m.Record.Number)
	d.restore(m.DiceState)
	return d
}

// seatPlayers makes a match run with both users in their places.
func (s *Server) seatPlayers(m *match) bool {
	for i := range m.seats {
		u := s.users[key(m.name(i))]
		if u == nil || u.match != nil {
			return false
		}
		m.seats[i] = u
	}
	for _, u := range m.seats {
		u.match = m
		u.invited = invitation{}
		s.stopWatching(u, true)
	}
	m.running = true
	m.Dropped = ""
	m.changed()
	return true
}

// suspend ends a running match, which stays saved. dropped is the player whose connection broke,
// or empty if a player left on purpose.
func (s *Server) suspend(m *match, dropped string) {
	m.running = false
	m.Dropped = dropped
	for i, u := range m.seats {
		if u != nil {
			u.match = nil
		}
		m.seats[i] = nil
	}
	if s.recorded > maxRecorded {
		m.letGo(1)
	}
	m.changed()
}

// remember adds a finished match to the records.
func (s *Server) remember(m *match) {
	s.removeMatch(m)
	r := m.Record
	r.Score = m.Score
	r.Ended = s.opts.Now()
	s.finished = append(s.finished, r)
	s.finishedActions += m.recorded()
	over := max(0, len(s.finished)-s.opts.KeepMatches)
	for i, old := range s.finished {
		if i >= over && (s.finishedActions <= actionsPerMatch*s.opts.KeepMatches || i == len(s.finished)-1) {
			over = i
			break
		}
		s.finishedActions -= old.actions()
	}
	if over > 0 {
		s.finished = append(s.finished[:0:0], s.finished[over:]...)
	}
}

// rememberGame keeps the last game of a pair for oldmoves, a bounded number.
func (s *Server) rememberGame(m *match) {
	p := m.pair()
	if old := s.lastGame[p]; old != nil {
		s.lastActions -= len(old.Actions)
	}
	g := *m.game()
	s.lastGame[p] = &g
	s.lastActions += len(g.Actions)
	for old, game := range s.lastGame {
		if len(s.lastGame) <= s.opts.KeepMatches && s.lastActions <= actionsPerGame*s.opts.KeepMatches {
			break
		}
		if old != p {
			s.lastActions -= len(game.Actions)
			delete(s.lastGame, old)
		}
	}
}
