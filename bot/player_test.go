package bot

import (
	"context"
	"testing"

	"fibsbot/bot/table"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/testsize"
)

// TestPlayer_answersEveryQuestion: the engine itself answers, not the fallback.
func TestPlayer_answersEveryQuestion(t *testing.T) {
	testsize.Medium(t)
	eng, err := engine.Open(engine.Options{Seed: 1, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	pr, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	p := Player{Engine: eng, Preset: pr}
	// A race that is all but over: two checkers against fourteen.
	won := board.Position{Me: board.Checkers{0: 2}, Opp: board.Checkers{5: 5, 4: 5, 3: 4}}
	st := match.State{Length: 5, Cube: 1}
	// The opponent is on roll and misses; the bot rolls its joker.
	missed, joker := position(t, "7rZFAADYNtwAGA").Swap(), position(t, "hvPBBQQ2OwbABg")
	offer := func(p board.Position, d board.Dice, onTurn bool) table.Situation {
		return table.Situation{Ask: table.AskResign, Position: p, State: st, Dice: d, OnTurn: onTurn, Offered: 1}
	}
	doubled := table.Situation{Ask: table.AskResign, Position: board.Position{Me: board.Checkers{0: 2, 1: 5, 2: 5}, Opp: board.Checkers{board.Bar: 15}},
		State: st, OnTurn: true, Offered: 1}
	tests := []struct {
		name string
		s    table.Situation
		want table.Action
	}{
		{"opening play", table.Situation{Ask: table.AskPlay, Position: board.Start, State: st, Dice: board.Dice{A: 3, B: 1}}, table.Play},
		{"rolls at the start", table.Situation{Ask: table.AskRoll, Position: board.Start, State: st, MayDouble: true}, table.Roll},
		{"drops a lost race", table.Situation{Ask: table.AskTake, Position: won.Swap(), State: st}, table.Drop},
		{"takes at the start", table.Situation{Ask: table.AskTake, Position: board.Start, State: st}, table.Take},
		{"accepts a single game that is all there is", table.Situation{Ask: table.AskResign, Position: won, State: st, OnTurn: true, Offered: 1}, table.AcceptResign},
		{"accepts a backgammon at the start", table.Situation{Ask: table.AskResign, Position: board.Start, State: st, Offered: 3}, table.AcceptResign},
		{"a single game before the opponent rolls", offer(missed, board.Dice{}, false), table.AcceptResign},
		{"after he has missed", offer(missed, board.Dice{A: 5, B: 4}, false), table.RejectResign},
		{"a single game before the bot rolls", offer(joker, board.Dice{}, true), table.AcceptResign},
		{"after its joker", offer(joker, board.Dice{A: 5, B: 5}, true), table.RejectResign},
		{"a single game of a gammon", doubled, table.RejectResign},
		{"which a double would end for as much", func() table.Situation { s := doubled; s.Doubled = true; return s }(), table.AcceptResign},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := p.Decide(context.Background(), tt.s)
			if err != nil {
				t.Fatal(err)
			}
			if d.Action != tt.want || !d.Answers(tt.s) {
				t.Errorf("%v, want %v", d.Action, tt.want)
			}
		})
	}
}

func position(t *testing.T, id string) board.Position {
	t.Helper()
	p, err := board.ParseID(id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
