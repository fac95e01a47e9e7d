package client_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"time"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// Logging in, asking something, and reading the answer; the server is one of our own.
func ExampleDial() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	srv, err := server.New(server.Options{AutoAccounts: true, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { _ = srv.Serve(ctx, ln) }()

	c, err := client.Dial(ctx, client.Options{Address: ln.Addr().String(), Name: "anna", Password: clip.NewSecret("secret")})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if err := c.Send(clip.RawWho{Name: "anna"}); err != nil {
		log.Fatal(err)
	}
	for ev := range c.Events() {
		if ev.Kind == clip.PlayerLine {
			fmt.Println(ev.Player.Name, ev.Player.Rating, ev.Player.Client)
			break
		}
	}
	// Output:
	// anna 1500 fibsbot
}
