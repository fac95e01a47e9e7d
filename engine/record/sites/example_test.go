package sites_test

import (
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record/sites"
)

// A match of PartyGammon.
func ExampleParty() {
	const file = `BoardID=12345
Creator=anna
MATCHLENGTH=3
GAME_1_PLAYER_1=anna
GAME_1_PLAYER_2=bert
GAME_1_GAMEPLAY=2 1 1 63 24/18 13/10#1 1 1 61 13/7 8/7#2 Doubles#1 Drops
GAME_1_SCORE1=0
GAME_1_SCORE2=1
`
	m, _, err := sites.Party(strings.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sites.IsParty(file), m.Players[0].Name, m.Players[1].Name, m.FinalScore())
	// Output:
	// true anna bert [0 1]
}
