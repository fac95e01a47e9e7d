package table_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/engine/board"
)

// Events of a server go in, with the time; what is due comes out.
func ExampleTable() {
	t, now := table.New(table.Options{Name: "anna"}), time.Now()
	for _, c := range t.Ready(now).Send {
		fmt.Printf("to be sent: %T\n", c)
	}
	due := t.Event(protocol.Event{Kind: protocol.Invites, Name: "bert", Length: 5}, now)
	for _, inv := range due.Invitations {
		fmt.Println(inv.From, "wants to play to", inv.Length)
	}
	// Output:
	// to be sent: protocol.AskSaved
	// to be sent: protocol.AskBoard
	// bert wants to play to 5
}

// The player of last resort answers without an engine.
func ExampleSimple() {
	a, err := table.Simple{}.Decide(context.Background(), table.Situation{Ask: table.AskPlay, Position: board.Start, Dice: board.Dice{A: 3, B: 1}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Action, board.FormatPlay(board.Start, a.Play))
	// Output:
	// play 8/5 6/5
}
