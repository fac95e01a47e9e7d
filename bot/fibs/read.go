package fibs

import (
	"errors"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/fibs/clip"
)

// errNoTurn means a line from between two games.
var errNoTurn = errors.New("no player is on turn in this board line (copy one from within a game)")

// ReadBoard reads a copied "board:" line, as the player to act sees it. The line does not
// mark the Crawford game: at match point with an unturned cube the game counts as Crawford,
// which is the likelier case. Money play has neither Jacoby rule nor beavers.
func ReadBoard(line string) (match.Situation, error) {
	b, _, err := clip.ParseBoard(strings.TrimSpace(line))
	if err != nil {
		return match.Situation{}, err
	}
	v, err := BoardOf(b)
	if err != nil {
		return match.Situation{}, err
	}
	s, ok := v.Situation(match.AtCrawford(v.Length, v.Score) && !v.PostCrawford && v.Cube == 1)
	if !ok {
		return s, errNoTurn
	}
	return s, s.Validate()
}
