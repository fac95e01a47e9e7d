// The program speed prints the figures of `fibsbot bench` as JSON. It is compiled for this system
// and for browsers, to compare the two: docs/bench/browser.sh. Its argument is the time of each
// figure, as 1s.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/bench"
)

func main() {
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure() error {
	if len(os.Args) != 2 {
		return errors.New("usage: speed TIME")
	}
	d, err := time.ParseDuration(os.Args[1])
	if err != nil {
		return err
	}
	e, err := engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 16})
	if err != nil {
		return err
	}
	defer e.Close()
	out, err := bench.Measure(context.Background(), e, d)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}
