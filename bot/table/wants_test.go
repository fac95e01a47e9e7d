package table

import (
	"fmt"
	"testing"
	"time"

	"fibsbot/bot/fibs"
)

// TestEvent_opponentDecidesNothingOfTheJournal: neither an opponent who goes away and comes back
// for hours nor hundreds of invitations make the journal grow.
func TestEvent_opponentDecidesNothingOfTheJournal(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	tbl := newTable(Options{Name: "bot"})
	tbl.Ready(now)
	p := fibs.Protocol{}.Reader()
	notes := 0
	hear := func(line string) {
		for _, ev := range p.FromServer(line) {
			for _, n := range tbl.Event(ev, now).Notes {
				if n.Kind == NoteLine {
					notes++
				}
			}
		}
	}
	hear("** Player bob has joined you for a 5 point match.")
	hear("Starting a new game with bob.")
	hear("bob rolled 6, you rolled 2")
	board := "board:You:bob:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:0:0:6:2:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
	hear(board)
	before := notes
	for i := range 1000 {
		hear(fmt.Sprintf("5 bob bot - 1 %d 1500.00 10 0 %d host client -", i%2, 1700000000+i)) // away, back
		hear(board)
		hear(fmt.Sprintf("eve%d wants to play a 5 point match with you.", i))
		hear(fmt.Sprintf("Type 'join eve%d' to accept.", i))
		hear("** Player bob is away.")
	}
	if grown := notes - before; grown > 3 {
		t.Errorf("%d lines in the journal, want 3 at most", grown)
	}
	hear("5 bob bot - 1 0 1512.00 10 0 1700000000 host client -")
	hear("bob moves 24-18 13-11 .")
	if grown := notes - before; grown < 3 {
		t.Error("a new rating and a move are not in the journal")
	}
}
