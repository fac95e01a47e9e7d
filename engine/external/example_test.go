package external_test

import (
	"context"
	"log"
	"os"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/external"
	"fibsbot/engine/preset"
)

// What another program asks on its standard output, and is answered on its input.
func ExampleServer_Serve() {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		log.Fatal(err)
	}
	s := external.Server{Engine: e, Preset: expert}
	asked := strings.NewReader("hello 1\npos 4HPwATDgc/ABMA 3 1\njump\nquit\n")
	if err := s.Serve(context.Background(), asked, os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ok fibsbot cube
	// sGfwATDgc/ABMA
	// error unknown request "jump"
}
