package detect_test

import (
	"errors"
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record/detect"
)

// A file of any format is read without naming the format.
func ExampleRead() {
	file := strings.NewReader(` 5 point match

 Game 1
 anna : 0                       bert : 0
  1) 31: 8/5 6/5                64: 24/14
  2)  Doubles => 2               Drops
      Wins 1 point
`)
	matches, format, warnings, err := detect.Read(file)
	if err != nil {
		log.Fatal(err)
	}
	m := matches[0]
	fmt.Printf("%s: %s against %s to %d, score %v, %d warnings\n", format, m.Players[0].Name, m.Players[1].Name, m.Length, m.FinalScore(), len(warnings))
	_, _, _, err = detect.Read(strings.NewReader("a letter to anna"))
	fmt.Println("no match file:", errors.Is(err, detect.ErrUnknown))
	// Output:
	// mat: anna against bert to 5, score [1 0], 0 warnings
	// no match file: true
}
