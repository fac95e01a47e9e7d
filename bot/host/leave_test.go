package host

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// playing reports whether the first account plays.
func (r *running) playing() bool { return r.Status().Accounts[0].State == "playing" }

// parting is what an opponent sees when the bot leaves. Its lines may be read after the host has
// ended.
type parting struct {
	mu    sync.Mutex
	games int  // finished
	over  bool // the match is
	left  chan struct{}
	once  sync.Once
}

// see records an observation and calls after with the lock held.
func (p *parting) see(m bot.Observation, after func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	saved := false
	if m.Event != nil {
		saved = m.Event.Kind == protocol.MatchSaved
		if m.Event.Kind == protocol.GameOver {
			p.games++
		}
	}
	p.over = p.over || m.Over != nil
	after()
	if saved || p.over {
		p.once.Do(func() { close(p.left) })
	}
}

// wait waits until the opponent has seen the end.
func (p *parting) wait(t *testing.T) {
	t.Helper()
	select {
	case <-p.left:
	case <-time.After(patience):
		t.Fatal("the opponent never sees the bot leave")
	}
}

func TestDrain(t *testing.T) {
	for _, mode := range []string{"match", "game", "now"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			_, addr := startServer(t, server.Options{Seed: 5})
			c := testConfig(t, addr, "robbie")
			c.Operations.Drain = mode
			h := startHost(t, c, nil)
			h.ready(1)
			seen := parting{left: make(chan struct{})}
			spar(t, addr, "human", "robbie", 5, 0, func(m bot.Observation) {
				seen.see(m, func() {
					if h.playing() {
						h.Drain()
					}
				})
			})
			if err := h.wait(); err != nil {
				t.Fatal(err)
			}
			seen.wait(t)
			seen.mu.Lock()
			defer seen.mu.Unlock()
			switch mode {
			case "match":
				if len(rows(t, c)) != 1 {
					t.Errorf("%d matches finished, want the running one", len(rows(t, c)))
				}
			case "game":
				// With the cube one game may win the match.
				if seen.games != 1 {
					t.Errorf("%d games finished, want one", seen.games)
				}
			case "now":
				if seen.over || seen.games != 0 {
					t.Errorf("match over %v, %d games finished, want none", seen.over, seen.games)
				}
			}
			if st := h.Status(); !st.Draining || st.Accounts[0].State != "stopped" {
				t.Errorf("status %+v", st)
			}
		})
	}
}

// slowTalk sends talk only after a pause of gap, and game commands at once.
func slowTalk(gap time.Duration) func(*Options) {
	return func(o *Options) {
		o.Protocols = onFIBS(fibs.Protocol{Client: func(c *client.Options) { c.Pace = client.Pace{Gap: -1, ChatGap: gap, Burst: -1} }})
	}
}

// TestDrain_playsNoMoreWhileItTalks: chat is still queued when the account has drained. The
// account sends it and does not play on.
func TestDrain_playsNoMoreWhileItTalks(t *testing.T) {
	testsize.Medium(t)
	for mode, queued := range map[string]int{"game": 0, "now": 2} { // commands that may already be sent
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			done, said, played := false, 0, []string(nil)
			_, addr := startServer(t, server.Options{Seed: 5, OnLine: func(_ context.Context, user, line string, _ int) server.Fate {
				mu.Lock()
				defer mu.Unlock()
				if user != "robbie" || !done {
					return server.Carry
				}
				switch word, _, _ := strings.Cut(line, " "); word {
				case "tellx":
					said++
				case "board", "bye", "set", "toggle": // settings that are put back
				default:
					played = append(played, line)
				}
				return server.Carry
			}})
			c := testConfig(t, addr, "robbie")
			c.Operations.Drain = mode
			c.Manners.Greeting = slices.Repeat([]string{"Hello."}, 6)
			h := startHost(t, c, slowTalk(time.Second))
			h.ready(1)
			spar(t, addr, "human", "robbie", 5, 0, func(m bot.Observation) {
				if !h.playing() { // so it has sent its greeting
					return
				}
				h.Drain()
				mu.Lock()
				defer mu.Unlock()
				done = done || mode == "now" || m.Event != nil && m.Event.Kind == protocol.GameOver
			})
			if err := h.wait(); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if said == 0 {
				t.Error("nothing was left to say")
			}
			if len(played) > queued {
				t.Errorf("played on with %q", played)
			}
		})
	}
}

func TestDrain_refusesAndHasALimit(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Operations.DrainLimit = config.Duration(500 * time.Millisecond)
	h := startHost(t, c, nil)
	h.ready(1)
	p := login(t, addr, "human", "secret") // never moves
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	h.until("not playing", func(st ops.Status) bool { return st.Accounts[0].State == "playing" })
	h.Drain()
	p.expect("the bot to go", kind(clip.GameSaved))
	if err := h.wait(); err != nil {
		t.Error(err)
	}
}

// TestDrain_unlimitedEndsWithItsGame: with drain: match the bot leaves an unlimited match after
// the game in progress.
func TestDrain_unlimitedEndsWithItsGame(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	srv, addr := startServer(t, server.Options{Seed: 5})
	c := testConfig(t, addr, "robbie")
	c.Operations.Drain, c.Invitations.Unlimited = "match", true
	h := startHost(t, c, nil)
	h.ready(1)
	seen := parting{left: make(chan struct{})}
	drained := false
	spar(t, addr, "human", "robbie", 0, 0, func(m bot.Observation) {
		seen.see(m, func() {
			// In the middle of the second game.
			if seen.games == 1 && !drained && m.Event != nil && m.Event.Kind == protocol.Moves {
				drained = true
				h.Drain()
			}
		})
	})
	if err := h.wait(); err != nil {
		t.Fatal(err)
	}
	seen.wait(t)
	seen.mu.Lock()
	defer seen.mu.Unlock()
	if !drained || seen.games != 2 {
		t.Errorf("left after %d games, want 2", seen.games)
	}
	// All played moves are saved.
	for _, m := range srv.Matches() {
		if m.Length == 0 && m.Finished() {
			t.Error("an unlimited match has ended for good")
		}
	}
}
