package opening

import (
	"fmt"
	"strings"

	"fibsbot/engine/match"
)

// Score names a score of the table, as the player to decide sees it.
type Score string

// The scores. At GammonGo the player needs two points and the opponent one in the Crawford
// game, so gammons only win; at GammonSave it is the other way round.
const (
	Money      Score = "money"
	DMP        Score = "dmp"
	GammonGo   Score = "gammon-go"
	GammonSave Score = "gammon-save"
)

// Scores lists all scores.
var Scores = []Score{Money, DMP, GammonGo, GammonSave}

// ParseScore finds a score by its name; "" is Money.
func ParseScore(name string) (Score, error) {
	if name == "" {
		return Money, nil
	}
	for _, s := range Scores {
		if strings.EqualFold(name, string(s)) {
			return s, nil
		}
	}
	return "", fmt.Errorf("unknown score %q (use money, dmp, gammon-go or gammon-save)", name)
}

// State returns the state in which the score was rolled out.
func (s Score) State() match.State {
	switch s {
	case DMP:
		return match.State{Length: 1, Cube: 1}
	case GammonGo:
		return match.State{Length: 2, Score: [2]int{0, 1}, Cube: 1, Crawford: true}
	case GammonSave:
		return match.State{Length: 2, Score: [2]int{1, 0}, Cube: 1, Crawford: true}
	}
	return match.Money(true, match.DefaultBeavers)
}

// Swap returns the score as the opponent sees it.
func (s Score) Swap() Score {
	switch s {
	case GammonGo:
		return GammonSave
	case GammonSave:
		return GammonGo
	}
	return s
}

// scoreOf finds the score that has the same values as a state, before any double. Only
// money play with the Jacoby rule is the score that was rolled out.
func scoreOf(st match.State) (Score, bool) {
	if st.Owner != match.Centred || st.Cube > 1 {
		return "", false
	}
	if st.Length == 0 {
		return Money, st.Jacoby
	}
	me, opp := st.Away()
	switch {
	case me == 1 && opp == 1:
		return DMP, true
	case me == 2 && opp == 1 && st.Crawford:
		return GammonGo, true
	case me == 1 && opp == 2 && st.Crawford:
		return GammonSave, true
	}
	return "", false
}
