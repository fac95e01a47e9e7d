package engine_test

import (
	"context"
	"fmt"
	"log"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// What is the first position of a game worth to the player on roll?
func ExampleEngine_Evaluate() {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		log.Fatal(err)
	}
	// The zero match.State is money play with the cube in the middle.
	v, err := e.Evaluate(context.Background(), board.Start, match.State{}, expert)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("wins %.1f in 10, gammons among them %.1f\n", 10*v.Probs[0], 10*v.Probs[1])
	// Output: wins 5.3 in 10, gammons among them 1.5
}

// The best plays of an opening 31 at 2-away 4-away in a match to 7.
func ExampleEngine_RankPlays() {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		log.Fatal(err)
	}
	st := match.State{Length: 7, Score: [2]int{5, 3}}
	plays, err := e.RankPlays(context.Background(), board.Start, board.Dice{A: 3, B: 1}, st, expert)
	if err != nil {
		log.Fatal(err)
	}
	best := plays[0]
	fmt.Println(len(plays), "plays, best", board.FormatPlay(board.Start, best.Play))
	// The next player on roll sees the board from the other side.
	fmt.Println("then", best.Play.Result.Swap().ID())
	// Output:
	// 16 plays, best 8/5 6/5
	// then sGfwATDgc/ABMA
}

// Double, take? A position as people send it to each other.
func ExampleEngine_CubeDecision() {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		log.Fatal(err)
	}
	// The last two checkers on the five and the two point; the opponent needs one roll.
	p := board.Position{Me: board.Checkers{4: 1, 1: 1}, Opp: board.Checkers{0: 2}}
	d, err := e.CubeDecision(context.Background(), p, match.State{}, expert)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: no double %+.2f, taken %+.2f, passed %+.2f\n", d.Action, d.NoDouble, d.DoubleTake, d.DoublePass)
	// Output: double_take: no double +0.06, taken +0.11, passed +1.00
}
