package opengammon_test

import (
	"encoding/base64"
	"fmt"
	"log"
	"strings"

	"fibsbot/engine/record/opengammon"
)

// A match of one game in 116 bytes.
func ExampleRead() {
	const file = "T0dYTQIAAgACAAAAdAAAAE1UQ0gSAAAAAREXAwAFw4RubmEEYmVydAEAAUFOQUwSAAAAABEAAAAAAAAAAAAAAAAAAAAAAEdBTUUYAAAAAQMDAQJO2G0FzDFUABVWAnEzUwAIkVNVF05FVyEAAAAAAEVORCE="
	m, _, err := opengammon.Read(base64.NewDecoder(base64.StdEncoding, strings.NewReader(file)))
	if err != nil {
		log.Fatal(err)
	}
	g := &m.Games[0]
	fmt.Println(m.Players[0].Name, "against", m.Players[1].Name, "to", m.Length)
	fmt.Println(len(g.Actions), "actions,", m.Players[g.Result.Winner].Name, "wins", g.Result.Points)
	// Output:
	// Änna against bert to 3
	// 10 actions, bert wins 2
}
