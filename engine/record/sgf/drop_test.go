package sgf

import (
	"bytes"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// A match of a server where giving up costs what the position says: the first double is
// dropped, and that is worth a backgammon.
func TestDropByPosition(t *testing.T) {
	m := &record.Match{Length: 7, Rules: record.Rules{Crawford: true, Drops: match.DropByPosition}, Games: []record.Game{
		{Actions: []record.Action{
			{Kind: record.Move, Player: 0, Dice: board.Dice{A: 3, B: 1}, Steps: []board.Step{{From: 7, To: 4}, {From: 5, To: 4}}},
			{Kind: record.Double, Player: 1},
			{Kind: record.Drop, Player: 0},
		}, Result: record.Result{Winner: record.NoPlayer}},
		{Number: 1, Score: [2]int{0, 3}, Result: record.Result{Winner: record.NoPlayer}},
	}}
	if ws := m.Settle(); len(ws) > 0 {
		t.Fatal(ws)
	}
	if got := m.Games[0].Result; got.Winner != 1 || got.Points != 3 {
		t.Errorf("result %+v, want 3 points", got)
	}
	var file bytes.Buffer
	if err := Write(&file, m); err != nil {
		t.Fatal(err)
	}
	back, ws, err := Read(strings.NewReader(file.String()))
	if err != nil || len(ws) > 0 {
		t.Fatal(ws, err)
	}
	if back.Rules != m.Rules || back.Games[0].Result != m.Games[0].Result {
		t.Errorf("read back %+v, %+v from %s", back.Rules, back.Games[0].Result, file.String())
	}
	for turn := range back.Turns(&back.Games[0]) {
		if turn.State.Drops != match.DropByPosition {
			t.Errorf("the decision is judged by another rule: %+v", turn.State)
		}
	}
	usual := *m
	usual.Rules.Drops = match.DropSingle
	usual.Games = append([]record.Game(nil), m.Games[0])
	usual.Games[0].Result = record.Result{Winner: record.NoPlayer}
	usual.Settle()
	if got := usual.Games[0].Result.Points; got != 1 {
		t.Errorf("under the usual rule %d points, want 1", got)
	}
}

// The same price ends a game on the board, also if the loser has borne off before.
func TestDropByPosition_borneOff(t *testing.T) {
	last, bar := board.Checkers{0: 1}, board.Checkers{24: 1}
	for rule, want := range map[match.DropRule]int{match.DropSingle: 2, match.DropByPosition: 6} {
		m := &record.Match{Length: 7, Rules: record.Rules{Drops: rule}, Games: []record.Game{{Cube: 2, Actions: []record.Action{
			{Kind: record.SetUp, Player: 1, SetUp: &record.Setup{Board: &[2]board.Checkers{bar, last}}},
			{Kind: record.Move, Player: 1, Dice: board.Dice{A: 2, B: 1}, Steps: []board.Step{{From: 0, To: -1}}},
		}}}}
		m.Settle()
		if got := m.Games[0].Result; got.Winner != 1 || got.Points != want {
			t.Errorf("rule %d: %+v, want %d points", rule, got, want)
		}
	}
}
