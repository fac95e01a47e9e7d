package race_test

import (
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/race"
)

// Double, take? Keith's count and Kleinman's chance of a race.
func ExampleKeith() {
	p := board.Position{
		Me:  board.Checkers{2: 2, 3: 3, 4: 4, 5: 4, 6: 2},
		Opp: board.Checkers{2: 3, 3: 2, 4: 3, 5: 4, 6: 2, 10: 1},
	}
	c := race.Keith(&p)
	fmt.Printf("%.1f against %.1f: double %t, redouble %t, take %t\n", c.Me, c.Opp, c.Double, c.Redouble, c.Take)
	fmt.Printf("chance %.2f\n", race.Kleinman(p.Me.Pips(), p.Opp.Pips()))
	// Output:
	// 86.9 against 81.0: double false, redouble false, take true
	// chance 0.70
}
