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
)

// playing reports whether the first account plays.
func (r *running) playing() bool { return r.Status().Accounts[0].State == "playing" }

func TestDrain(t *testing.T) {
	for _, mode := range []string{"match", "game", "now"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			_, addr := startServer(t, server.Options{Seed: 5})
			c := testConfig(t, addr, "robbie")
			c.Operations.Drain = mode
			h := startHost(t, c, nil)
			h.ready(1)
			var once sync.Once
			var mu sync.Mutex
			games, over := 0, false
			spar(t, addr, "human", "robbie", 5, 0, func(m bot.Observation) {
				mu.Lock()
				defer mu.Unlock()
				if h.playing() {
					once.Do(h.Drain)
				}
				if m.Event != nil {
					switch m.Event.Kind {
					case protocol.GameOver:
						games++
					}
				}
				over = over || m.Over != nil
			})
			if err := h.wait(); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			switch mode {
			case "match":
				if len(rows(t, c)) != 1 {
					t.Errorf("%d matches finished, want the running one", len(rows(t, c)))
				}
			case "game":
				// One game may win the whole match: the cube is in play.
				if games != 1 {
					t.Errorf("%d games finished, want one", games)
				}
			case "now":
				if over || games != 0 {
					t.Errorf("match over %v, %d games finished, want none", over, games)
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

// TestDrain_playsNoMoreWhileItTalks: talk still waits to be sent when the account has finished
// what operations.drain says. The account sends it and plays no more.
func TestDrain_playsNoMoreWhileItTalks(t *testing.T) {
	for mode, queued := range map[string]int{"game": 0, "now": 2} { // commands that may be on their way
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
				case "board", "bye":
				default:
					played = append(played, line)
				}
				return server.Carry
			}})
			c := testConfig(t, addr, "robbie")
			c.Operations.Drain = mode
			c.Manners.Greeting = slices.Repeat([]string{"Hello."}, 3)
			h := startHost(t, c, slowTalk(time.Second))
			h.ready(1)
			spar(t, addr, "human", "robbie", 5, 0, func(m bot.Observation) {
				if !h.playing() { // and so it has greeted
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

// TestDrain_unlimitedEndsWithItsGame: an unlimited match has no other end, so under
// drain: match it ends with the running game, and not before.
func TestDrain_unlimitedEndsWithItsGame(t *testing.T) {
	srv, addr := startServer(t, server.Options{Seed: 5})
	c := testConfig(t, addr, "robbie")
	c.Operations.Drain, c.Invitations.Unlimited = "match", true
	h := startHost(t, c, nil)
	h.ready(1)
	var mu sync.Mutex
	games, after, drained := 0, -1, false
	spar(t, addr, "human", "robbie", 0, 0, func(m bot.Observation) {
		mu.Lock()
		defer mu.Unlock()
		if m.Event != nil && m.Event.Kind == protocol.GameOver {
			games++
		}
		// In the middle of the second game.
		if games == 1 && !drained && m.Event != nil && m.Event.Kind == protocol.Moves {
			drained, after = true, games
			h.Drain()
		}
	})
	if err := h.wait(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !drained || games != after+1 {
		t.Errorf("left after %d games, drained during game %d", games, after+1)
	}
	// What was played is saved, and nothing of it is lost.
	for _, m := range srv.Matches() {
		if m.Length == 0 && m.Finished() {
			t.Error("an unlimited match has ended for good")
		}
	}
}
