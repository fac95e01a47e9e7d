package sheet

import "fibsbot/engine/match"

// Side is one of the two players of a match, by the convention of the archive:
// the opponent is player 0, the bot player 1. On the sheet of a match between
// others the watched player stands in the bot's place.
type Side int8

// The sides; Nobody is on turn between two games.
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

// Owner says whose a cube on s's side of the board is, as Us sees it.
func (s Side) Owner() match.Owner {
	if s == Us {
		return match.Mine
	}
	return match.Theirs
}
