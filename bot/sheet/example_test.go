package sheet_test

import (
	"fmt"

	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// A sheet collects the observed events of a match. Its record can be written in every format.
func Example() {
	s := sheet.New("bert", 3, true)
	s.NewGame()
	s.OpeningRolled(board.Dice{A: 3, B: 1})
	s.OpeningWon(sheet.Us)
	s.Moved(sheet.Us, []board.Step{{From: 7, To: 4}, {From: 5, To: 4}})
	s.DoubledBy(sheet.Them)
	s.GameWon(sheet.Them, 1, sheet.ByDrop)
	fmt.Println("score", s.Score[sheet.Us], s.Score[sheet.Them])
	m := s.Record(sheet.About{Players: [2]record.Player{{Name: "bert"}, {Name: "anna"}}})
	for t := range m.Turns(&m.Games[0]) {
		fmt.Printf("%s: %s %q\n", m.Players[t.Player].Name, t.Action.Kind, board.FormatPlay(t.Position, t.Play))
	}
	// Output:
	// score 0 1
	// anna: move "8/5 6/5"
	// bert: double ""
	// anna: drop ""
}
