package dice_test

import (
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/dice"
)

// Dice thrown by hand and written down.
func ExampleRead() {
	digits, err := dice.Read(strings.NewReader("3-1, 6-4 # the opening\n66 2 1\n"))
	if err != nil {
		log.Fatal(err)
	}
	for n := 0; ; n++ {
		d, ok := dice.At(digits, n)
		if !ok {
			break
		}
		fmt.Println(d)
	}
	_, err = dice.Read(strings.NewReader("3 7"))
	fmt.Println(err)
	// Output:
	// [3 1]
	// [6 4]
	// [6 6]
	// [2 1]
	// bad file of dice: line 1: '7' is not a die (use 1 to 6, with blanks, commas or hyphens between rolls, # before a comment)
}

// The same seed and stream give the same dice, on every machine.
func ExampleGenerator_New() {
	g, err := dice.Parse("chacha8")
	if err != nil {
		log.Fatal(err)
	}
	a, b := g.New(7, 0), g.New(7, 0)
	fmt.Println(a.IntN(6) == b.IntN(6), a.IntN(6) == b.IntN(6))
	// Output:
	// true true
}
