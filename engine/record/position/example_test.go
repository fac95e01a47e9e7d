package position_test

import (
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record/position"
)

// A position in a posted text.
func ExampleRead() {
	list, _, err := position.Read(strings.NewReader("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10\n"))
	if err != nil {
		log.Fatal(err)
	}
	m := list[0]
	s, onRoll := position.Last(m, &m.Games[0])
	fmt.Println("player", onRoll, "has", s.Dice, "at", s.State.Score, "of", s.State.Length)
	fmt.Println(s)
	fmt.Println(position.OGID(s, onRoll))
	// Output:
	// player 1 has {3 1} at [2 1] of 7
	// 4HPwATDgc/ABMA:cInlABAAEAAE
	// OGID=11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:1:2:7:0
}
