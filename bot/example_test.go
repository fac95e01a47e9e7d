package bot_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"sync"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/fibs"
	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// runner is an example of a decider: it runs with its rearmost checkers, takes every double
// and never doubles.
type runner struct{}

// Decide implements table.Decider.
func (runner) Decide(_ context.Context, s table.Situation) (table.Answer, error) {
	switch s.Ask {
	case table.AskPlay:
		plays := board.AppendPlays(nil, s.Position, s.Dice)
		best := plays[0]
		for _, p := range plays {
			if p.Result.Me.Rearmost() < best.Result.Me.Rearmost() {
				best = p
			}
		}
		return table.Answer{Action: table.Play, Play: best}, nil
	case table.AskTake:
		return table.Answer{Action: table.Take}, nil
	case table.AskResign:
		return table.Answer{Action: table.AcceptResign}, nil
	}
	return table.Answer{Action: table.Roll}, nil
}

// A bot with its own decider plays a match against the simplest player, on a server inside
// the program.
func ExampleAccount() {
	srv, err := server.New(server.Options{AutoAccounts: true, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	go func() { _ = srv.Serve(ctx, ln) }()

	dial := func(name string) func(context.Context) (bot.Link, error) {
		return fibs.Dialer(client.Options{Address: ln.Addr().String(), Name: name, Password: clip.NewSecret("secret"),
			Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}})
	}
	anna := &bot.Account{Protocol: fibs.Protocol{}, Name: "anna", Dial: dial("anna"), Decider: runner{}, MaxMatches: 1,
		Conduct: &bot.Plain{Invite: "bert", Length: 1}}
	bert := &bot.Account{Protocol: fibs.Protocol{}, Name: "bert", Dial: dial("bert"), MaxMatches: 1}
	var playing sync.WaitGroup
	for _, a := range []*bot.Account{anna, bert} {
		playing.Go(func() {
			if err := a.Run(ctx); err != nil {
				log.Fatal(err)
			}
		})
	}
	playing.Wait()
	m := srv.Matches()[0]
	fmt.Printf("%d match of %d point between anna and bert\n", len(srv.Matches()), m.Length)
	// Output: 1 match of 1 point between anna and bert
}
