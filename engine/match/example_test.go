package match_test

import (
	"fmt"
	"log"

	"fibsbot/engine/match"
)

// A position as gnubg names it: who needs what, and what a game is worth there.
func ExampleParseSituation() {
	s, err := match.ParseSituation("4HPwATDgc/ABMA:cInlABAAEAAE")
	if err != nil {
		log.Fatal(err)
	}
	met := match.DefaultTable()
	me, opp := s.State.Away()
	fmt.Printf("%d-away against %d-away: %.1f %%\n", me, opp, 100*met.Now(s.State))
	fmt.Printf("after a game won %.1f %%, after one lost %.1f %%\n", 100*met.After(s.State, 1), 100*met.After(s.State, -1))
	fmt.Printf("a double is taken from %.1f %% on, gammons apart\n", 100*met.TakePoint(s.State))
	// Output:
	// 5-away against 6-away: 56.6 %
	// after a game won 64.3 %, after one lost 50.0 %
	// a double is taken from 26.8 % on, gammons apart
}
