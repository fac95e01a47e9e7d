package bgammon_test

import (
	"context"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"fibsbot/bgammon/server"
	"fibsbot/internal/testsize"
)

// badConn breaks after a number of bytes in either direction, delays what is read, and
// hands it out in pieces.
type badConn struct {
	net.Conn
	mu   sync.Mutex
	rng  *rand.Rand
	left int
}

func (c *badConn) spend(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left -= n
	return c.left > 0
}

func (c *badConn) Read(p []byte) (int, error) {
	c.mu.Lock()
	n, wait := 1+c.rng.IntN(600), time.Duration(c.rng.IntN(30))*time.Millisecond
	c.mu.Unlock()
	time.Sleep(wait)
	n, err := c.Conn.Read(p[:min(n, len(p))])
	if !c.spend(n) {
		_ = c.Conn.Close()
		return 0, net.ErrClosed
	}
	return n, err
}

func (c *badConn) Write(p []byte) (int, error) {
	if !c.spend(len(p)) {
		_ = c.Conn.Close()
		return 0, net.ErrClosed
	}
	return c.Conn.Write(p)
}

// badLine makes connections that break after some tens of thousands of bytes, which is
// every game or two.
func badLine(seed uint64) func(func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	var mu sync.Mutex
	return func(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
		return func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			mu.Lock()
			defer mu.Unlock()
			return &badConn{Conn: c, rng: rand.New(rand.NewPCG(rng.Uint64(), 2)), left: 5000 + rng.IntN(150_000)}, nil
		}
	}
}

// Matches over lines that break, delay and tear apart: nothing is lost, and every game
// is archived as the server played it. FIBSBOT_SOAK sets how many matches.
func TestSelfPlay_dropped(t *testing.T) {
	testsize.Medium(t)
	matches := 4
	if n, err := strconv.Atoi(os.Getenv("FIBSBOT_SOAK")); err == nil && n > 0 {
		matches = n
	}
	selfPlay(t, matches, 3, server.Options{Seed: 9}, time.Duration(matches)*24*time.Hour, badLine(9))
}
