package server

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"math/rand/v2"

	"fibsbot/internal/testsize"
)

// TestCrowd_manyMatchesAtOnce lets pairs of random bots play at the same time:
// 20 bots, 8 in a sample, or 200 when FIBSBOT_SOAK is set.
func TestCrowd_manyMatchesAtOnce(t *testing.T) {
	pairs := 10
	if testsize.Brief() {
		pairs = 4
	}
	if os.Getenv("FIBSBOT_SOAK") != "" {
		pairs = 100
	}
	s := start(t, Options{Seed: 11, MaxConns: 2*pairs + 5})
	var wg sync.WaitGroup
	letters := func(n int) string { return string([]byte{'a' + byte(n/26), 'a' + byte(n%26)}) }
	for p := range pairs {
		hosts, guests := "host_"+letters(p), "guest_"+letters(p)
		host, guest := login(t, s, hosts), login(t, s, guests)
		for _, c := range []*client{host, guest} {
			c.ask("toggle ready notify report", "report|starting")
			c.ask("set boardstyle 3", "boardstyle")
		}
		host.ask(fmt.Sprintf("invite %s 1", guests), "You invited")
		guest.ask("join "+hosts, "You are now playing")
		for i, c := range []*client{host, guest} {
			wg.Add(1)
			go func() {
				defer wg.Done()
				c.send("board")
				b := &bot{client: c, rng: rand.New(rand.NewPCG(uint64(p), uint64(i)))}
				if !b.play() {
					t.Errorf("pair %d lost its connection", p)
				}
			}()
		}
	}
	wg.Wait()
	all := s.Matches()
	if len(all) != pairs {
		t.Errorf("%d matches, want %d", len(all), pairs)
	}
	for _, r := range all {
		if !r.Finished() {
			t.Errorf("match %d of %v is not finished", r.Number, r.Players)
		}
		checkRecord(t, r)
	}
}
