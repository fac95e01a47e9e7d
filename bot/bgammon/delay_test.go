package bgammon_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"fibsbot/bgammon/server"
	"fibsbot/internal/testsize"
)

// hold is a line of the server that reaches alpha late, with all that follows it.
type hold struct {
	line int // from 1 of alpha's first connection; 0 none
	by   time.Duration
	// away is how long beta, whose connection breaks meanwhile, cannot connect; 0 leaves it alone.
	away time.Duration
}

func (h hold) String() string {
	return fmt.Sprintf("line %d held for %v, beta away for %v", h.line, h.by, h.away)
}

// holding is what the connections of both accounts share.
type holding struct {
	hold
	mu      sync.Mutex
	alpha   *heldConn // the first one
	lines   int       // read by it
	ends    []int     // of these, those that follow the last play of a game
	beta    net.Conn  // the last one
	betaOff time.Time // until when beta cannot connect
}

// dial opens connections of which one holds a line back.
func (h *holding) dial(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &heldConn{Conn: c, all: h, closed: make(chan struct{})}, nil
	}
}

// heldConn is a connection of which a line may come late.
type heldConn struct {
	net.Conn
	all    *holding
	late   []byte // what came with the line that is held
	once   sync.Once
	closed chan struct{}
}

// Write finds out whose connection this is.
func (c *heldConn) Write(p []byte) (int, error) {
	h := c.all
	h.mu.Lock()
	switch {
	case bytes.Contains(p, []byte(" BOT_alpha")) && h.alpha == nil:
		h.alpha = c
	case bytes.Contains(p, []byte(" BOT_beta")) && time.Now().Before(h.betaOff):
		h.mu.Unlock()
		return 0, errors.New("no network")
	case bytes.Contains(p, []byte(" BOT_beta")):
		h.beta = c
	}
	h.mu.Unlock()
	return c.Conn.Write(p)
}

func (c *heldConn) Read(p []byte) (int, error) {
	if len(c.late) == 0 {
		n, err := c.Conn.Read(p)
		at := c.all.held(c, p[:n])
		if at < 0 {
			return n, err
		}
		if c.late = bytes.Clone(p[at:n]); at > 0 {
			return at, nil
		}
	}
	if !c.all.begins() {
		n := copy(p, c.late)
		c.late = c.late[n:]
		return n, nil
	}
	select {
	case <-time.After(c.all.by):
	case <-c.closed:
	}
	n := copy(p, c.late)
	c.late = c.late[n:]
	return n, nil
}

func (c *heldConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// held returns where in p the line begins that is held, or -1.
func (h *holding) held(c *heldConn, p []byte) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c != h.alpha {
		return -1
	}
	for at := 0; at < len(p); {
		if h.lines++; h.lines == h.line {
			return at
		}
		end := bytes.IndexByte(p[at:], '\n')
		if end < 0 {
			h.lines-- // counted again with its rest
			break
		}
		if line := p[at : at+end]; bytes.Contains(line, []byte(`"Type":"board"`)) && !bytes.Contains(line, []byte(`"Winner":0`)) {
			h.ends = append(h.ends, h.lines+1)
		}
		at += end + 1
	}
	return -1
}

// begins reports whether the time of the held line begins now, and sends beta away then.
func (h *holding) begins() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.line == 0 {
		return false
	}
	h.line = 0
	if h.away > 0 && h.beta != nil {
		h.betaOff = time.Now().Add(h.away)
		_ = h.beta.Close()
	}
	return true
}

// TestDelay_everyLine: a line of the server, and what follows it, reaches a bot 9 to 30 s late,
// while the opponent stays, or leaves and comes back before or after it. Both archives equal the
// server's record, but for games that say what may be missing; without an opponent who leaves
// nothing is missing. FIBSBOT_SOAK holds every line of up to three matches, otherwise those at the
// ends of games and a sample of the others.
func TestDelay_everyLine(t *testing.T) {
	brief := testsize.Sample(t)
	seeds, stride := 3, 97
	if brief {
		seeds, stride = 1, 500
	}
	if n, err := strconv.Atoi(os.Getenv("FIBSBOT_SOAK")); err == nil && n > 0 {
		seeds, stride = min(n, 3), 1
	}
	runs, marked := 0, 0
	play := func(t *testing.T, seed int, at hold) (lines int, ends []int) {
		h := &holding{hold: at}
		torn, cut := selfPlay(t, 1, 1+seed%3, server.Options{Seed: uint64(seed)}, 24*time.Hour, h.dial)
		if at.away == 0 && torn+cut > 0 {
			t.Errorf("%d games with holes, %d matches without an end, though no connection broke", torn, cut)
		}
		marked += torn + cut
		runs++
		return h.lines, h.ends
	}
	for seed := 1; seed <= seeds; seed++ {
		lines, ends := play(t, seed, hold{})
		if len(ends) == 0 {
			t.Errorf("match %d: no end of a game", seed)
		}
		for i, away := range []time.Duration{0, time.Second, 40 * time.Second} {
			late := slices.Clone(ends)
			for k := 1 + i*stride/3; k <= lines; k += stride {
				late = append(late, k)
			}
			for _, k := range late {
				at := hold{line: k, by: []time.Duration{9, 14, 20, 30}[runs%4] * time.Second, away: away}
				t.Run(fmt.Sprintf("match %d, %v", seed, at), func(t *testing.T) { play(t, seed, at) })
			}
		}
	}
	t.Logf("%d matches, %d games that say what may be missing", runs, marked)
}
