package duel_test

import (
	"context"
	"fmt"
	"log"

	"fibsbot/engine"
	"fibsbot/engine/duel"
	"fibsbot/engine/preset"
)

// The engine as it evaluates against Tesauro's benchmark: 20 pairs of cubeless games.
func ExampleRun() {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		log.Fatal(err)
	}
	run := duel.Run{
		Players:  [2]duel.Maker{duel.Preset(e, expert), duel.Pubeval},
		Settings: duel.Settings{Cubeless: true, Seed: 1},
		Pairs:    20,
	}
	pairs, games, err := run.Play(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	r := duel.Summarise(pairs, run.Settings)
	fmt.Println(games, "games, the engine is ahead:", r.PPG > 0)
	// Output:
	// 40 games, the engine is ahead: true
}
