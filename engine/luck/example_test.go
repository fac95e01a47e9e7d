package luck_test

import (
	"context"
	"fmt"
	"log"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
)

// What two first rolls gave. (At 0 plies; deeper Settings judge better.)
func ExampleMeter_Roll() {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	m := luck.Meter{Search: e.Search()}
	p := board.Start
	for _, d := range []board.Dice{{A: 6, B: 6}, {A: 4, B: 1}} {
		v, err := m.Roll(context.Background(), p, match.State{}, d)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d%d is lucky: %t\n", d.A, d.B, v > 0)
	}
	// Output:
	// 66 is lucky: true
	// 41 is lucky: false
}
