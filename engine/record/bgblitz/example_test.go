package bgblitz_test

import (
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record/bgblitz"
)

// A match of BGBlitz: a line that says how the rest is written, then the rest.
func ExampleRead() {
	const file = `{"version":"0.0001","compression":"none","encoding":"json"}
{"matchlen":3,"nameGreen":"anna","nameRed":"bert","useCube":true,"useCrawford":true,
"games":[{"scoreGreen":0,"scoreRed":0,"wonPoints":1,
"initial":{"points":[2,0,0,0,0,-5,0,-3,0,0,0,5,-5,0,0,0,3,0,5,0,0,0,0,-2,0,0],"cube":1,"cubeOwner":0},
"moves":[{"type":"amove","player":1,"red":6,"green":3,"from":[24,13,-1,-1],"to":[18,10,-1,-1]}]}]}`
	m, warnings, err := bgblitz.Read(strings.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bgblitz.Is([]byte(file)), m.Players[0].Name, m.Players[1].Name, m.Length, m.Games[0].Actions[0].Dice, len(warnings))
	// Output:
	// true anna bert 3 {6 3} 0
}
