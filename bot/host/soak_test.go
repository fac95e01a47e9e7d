package host

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/fibs"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// startProxy damages connections to target until the test ends.
func startProxy(t testing.TB, opt chaos.Options) (*chaos.Proxy, string) {
	t.Helper()
	p, err := chaos.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("proxy: %v", err)
		}
	})
	return p, ln.Addr().String()
}

// wire checks that the accounts under test neither flood nor act in a past state.
type wire struct {
	pace client.Pace

	mu    sync.Mutex
	sent  map[string]*bucket
	lines int
	flood int
	wrong []string
}

// watch is a transcript of one account.
func (w *wire) watch(name string) func(client.Line) {
	var parser clip.Parser
	return func(l client.Line) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if l.Sent {
			w.lines++
			if w.sent[name] == nil {
				w.sent[name] = &bucket{}
			}
			// The client measures from after a write to before the next, so a
			// millisecond may be missing.
			if w.sent[name].take(l.Time, w.pace) > time.Millisecond {
				w.flood++
			}
			return
		}
		for _, ev := range parser.Append(nil, l.Text) {
			switch ev.Kind {
			case clip.MoveRefused, clip.NotYourMove, clip.NotYourRoll, clip.AlreadyRolled, clip.RollFirst, clip.NotYourTurn,
				clip.WaitForMove, clip.CantDouble, clip.CrawfordNoDouble:
				if len(w.wrong) < 20 {
					w.wrong = append(w.wrong, name+": "+ev.Raw)
				}
			}
		}
	}
}

