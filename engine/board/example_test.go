package board_test

import (
	"fmt"
	"log"

	"fibsbot/engine/board"
)

// A position from its ID, the plays of a roll, and what the opponent then sees.
func Example() {
	p, err := board.ParseID("4HPwATDgc/ABMA")
	if err != nil {
		log.Fatal(err)
	}
	d := board.Dice{A: 6, B: 5}
	plays := board.AppendPlays(nil, p, d)
	run, err := board.ParsePlay(p, d, "24/13")
	if err != nil {
		log.Fatal(err)
	}
	next := run.Result.Swap()
	fmt.Println(len(plays), "plays of a 65, among them", board.FormatPlay(p, run))
	fmt.Println("the opponent, with", next.Me.Pips(), "pips against", next.Opp.Pips(), "is on roll at", next.ID())
	// Output:
	// 7 plays of a 65, among them 24/13
	// the opponent, with 167 pips against 156 is on roll at 4HPwAyDgc/ABMA
}
