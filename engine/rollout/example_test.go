package rollout_test

import (
	"context"
	"fmt"
	"log"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
)

// Two plays of an opening 31 rolled out on the same dice.
func ExampleNew() {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	s := rollout.Default()
	s.Trials, s.Seed = 36, 1
	job, err := rollout.New(context.Background(), e.RolloutOptions(), board.Start, match.State{}, s)
	if err != nil {
		log.Fatal(err)
	}
	dice := board.Dice{A: 3, B: 1}
	for _, text := range []string{"24/23 6/3", "8/5 6/5"} {
		play, err := board.ParsePlay(board.Start, dice, text)
		if err != nil {
			log.Fatal(err)
		}
		if err := job.AddPlay(text, play); err != nil {
			log.Fatal(err)
		}
	}
	if err := job.Run(context.Background(), nil); err != nil {
		log.Fatal(err)
	}
	bad, good := job.Results()[0], job.Results()[1]
	fmt.Println("making the five point is better:", good.Equity > bad.Equity+3*float64(bad.EquityErr))
	// Output: making the five point is better: true
}
