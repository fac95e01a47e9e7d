package snowie_test

import (
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record/position"
	"fibsbot/engine/record/snowie"
)

// A position becomes a line of Snowie's, and comes back.
func Example() {
	m, err := position.FromXGID("-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10")
	if err != nil {
		log.Fatal(err)
	}
	var line strings.Builder
	if err := snowie.Write(&line, m); err != nil {
		log.Fatal(err)
	}
	again, _, err := snowie.Read(strings.NewReader(line.String()))
	if err != nil {
		log.Fatal(err)
	}
	s, onRoll := position.Last(again, &again.Games[0])
	fmt.Println(snowie.IsPosition(line.String()), s.State.Length, s.State.Score, s.Dice, onRoll)
	// Output:
	// true 7 [2 1] {3 1} 1
}
