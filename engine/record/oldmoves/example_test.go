package oldmoves_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
)

// A match text becomes the list that a FIBS server gives, and that is read again.
func Example() {
	m, _, err := mat.Read(strings.NewReader("3 point match\n\nGame 1\nanna : 0    bert : 0\n1)             31: 8/5 6/5\n2) 64: 24/14   Doubles => 2\n3) Drops\n"))
	if err != nil {
		log.Fatal(err)
	}
	if err := oldmoves.Write(os.Stdout, m); err != nil {
		log.Fatal(err)
	}
	var list strings.Builder
	if err := oldmoves.Write(&list, m); err != nil {
		log.Fatal(err)
	}
	again, _, err := oldmoves.Read(strings.NewReader(list.String()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("score", again.FinalScore())
	// Output:
	// Score is 0-0 in a 3 point match.
	// anna is X - bert is O
	// O: (3 1) 17-20 19-20
	// X: (6 4) 24-18 18-14
	// O: doubles
	// X: rejects
	// O: wins 1
	//
	// score [0 1]
}
