package sgf_test

import (
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// A match is written as GNU Backgammon saves it, and comes back with all it had.
func Example() {
	m := &record.Match{
		Players: [2]record.Player{{Name: "anna"}, {Name: "bert"}}, Length: 3,
		Games: []record.Game{{Actions: []record.Action{{Kind: record.Double, Comment: "too early"}, {Kind: record.Drop, Player: 1}}}},
	}
	m.Settle()
	var file strings.Builder
	if err := sgf.Write(&file, m); err != nil {
		log.Fatal(err)
	}
	again, _, err := sgf.Read(strings.NewReader(file.String()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.FinalScore(), again.Games[0].Actions[0].Comment)
	// Output:
	// [1 0] too early
}
