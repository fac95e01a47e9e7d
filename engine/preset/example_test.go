package preset_test

import (
	"fmt"
	"log"

	"fibsbot/engine/preset"
)

// A strength by its name, with another depth.
func ExampleByName() {
	p, err := preset.ByName("World Class")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Name, "looks", p.Checker.Plies, "plies ahead,", p.WithPlies(1).Checker.Plies, "when told so")
	_, err = preset.ByName("invincible")
	fmt.Println(err)
	// Output:
	// worldclass looks 2 plies ahead, 1 when told so
	// unknown preset "invincible" (use beginner, casual, intermediate, advanced, expert, worldclass, supremo, champion, grandmaster, legend)
}
