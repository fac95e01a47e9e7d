package jellyfish_test

import (
	"bytes"
	"fmt"
	"log"

	"fibsbot/engine/record/jellyfish"
	"fibsbot/engine/record/position"
)

// A position becomes a file of Jellyfish's, and comes back.
func Example() {
	m, err := position.FromXGID("-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10")
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := jellyfish.Write(&file, m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(jellyfish.Is(file.Bytes()), file.Len(), "bytes")
	again, _, err := jellyfish.Read(&file)
	if err != nil {
		log.Fatal(err)
	}
	s, onRoll := position.Last(again, &again.Games[0])
	fmt.Println(s.State.Length, s.State.Score, s.Dice, onRoll)
	// Output:
	// true 153 bytes
	// 7 [2 1] {3 1} 1
}
