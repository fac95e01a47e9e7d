package server

import "fibsbot/bgammon/wire"

// ActKind says what a player did.
type ActKind int

// Kinds of acts.
const (
	Played ActKind = iota
	Doubled
	Took
	Dropped
	Resigned
)

// Act is one thing that a player did in a game.
type Act struct {
	// Seat is 0 for the one who created the match, 1 for the other.
	Seat int
	Kind ActKind
	// Dice and Hops of a Played act, in the player's own numbering. A dance has no
	// hops.
	Dice [2]int
	Hops []wire.Hop
}

// Game is the record of one game. Points is what the winner got, 0 during the game; Winner is
// the winner's seat.
type Game struct {
	Acts     []Act
	Crawford bool
	Winner   int
	Points   int
	Resigned bool
	// Lost reports that the loser left the match.
	Lost bool
}

// Match is the server's own record of a match.
type Match struct {
	ID     int
	Points int
	Names  [2]string
	Score  [2]int
	Games  []Game
	// Over reports that a player has reached the length; Ended that the match cannot be
	// resumed.
	Over, Ended bool
}

// clone is a copy that shares nothing.
func (m *Match) clone() Match {
	c := *m
	c.Games = make([]Game, len(m.Games))
	for i, g := range m.Games {
		c.Games[i] = g
		c.Games[i].Acts = append([]Act(nil), g.Acts...)
	}
	return c
}
