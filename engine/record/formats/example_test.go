package formats_test

import (
	"fmt"
	"log"
	"os"

	"fibsbot/engine/record/formats"
	"fibsbot/engine/record/position"
)

// What a format cannot hold is known before a file is written.
func ExampleFind() {
	m, err := position.FromXGID("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10")
	if err != nil {
		log.Fatal(err)
	}
	f, err := formats.Find(formats.Written, "", ".fibs")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Title, "loses", f.Lost(m))
	if f, err = formats.Find(formats.Written, "ogid", ""); err != nil {
		log.Fatal(err)
	}
	if err := f.Write(os.Stdout, m); err != nil {
		log.Fatal(err)
	}
	// Output:
	// FIBS oldmoves loses [a set-up position or dice the Jacoby rule]
	// OGID=11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:0:0:0:0
}