// soak runs pairs of a host's account and a sparring partner until every account
// has finished so many matches or the time is over. edits change the configuration, which it
// returns.
func soak(t *testing.T, mode archivetest.Mode, accounts, matches int, limit time.Duration, faults *chaos.Options, edits ...func(*config.Config)) *config.Config {
	opt := server.Options{Seed: 11, KeepMatches: 100000}
	mode.Set(&opt)
	srv, addr := startServer(t, opt)
	at := addr
	var proxy *chaos.Proxy
	if faults != nil {
		faults.Target = addr
		proxy, at = startProxy(t, *faults)
	}
	var names []string
	for i := range accounts {
		names = append(names, "host_"+string(rune('a'+i/26))+string(rune('a'+i%26)))
	}
	c := testConfig(t, at, names...)
	c.Server.Rate = config.Rate{Every: config.Duration(2 * time.Millisecond), Burst: 10}
	c.Archive.Analyse = "off"
	c.Opponents.Limit.Matches, c.Opponents.MaxDrops = 0, 0
	c.Invitations.Length.Deny = nil
	c.Saved.WaitAfterLeave = config.Duration(10 * time.Millisecond)
	c.Matchmaking.Gap = config.Duration(20 * time.Millisecond)
	for _, edit := range edits {
		edit(c)
	}
	w := &wire{pace: client.Pace{Burst: 10, Every: 2 * time.Millisecond}, sent: map[string]*bucket{}}
	var mu sync.Mutex
	next := 0
	h := startHost(t, c, func(o *Options) {
		// If nothing gets lost, no command may be sent twice, however slow the machine is.
		o.Table = table.Options{Patience: patience, AutoRoll: patience, Idle: patience}
		if faults != nil {
			o.Table.Patience, o.Table.AutoRoll, o.Table.Idle = time.Second, time.Second, 2*time.Second
		}
		o.MaxMatches = matches
		o.Protocols = onFIBS(fibs.Protocol{Client: func(o *client.Options) {
			mu.Lock()
			defer mu.Unlock()
			next++
			o.Transcript = w.watch(fmt.Sprintf("%s %d", o.Name, next))
			o.Answer, o.Goodbye = 500*time.Millisecond, 500*time.Millisecond
		}})
	})
	over := make([]int, accounts)
	for i, name := range names {
		spar(t, addr, "spar_"+name[5:], name, 1+i%3, 0, func(m bot.Observation) {
			if m.Over != nil {
				mu.Lock()
				over[i]++
				mu.Unlock()
			}
		})
	}
	begin := runtime.NumGoroutine()
	select {
	case <-h.done:
	case <-time.After(limit):
		mu.Lock()
		t.Errorf("after %v: %v matches of %d each; %+v", limit, over, matches, h.Status())
		mu.Unlock()
		h.stop()
		<-h.done
	}
	if h.err != nil {
		t.Error(h.err)
	}
	archivetest.Sound(t, c.Archive.Dir, fibs.Protocol{})
	filed := rows(t, c)
	kept := map[string]int{}
	for _, m := range filed {
		kept[m.Account]++
	}
	finished, lost := 0, 0
	for _, m := range srv.Matches() {
		if !m.Finished() {
			continue
		}
		finished++
		for _, p := range m.Players {
			if kept[p]--; kept[p] == -1 && strings.HasPrefix(p, "host_") {
				t.Logf("lost: match %d of %v, %d games, ended %v", m.Number, m.Players, len(m.Games), m.Ended)
				lost++
			}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t.Logf("%d matches finished on the server, %d in the index, %d lines sent, %d goroutines at first and %d at the end", finished, len(filed), w.lines, begin, runtime.NumGoroutine())
	if proxy != nil {
		t.Logf("faults: %+v", proxy.Stats())
	}
	if len(filed) < accounts*matches || len(filed) > finished {
		t.Errorf("%d matches in the index, %d finished, %d wanted", len(filed), finished, accounts*matches)
	}
	// A match whose end was lost is completed from the server's list of moves, unless the next
	// match with the same opponent has erased that list.
	if lost > finished/20 || faults == nil && lost > 0 {
		t.Errorf("%d of %d matches are not in the archive", lost, finished)
	}
	if w.flood > 0 {
		t.Errorf("%d lines above %d at once and one in %v", w.flood, w.pace.Burst, w.pace.Every)
	}
	if faults == nil && len(w.wrong) > 0 {
		t.Errorf("commands for a state that had passed: %q", w.wrong)
	}
	if len(w.wrong) > 0 {
		t.Logf("refused: %q", w.wrong)
	}
	return c
}

func TestSoak(t *testing.T) {
	testsize.Medium(t)
	t.Run("clean", func(t *testing.T) { soak(t, archivetest.Mode{}, 3, 2, patience, nil) })
	t.Run("chaos", func(t *testing.T) {
		soak(t, archivetest.Modes[len(archivetest.Modes)-1], 2, 2, patience, &chaos.Options{Seed: 5, SparedLines: 60,
			ToServer: chaos.Faults{Split: 0.1, Merge: 0.1, Delay: 0.05, MaxDelay: 5 * time.Millisecond},
			ToClient: chaos.Faults{Split: 0.1, Merge: 0.1, Delay: 0.05, MaxDelay: 5 * time.Millisecond, Garbage: 0.01, CutEveryN: 400}})
	})
}

// TestSoak_long is the long form: FIBSBOT_SOAK=30m, with as many accounts as
// FIBSBOT_SOAK_ACCOUNTS says.
func TestSoak_long(t *testing.T) {
	limit, err := time.ParseDuration(os.Getenv("FIBSBOT_SOAK"))
	if err != nil {
		t.Skip("set FIBSBOT_SOAK=30m for the long soak")
	}
	accounts := 20
	if _, err := fmt.Sscan(os.Getenv("FIBSBOT_SOAK_ACCOUNTS"), &accounts); err != nil {
		t.Logf("FIBSBOT_SOAK_ACCOUNTS is not set: %d accounts", accounts)
	}
	soakFor(t, accounts, limit)
}

// soakFor plays for a time and checks that nothing grows.
func soakFor(t *testing.T, accounts int, limit time.Duration) {
	begin := time.Now()
	var first, last runtime.MemStats
	for round := 0; time.Since(begin) < limit; round++ {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			soak(t, archivetest.ModeOf(t), accounts, 3, limit, &chaos.Options{Seed: uint64(round), SparedLines: 60,
				ToServer: chaos.Faults{Split: 0.1, Merge: 0.1},
				ToClient: chaos.Faults{Split: 0.1, Merge: 0.1, Garbage: 0.01, CutHalf: 0.001, CutEveryN: 500}})
		})
		runtime.GC()
		runtime.ReadMemStats(&last)
		if round == 0 {
			first = last
		}
	}
	t.Logf("heap in use %d KiB after the first round, %d KiB after the last", first.HeapInuse>>10, last.HeapInuse>>10)
	if last.HeapInuse > 2*first.HeapInuse+(64<<20) {
		t.Error("the heap grows")
	}
}
