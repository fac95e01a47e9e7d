package sheet

import "fibsbot/engine/match"

// Side is one of the two players of a match. As in the archive, the opponent is player 0 and
// the bot player 1. On the sheet of a match between other players, the watched player takes
// the bot's place.
type Side int8

// The sides. Between two games the turn is Nobody.
const (
	Nobody Side = -1
	Them   Side = 0
	Us     Side = 1
)

// Other returns the other player.
func (s Side) Other() Side {
	if s == Nobody {
		return Nobody
	}
	return 1 - s
}

// Owner returns the owner of a cube on s's side of the board, as seen by Us.
func (s Side) Owner() match.Owner {
	if s == Us {
		return match.Mine
	}
	return match.Theirs
}
