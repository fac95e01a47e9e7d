package fibs_test

import (
	"fmt"
	"log"

	"fibsbot/bot/fibs"
	"fibsbot/engine/board"
)

// A board line copied from FIBS, as the player to act sees it.
func ExampleReadBoard() {
	s, err := fibs.ReadBoard("board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Position == board.Start, s.Dice, s.State.Length, s)
	// Output:
	// true {6 2} 3 4HPwATDgc/ABMA:cAlrAAAAAAAE
}
