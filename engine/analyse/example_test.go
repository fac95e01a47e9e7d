package analyse_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
)

// A match file of any format that is known, read and judged.
func ExampleAnalyst_Analyse() {
	file := strings.NewReader(` 1 point match

 Game 1
 anna : 0                       bert : 0
  1) 31: 8/5 6/5                64: 13/7 6/2
  2) 61: 24/18 24/23            
`)
	matches, format, _, err := detect.Read(file)
	if err != nil {
		log.Fatal(err)
	}
	e, err := engine.Open(engine.Options{Threads: 1}) // decisions are shared out instead
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		log.Fatal(err)
	}
	m := matches[0]
	judge := analyse.Analyst{Engine: e.Search(), Checker: expert.Checker, Cube: expert.Cube, Limits: analyse.DefaultLimits}
	sum, err := judge.Analyse(context.Background(), m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %s against %s to %d\n", format, m.Players[0].Name, m.Players[1].Name, m.Length)
	for turn := range m.Turns(&m.Games[0]) {
		if a := turn.Action; a.Kind == record.Move && a.Analysis != nil {
			best := board.Play{N: uint8(len(a.Analysis.Candidates[0].Steps))}
			copy(best.Steps[:], a.Analysis.Candidates[0].Steps)
			fmt.Println(m.Players[a.Player].Name, a.Dice, "best", board.FormatPlay(turn.Position, best))
			break
		}
	}
	fmt.Println("anna gave up less than 0.05:", sum.Players[0].Error().EMG < 0.05)
	fmt.Println("bert gave up more than 0.05:", sum.Players[1].Error().EMG > 0.05)
	// Output:
	// mat, anna against bert to 1
	// anna {3 1} best 8/5 6/5
	// anna gave up less than 0.05: true
	// bert gave up more than 0.05: true
}
