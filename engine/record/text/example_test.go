package text_test

import (
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/text"
)

// A match for people to read: of each decision its head and what was done.
func ExampleWrite() {
	m, _, err := mat.Read(strings.NewReader("3 point match\n\nGame 1\nanna : 0    bert : 0\n1) 31: 8/5 6/5\n"))
	if err != nil {
		log.Fatal(err)
	}
	var out strings.Builder
	if err := text.Write(&out, m); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "*") || strings.HasPrefix(line, "Move") {
			fmt.Print(line)
		}
	}
	// Output:
	// Move number 1:  anna to play 31
	// * anna moves 8/5 6/5
}
