package wire

import "fmt"

// Places of the 28 numbers of a board that are not points.
const (
	OwnHome   = 0
	TheirHome = 25
	OwnBar    = 26
	TheirBar  = 27
	// Places is how many numbers a board has.
	Places = 28
)

// Mirror returns a place as the other player numbers it.
func Mirror(place int) int {
	switch place {
	case OwnHome:
		return TheirHome
	case TheirHome:
		return OwnHome
	case OwnBar:
		return TheirBar
	case TheirBar:
		return OwnBar
	}
	return 25 - place
}

// MaxPoints is the longest match of the protocol.
const MaxPoints = 127

// maxCube bounds the cube: a match of MaxPoints is over before it gets there.
const maxCube = 1 << 12

// Seat is a player on a board.
type Seat struct {
	Name string
	// Points is the score, Rating 0 for guests.
	Points, Rating int
	// Inactive is the time in seconds that the player has taken in all.
	Inactive int
}

// Crawford is the state of the Crawford rule, as the server counts it.
type Crawford int

// States of the Crawford rule.
const (
	CrawfordToCome Crawford = iota
	CrawfordNow
	CrawfordOver
)

// Turns of a board.
const (
	// TurnNobody: both players must roll one die for the opening.
	TurnNobody = 0
	// TurnOwn is the reader's turn.
	TurnOwn = 1
	// TurnTheirs is the opponent's.
	TurnTheirs = 2
)

// Board is the state of a match, seen from its reader. Only boards are believed.
type Board struct {
	// Own and Opponent are the players; an empty name is an empty seat.
	Own, Opponent Seat
	// Points is the length of the match, 1 to [MaxPoints].
	Points int
	// Variant is 0 for backgammon.
	Variant int
	// Checkers are the 28 places: positive for the reader's, negative for the
	// opponent's, the homes and bars included.
	Checkers [Places]int
	// Turn is one of the Turn constants.
	Turn int
	// Die1 and Die2 are 0 while nothing is rolled; one of them is at the opening.
	Die1, Die2 int
	// Hops were made in this turn, Available are the legal single hops now, both in
	// the reader's numbering also for the opponent's turn.
	Hops, Available []Hop
	// Winner is 0, 1 for the reader or 2.
	Winner   int
	Crawford Crawford
	// Cube is the value, CubeOwner 0 for the centre, 1 for the reader or 2. Offered reports
	// that the player on turn has doubled and waits for an answer.
	Cube, CubeOwner int
	Offered         bool
	// Started and Ended are unix seconds, 0 for not yet. A board between two games
	// may have an end.
	Started, Ended int64
	Spectating     bool
}

// MatchOver reports whether the score has reached the length.
func (b *Board) MatchOver() bool { return b.Own.Points >= b.Points || b.Opponent.Points >= b.Points }

// Full reports whether both seats are taken.
func (b *Board) Full() bool { return b.Own.Name != "" && b.Opponent.Name != "" }

// check returns an error for an impossible board, with the field. Fewer than 15 checkers are
// allowed: other variants have fewer.
func (b *Board) check() error {
	own, theirs := 0, 0
	for place, n := range b.Checkers {
		if n > 15 || n < -15 {
			return fmt.Errorf("key Board[%d] = %d", place, n)
		}
		if n > 0 {
			own += n
		} else {
			theirs -= n
		}
	}
	if b.Checkers[OwnHome] < 0 || b.Checkers[OwnBar] < 0 || b.Checkers[TheirHome] > 0 || b.Checkers[TheirBar] > 0 {
		return fmt.Errorf("key Board: a checker in the wrong home or on the wrong bar")
	}
	for _, v := range []struct {
		field         string
		value, lo, hi int
	}{
		{"checkers", own, 0, 15}, {"opposing checkers", theirs, 0, 15},
		{"Turn", b.Turn, 0, 2}, {"Roll1", b.Die1, 0, 6}, {"Roll2", b.Die2, 0, 6},
		{"Points", b.Points, 1, MaxPoints}, {"Winner", b.Winner, 0, 2},
		{"Crawford", int(b.Crawford), 0, 2}, {"DoubleValue", b.Cube, 1, maxCube}, {"DoublePlayer", b.CubeOwner, 0, 2},
		{"Player1.Points", b.Own.Points, 0, 3 * maxCube}, {"Player2.Points", b.Opponent.Points, 0, 3 * maxCube},
	} {
		if v.value < v.lo || v.value > v.hi {
			return fmt.Errorf("%s = %d, not %d to %d", v.field, v.value, v.lo, v.hi)
		}
	}
	if b.Cube&(b.Cube-1) != 0 {
		return fmt.Errorf("DoubleValue = %d, not a power of two", b.Cube)
	}
	return nil
}
