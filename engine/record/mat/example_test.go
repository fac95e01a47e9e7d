package mat_test

import (
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record/mat"
)

// A match text is read; and written again.
func Example() {
	m, warnings, err := mat.Read(strings.NewReader("3 point match\n\nGame 1\nanna : 0    bert : 0\n1)             31: 8/5 6/5\n2) 64: 24/14   Doubles => 2\n3) Drops\n"))
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range warnings {
		fmt.Println(w)
	}
	fmt.Println("score", m.FinalScore())
	var file strings.Builder
	if err := mat.Write(&file, m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(file.String(), "Doubles => 2"), mat.Lost(m))
	// Output:
	// score [0 1]
	// true []
}
