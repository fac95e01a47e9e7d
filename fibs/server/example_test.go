package server_test

import (
	"context"
	"fmt"
	"log"
	"net"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// A FIBS server inside a test: it keeps nothing, and any login makes an account.
func Example() {
	srv, err := server.New(server.Options{AutoAccounts: true, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, ln) }()

	c, err := client.Dial(ctx, client.Options{Address: ln.Addr().String(), Name: "anna", Password: clip.NewSecret("secret")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("logged in as", c.Welcome().Name, "among", srv.Users())
	c.Close() // says bye
	stop()
	fmt.Println("the server ended with", <-served)
	// Output:
	// logged in as anna among [anna]
	// the server ended with <nil>
}
