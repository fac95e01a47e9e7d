package report_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/preset"
	"fibsbot/engine/record/mat"
)

// A match is analysed, and what was wrong in it listed.
func ExampleBuild() {
	m, _, err := mat.Read(strings.NewReader("3 point match\n\nGame 1\nanna : 0    bert : 0\n1) 31: 8/5 6/5   64: 13/3\n2) 61: 13/7 8/7\n"))
	if err != nil {
		log.Fatal(err)
	}
	e, err := engine.Open(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		log.Fatal(err)
	}
	s, err := analyse.New(e.RolloutOptions(), expert).Analyse(context.Background(), m)
	if err != nil {
		log.Fatal(err)
	}
	doc := report.Build(m, s)
	for _, d := range doc.Games[0].Errors {
		fmt.Printf("%s played %s, %s where %s was right\n", doc.Players[d.Player].Name, d.Played, d.Mark, d.Best)
	}
	// Output:
	// bert played 13/3, bad where 24/14 was right
}
