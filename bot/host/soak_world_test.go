package host

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/memnet"
)

// The addresses of the world: the server, and a line to it that breaks.
const (
	fibsAddress = "fibs:4321"
	lineAddress = "line:4321"
)

// world is a server that stops and starts, the connections to it, and the people who play
// there. It runs in a bubble of testing/synctest.
type world struct {
	t     *testing.T
	net   *memnet.Network
	proxy *chaos.Proxy
	opt   server.Options
	rng   *rand.Rand

	srv  *server.Server // nil while it is down
	stop func()

	finished map[string]server.MatchRecord // by number and start
	replaced int
}

// newWorld starts the line; the server is started by up. faults may be nil.
func newWorld(t *testing.T, seed uint64, faults *chaos.Options, j *judge) *world {
	t.Helper()
	w := &world{t: t, net: &memnet.Network{Latency: 25 * time.Millisecond}, rng: rand.New(rand.NewPCG(seed, 2)), finished: map[string]server.MatchRecord{}}
	w.opt = server.Options{Seed: seed, AutoAccounts: true, KeepMatches: 1500, Data: filepath.Join(memoryDir(t), "server"), CheapPasswords: true,
		OnLine: j.online, OnDone: j.done}
	if faults != nil {
		faults.Target, faults.Dial = fibsAddress, w.net.Dial
		p, err := chaos.New(*faults)
		if err != nil {
			t.Fatal(err)
		}
		w.proxy = p
		w.serve(lineAddress, p.Serve)
	}
	return w
}

// memoryDir is a temporary folder, in memory if the system has one: the disk would take longer
// than the simulation.
func memoryDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "fibsbot-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// serve runs a listener until the test ends or the returned function is called.
func (w *world) serve(address string, run func(context.Context, net.Listener) error) (stop func()) {
	w.t.Helper()
	ln, err := w.net.Listen(address)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := run(ctx, ln); err != nil {
			w.t.Errorf("%s: %v", address, err)
		}
	}()
	stop = func() {
		cancel()
		<-done
	}
	w.t.Cleanup(stop)
	return stop
}

// up starts the server.
func (w *world) up() {
	w.t.Helper()
	srv, err := server.New(w.opt)
	if err != nil {
		w.t.Fatal(err)
	}
	w.srv = srv
	w.stop = w.serve(fibsAddress, srv.Serve)
}

// down stops the server, which saves its matches.
func (w *world) down() {
	w.stop()
	w.collect()
	w.srv = nil
}

// collect takes the records of finished matches.
func (w *world) collect() {
	if w.srv == nil {
		return
	}
	for _, m := range w.srv.Matches() {
		key := fmt.Sprintf("%d %s", m.Number, m.Started.Format(time.RFC3339Nano))
		if _, have := w.finished[key]; have {
			continue
		}
		if m.Replaced {
			w.replaced++
			w.t.Errorf("match %d of %v was thrown away for another", m.Number, m.Players)
		}
		if m.Finished() {
			w.finished[key] = m
		}
	}
}

// dial connects over the unreliable line, if there is one. While the server is down the
// connection is refused, as without a proxy.
func (w *world) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	to := fibsAddress
	if w.proxy != nil && w.net.Listening(fibsAddress) {
		to = lineAddress
	}
	return w.net.Dial(ctx, network, to)
}

// partner is a player who invites the accounts under test and plays by rules of thumb. It is
// sometimes slow, sometimes leaves, and resumes saved matches.
type partner struct {
	bot.Plain
	names   []string
	lengths []int
	rng     *rand.Rand
	next    time.Time
}

// Step implements bot.Conduct: now and then it picks a player to invite.
func (p *partner) Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) time.Time {
	p.Invite = ""
	if t.Free() && !now.Before(p.next) {
		p.next = now.Add(10*time.Second + time.Duration(p.rng.IntN(20000))*time.Millisecond)
		for range 5 {
			name := p.names[p.rng.IntN(len(p.names))]
			if w, ok := t.Lobby().User(name); ok && w.Available() {
				p.Invite, p.Length = name, p.lengths[p.rng.IntN(len(p.lengths))]
				break
			}
		}
	}
	wake := p.Plain.Step(t, due, ev, now)
	if t.Free() && (wake.IsZero() || p.next.Before(wake)) {
		wake = p.next
	}
	return wake
}

// people starts a partner until stop is called. After a lost connection the partner returns
// within away; its orders make it leave.
func (w *world) people(name string, hosts []string, lengths []int, away time.Duration) (orders chan<- bot.Order, stop func()) {
	rng := rand.New(rand.NewPCG(w.rng.Uint64(), 3))
	slow := rand.New(rand.NewPCG(w.rng.Uint64(), 4)) // used by the decision's goroutine
	var mu sync.Mutex
	ch := make(chan bot.Order, 4)
	a := &bot.Account{Protocol: fibs.Protocol{},
		Name: name, Conduct: &partner{Plain: bot.Plain{Min: 1, Max: 99, Every: 5 * time.Second, Backoff: bot.Backoff{Min: min(away, 3*time.Second), Max: away}},
			names: hosts, lengths: lengths, rng: rng},
		Dial: fibs.Dialer(client.Options{Address: fibsAddress, Name: name, Password: clip.NewSecret("secret"),
			Telnet: telnetOver(w.dial)}),
		Orders: ch, Archive: archive.Options{},
		Pace: func(table.Situation, table.Answer) time.Duration {
			mu.Lock()
			defer mu.Unlock()
			if slow.IntN(3000) == 0 {
				return 9 * time.Minute // gone for a coffee
			}
			return 500*time.Millisecond + time.Duration(slow.ExpFloat64()*1.5*float64(time.Second))
		},
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			err := a.Run(ctx)
			if err == nil {
				return
			}
			if w.opt.Closing == 0 {
				w.t.Errorf("%s: %v", name, err)
				return
			}
			time.Sleep(away) // refused before a restart: people try again
		}
	}()
	return ch, func() {
		cancel()
		<-done
	}
}

// intrude logs in under a player's name, which ends that player's connection, for the time stay.
func (w *world) intrude(name string, stay time.Duration) {
	c, err := client.Dial(context.Background(), client.Options{Address: fibsAddress, Name: name, Password: clip.NewSecret("secret"),
		Passive: true, Telnet: telnetOver(w.net.Dial)})
	if err != nil {
		return // the server is down, or the account does not exist yet
	}
	go func() {
		time.Sleep(stay)
		c.Close()
	}()
	for range c.Events() {
	}
	c.Close()
}
