package server

import (
	"context"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"

	"fibsbot/fibs/chaos"
)

// lineCutter runs a proxy in front of a server and returns its address.
func lineCutter(t *testing.T, s *Server, opts chaos.Options) (string, *chaos.Proxy) {
	t.Helper()
	opts.Target = s.Addr().String()
	p, err := chaos.New(opts)
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
			t.Error(err)
		}
	})
	return ln.Addr().String(), p
}

// stubborn plays one match over an unreliable connection: whenever it breaks, stubborn logs in
// again and resumes. It ends when no match is left.
func stubborn(t *testing.T, address, name string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for try := 0; ; try++ {
		if try > 500 || t.Failed() {
			t.Errorf("%s: not done after %d connections", name, try)
			return
		}
		sock, err := net.Dial("tcp", address)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		b := &bot{client: newClient(t, sock), rng: rng}
		b.breaks = true
		if b.session(name) {
			sock.Close()
			return
		}
		sock.Close()
	}
}

// session is one connection's part of a match; true when the match is over.
func (b *bot) session(name string) bool {
	for _, line := range []string{"login tester 1008 " + name + " secret", "set boardstyle 3", "show saved", "board"} {
		if _, err := b.sock.Write([]byte(line + "\r\n")); err != nil {
			return false
		}
	}
	for {
		line, err := b.next()
		if err != nil {
			return false
		}
		if line == "no saved games." {
			return true
		}
		if strings.HasPrefix(line, "board:You") || strings.HasPrefix(line, "** You're not playing") {
			b.last = ""
			if strings.HasPrefix(line, "board:") {
				b.decide(line)
			}
			return b.play()
		}
	}
}

// TestChaos_matchIsFinishedOverABreakingLine plays a 3-point match whose
// connections break every 60 lines or so.
func TestChaos_matchIsFinishedOverABreakingLine(t *testing.T) {
	s := start(t, Options{Seed: 21})
	address, proxy := lineCutter(t, s, chaos.Options{
		Seed: 4, SparedLines: 60,
		ToClient: chaos.Faults{CutEveryN: 60, Split: 0.2, Merge: 0.2},
	})
	begin(t, s, "3")
	s.DropUser("alice")
	s.DropUser("bob")
	var wg sync.WaitGroup
	for i, name := range []string{"alice", "bob"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			stubborn(t, address, name, uint64(i))
		}()
	}
	wg.Wait()
	all := s.Matches()
	if len(all) != 1 || !all[0].Finished() {
		t.Fatalf("%d matches: %+v", len(all), all)
	}
	checkRecord(t, all[0])
	if st := proxy.Stats(); st.Cut == 0 {
		t.Errorf("no connection was cut: %+v", st)
	}
}
