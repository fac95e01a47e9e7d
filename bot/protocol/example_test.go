package protocol_test

import (
	"fmt"
	"log"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// The lines of a journal, read again by their protocol, and entered in a sheet.
func ExampleEnter() {
	var p protocol.Protocol = fibs.Protocol{}
	reader, s := p.Reader(), sheet.New("bob", 3, true)
	for _, line := range []string{
		"You rolled 3, bob rolled 1",
		"You roll 3 and 1.",
		"bob moves 24-20 .",
	} {
		for _, ev := range reader.FromServer(line) {
			protocol.Enter(s, &ev, "anna")
		}
	}
	lines, err := p.Encode(protocol.Roll{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(s.Games), "game begun, to be sent:", lines)
	// Output:
	// 1 game begun, to be sent: [roll]
}
