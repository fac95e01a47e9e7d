package record_test

import (
	"fmt"
	"log"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// A game written down by hand, brought in order and walked through.
func ExampleMatch_Turns() {
	steps, err := board.ParseSteps("8/5 6/5")
	if err != nil {
		log.Fatal(err)
	}
	m := &record.Match{
		Players: [2]record.Player{{Name: "anna"}, {Name: "bert"}},
		Games: []record.Game{{Actions: []record.Action{
			{Kind: record.Move, Player: 0, Dice: board.Dice{A: 3, B: 1}, Steps: steps},
			{Kind: record.Double, Player: 1},
			{Kind: record.Drop, Player: 0},
		}}},
	}
	for _, w := range m.Settle() {
		fmt.Println("warning:", w)
	}
	g := &m.Games[0]
	for t := range m.Turns(g) {
		fmt.Printf("%s: %s %q\n", m.Players[t.Player].Name, t.Action.Kind, board.FormatPlay(t.Position, t.Play))
	}
	fmt.Println(m.Players[g.Result.Winner].Name, "wins", g.Result.Points)
	// Output:
	// anna: move "8/5 6/5"
	// bert: double ""
	// anna: drop ""
	// bert wins 1
}
