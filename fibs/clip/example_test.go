package clip_test

import (
	"fmt"
	"log"

	"fibsbot/fibs/clip"
)

// Lines of a session, and a command for the server.
func ExampleParser() {
	p := clip.RunningParser()
	for _, line := range []string{
		"12 bob hello",
		"bob wants to play a 5 point match with you.",
		"** There is no user called nobody.",
	} {
		for _, ev := range p.Parse(line) {
			fmt.Println(ev.Kind, ev.Name, ev.Length, ev.Kind.Refusal())
		}
	}
	line, err := clip.Move{Steps: []clip.Step{{From: clip.Bar, To: 21}, {From: 6, To: clip.Off}}}.Encode()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(line)
	// Output:
	// says bob 0 false
	// invites bob 5 false
	// no such player nobody 0 true
	// move bar-21 6-off
}
