package table_test

import (
	"context"
	"testing"

	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Races of 100 pips for the player on roll. Double from 71 % on, take with 22 %:
// 100 against 104 wins 66 %, against 108 72 %, against 110 75 %, against 116 84 %.
func TestSimple_race(t *testing.T) {
	hundred := board.Checkers{5: 10, 7: 5}
	trailing := map[int]board.Checkers{
		104: {5: 10, 7: 3, 9: 2},
		108: {5: 10, 7: 1, 9: 4},
		110: {5: 10, 9: 5},
		116: {5: 10, 9: 2, 11: 3},
	}
	for _, tt := range []struct {
		opp          int
		double, take bool
	}{
		{104, false, true},
		{108, true, true},
		{110, true, true},
		{116, true, false},
	} {
		other := trailing[tt.opp]
		p := board.Position{Me: hundred, Opp: other}
		if p.Me.Pips() != 100 || p.Opp.Pips() != tt.opp || p.Me.Count() != 15 || p.Opp.Count() != 15 || p.Contact() {
			t.Fatalf("not the race of 100 against %d: %d against %d", tt.opp, p.Me.Pips(), p.Opp.Pips())
		}
		money := match.State{Cube: 1}
		d, err := table.Simple{}.Decide(context.Background(), table.Situation{Ask: table.AskRoll, Position: p, State: money, MayDouble: true})
		if err != nil || d.Action == table.Double != tt.double {
			t.Errorf("100 against %d: %v, %v; want a double: %v", tt.opp, d.Action, err, tt.double)
		}
		d, err = table.Simple{}.Decide(context.Background(), table.Situation{Ask: table.AskTake, Position: p.Swap(), State: money})
		if err != nil || d.Action == table.Take != tt.take {
			t.Errorf("doubled with 100 against %d: %v, %v; want a take: %v", tt.opp, d.Action, err, tt.take)
		}
	}
}
