package fibs

import (
	"errors"
	"strings"

	"fibsbot/bot/sheet"
	"fibsbot/engine/match"
	"fibsbot/fibs/clip"
)

// errNobody is what ReadBoard says of a line between two games.
var errNobody = errors.New("nobody is on turn in this board line")

// ReadBoard reads a board: line that somebody copied, as the player to act sees it.
// The line does not tell the Crawford game from a later one: at match point with an
// unturned cube it is taken for one, the likelier. Nor does it tell the rules of money
// play; it has neither Jacoby nor beavers.
func ReadBoard(line string) (match.Situation, error) {
	b, _, err := clip.ParseBoard(strings.TrimSpace(line))
	if err != nil {
		return match.Situation{}, err
	}
	v, err := BoardOf(b)
	if err != nil {
		return match.Situation{}, err
	}
	me, opp := v.Length-v.Score[sheet.Us], v.Length-v.Score[sheet.Them]
	s, ok := v.Situation(v.Length > 1 && (me == 1) != (opp == 1) && !v.PostCrawford && v.Cube == 1)
	if !ok {
		return s, errNobody
	}
	return s, s.Validate()
}
