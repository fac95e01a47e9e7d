package human

import (
	"testing"

	"fibsbot/engine/board"
)

func TestPlanOf(t *testing.T) {
	var home, away, ace, race board.Position
	home.Me[0], home.Opp[0] = 15, 15
	away.Me[5], away.Opp[20], away.Opp[0] = 15, 2, 13 // two checkers on the other's ace point
	race.Me[8], race.Opp[7] = 15, 15
	ace.Me[7], ace.Me[5], ace.Opp[23], ace.Opp[0] = 2, 13, 2, 13
	for name, tt := range map[string]struct {
		p    board.Position
		want Plan
	}{
		"start": {board.Start, Opening}, "bear-off": {home, Bearoff}, "race": {race, Race},
		"bear-off past a checker": {away, Clearance}, "not home yet": {ace, Holding},
	} {
		if got := PlanOf(&tt.p); got != tt.want {
			t.Errorf("%s: plan %d, want %d", name, got, tt.want)
		}
	}
}
