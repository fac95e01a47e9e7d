package server

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/internal/pwhash"
	"fibsbot/internal/testsize"
)

// The load test looks at what one address, a crowd and a large store do to those
// who play. FIBSBOT_LOAD=1 makes it as heavy as the issue asks; -v prints figures.
//
//	FIBSBOT_LOAD=1 go test ./fibs/server -run TestLoad -v
var heavy = os.Getenv("FIBSBOT_LOAD") != ""

func size(light, full int) int {
	if heavy {
		return full
	}
	return light
}

// probe asks for the time again and again, as a player would for something, and
// keeps how long the answers took.
type probe struct {
	stop chan struct{}
	done chan struct{}
	took []time.Duration
}

func newProbe(t *testing.T, s *Server, name string) *probe {
	t.Helper()
	c := login(t, s, name)
	p := &probe{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		for {
			select {
			case <-p.stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
			begin := time.Now()
			c.sock.SetWriteDeadline(begin.Add(patience))
			if _, err := c.sock.Write([]byte("time\r\n")); err != nil {
				t.Errorf("%s lost its connection: %v", name, err)
				return
			}
			for {
				line, err := c.next()
				if err != nil {
					t.Errorf("%s lost its connection: %v", name, err)
					return
				}
				if strings.Contains(line, "UTC   (") {
					break
				}
			}
			p.took = append(p.took, time.Since(begin))
		}
	}()
	return p
}

// figures ends the probe and says how long answers took.
func (p *probe) figures() string {
	close(p.stop)
	<-p.done
	if len(p.took) == 0 {
		return "no answers"
	}
	slices.Sort(p.took)
	at := func(q float64) time.Duration {
		return p.took[int(q*float64(len(p.took)-1))].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("%d answers: median %v, 99 %% %v, longest %v", len(p.took), at(0.5), at(0.99), at(1))
}

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// flood opens connections that say nothing until the test ends, as fast as it can.
func flood(t *testing.T, s *Server, n int) (open, refused int) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.SetReadDeadline(time.Now().Add(patience))
		b := make([]byte, 64)
		n, err := c.Read(b)
		if err != nil || bytes.HasPrefix(b[:n], []byte("Too many")) {
			refused++
		} else {
			open++
		}
	}
	return open, refused
}

// TestLoad_silentConnections: one address that opens a thousand connections has its
// share of places, and all others can log in and get answers.
func TestLoad_silentConnections(t *testing.T) {
	n := size(60, 1000)
	s := start(t, Options{Limits: Limits{Connections: 32}, MaxConns: 1000})
	p := newProbe(t, s, "probe")
	before := heap()
	open, refused := flood(t, s, n)
	if open != 31 || refused != n-31 {
		t.Errorf("%d connections open, %d refused", open, refused)
	}
	t.Logf("%d silent connections of one address: %d open, %d refused; %s; heap %d KiB more",
		n, open, refused, p.figures(), int64(heap()-before)/1024)

	// Without a limit by address all places are taken; the old ones make room.
	at := &clock{at: time.Unix(1700000000, 0)}
	s = start(t, Options{MaxConns: n, Now: at.now})
	before = heap()
	open, _ = flood(t, s, n)
	grown := int64(heap()-before) / 1024
	at.add(evictAfter)
	for tries := 1; ; tries++ {
		c := dial(t, s)
		if line, _ := c.next(); strings.HasPrefix(line, "Too many") {
			continue
		}
		c.send("login tester 1008 alice secret")
		c.expect("^1 alice")
		t.Logf("%d of %d places taken by silent connections, heap %d KiB more: a user is in at try %d", open, n, grown, tries)
		break
	}
}

// TestLoad_registrationStorm: one address gets the accounts it may have, and those
// who play do not notice. On disk passwords are hashed well, which takes time.
func TestLoad_registrationStorm(t *testing.T) {
	testsize.Medium(t)
	dir := tempDir(t)
	for name, opts := range map[string]Options{
		"limited":   {Limits: Limits{Registrations: 6, AllRegistrations: 200}},
		"unlimited": {},
	} {
		opts.Data = filepath.Join(dir, name)
		opts.AutoAccounts = true
		if name == "limited" {
			opts.Accounts = map[string]string{"probe": "secret"}
		}
		s := start(t, opts)
		p := newProbe(t, s, "probe")
		begin := time.Now()
		var next, made atomic.Int64
		until := begin.Add(time.Duration(size(200, 5000)) * time.Millisecond)
		var wg sync.WaitGroup
		for range 20 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for time.Now().Before(until) {
					c, err := net.Dial("tcp", s.Addr().String())
					if err != nil {
						t.Error(err)
						return
					}
					fmt.Fprintf(c, "login tester 1008 %s secret\r\nbye\r\n", nameOf(int(next.Add(1))))
					c.SetReadDeadline(time.Now().Add(patience))
					r := bufio.NewScanner(c)
					for r.Scan() {
						if strings.HasPrefix(r.Text(), "1 ") {
							made.Add(1)
							break
						}
					}
					c.Close()
				}
			}()
		}
		wg.Wait()
		t.Logf("registration storm, %s: %d tries, %d accounts in %v; %s", name, next.Load(), made.Load(), time.Since(begin).Round(time.Millisecond), p.figures())
		if name == "limited" && made.Load() > 7 { // one comes back while the storm lasts
			t.Errorf("%d accounts of one address", made.Load())
		}
	}
}

// TestLoad_tellers: twenty users who talk as fast as they can do not disconnect the player whom
// they talk to, and do not stop the match.
func TestLoad_tellers(t *testing.T) {
	testsize.Medium(t)
	s := start(t, Options{})
	victim := login(t, s, "victim")
	heard := make(chan int, 1)
	first := make(chan struct{})
	var tellers []*client
	go func() {
		n := 0
		defer func() {
			if n == 0 {
				close(first)
			}
			heard <- n
		}()
		for {
			line, err := victim.next()
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "12 ") {
				if n++; n == 1 {
					close(first)
				}
			}
			if strings.HasPrefix(line, "** Unknown command: 'over'") {
				return
			}
		}
	}()
	p := newProbe(t, s, "probe")
	begin := time.Now()
	var sent atomic.Int64
	var wg sync.WaitGroup
	line := "tell victim " + strings.Repeat("x", maxText) + "\r\n"
	for i := range 20 {
		c := login(t, s, nameOf(i))
		tellers = append(tellers, c)
		wg.Add(1)
		go func() { // reads its echoes
			defer wg.Done()
			for {
				if _, err := c.r.ReadString('\n'); err != nil {
					return
				}
			}
		}()
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.sock.SetWriteDeadline(time.Time{})
			for {
				if _, err := c.sock.Write([]byte(line)); err != nil {
					return
				}
				sent.Add(1)
			}
		}()
	}
	<-first
	time.Sleep(time.Duration(size(400, 15000)) * time.Millisecond)
	online := s.Users()
	figures := p.figures()
	for _, c := range tellers {
		c.sock.Close()
	}
	wg.Wait()
	victim.sock.SetWriteDeadline(time.Now().Add(patience))
	if _, err := victim.sock.Write([]byte("over\r\n")); err != nil {
		t.Error(err)
	}
	n := <-heard
	took := time.Since(begin).Seconds()
	t.Logf("20 tellers for %.1f s: %d lines written, %d heard (%.0f a second); %s", took, sent.Load(), n, float64(n)/took, figures)
	if !slices.Contains(online, "victim") {
		t.Error("the victim was thrown off")
	}
	if most := 20 * (100 + 10*(took+2)); float64(n) > most || n == 0 {
		t.Errorf("%d lines heard, at most %.0f are allowed", n, most)
	}
}

// TestLoad_accounts: a large store starts, takes bounded memory, and a save of all of it delays
// no one.
func TestLoad_accounts(t *testing.T) {
	testsize.Medium(t)
	n := size(2000, 100_000)
	dir := tempDir(t)
	opts := Options{Data: dir, CheapPasswords: true, MaxAccounts: n + 10, Accounts: map[string]string{"probe": "secret"}}
	s, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	before := heap()
	k, err := pwhash.New("secret", true)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	for i := range n {
		own, err := pwhash.Read(k.Text()) // with memory of its own
		if err != nil {
			t.Fatal(err)
		}
		a := &account{Name: nameOf(i), secret: own,
			Rating: 1500 + float64(i%500), Experience: i % 1000, LastHost: "192.0.2.1", Email: nameOf(i) + "@example.com", Settings: standard}
		if err := s.register(a); err != nil {
			t.Fatal(err)
		}
	}
	s.release()
	begin := time.Now()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	written := time.Since(begin)
	s = nil
	begin = time.Now()
	s2, stop := startStoppable(t, opts)
	defer stop()
	started := time.Since(begin)
	used := int64(heap()-before) / (1 << 20)
	p := newProbe(t, s2, "probe")
	var longest time.Duration
	begin = time.Now()
	s2.mu.Lock()
	for _, a := range s2.accounts {
		s2.changedAccount(a)
	}
	s2.release()
	p2 := newProbe(t, s2, nameOf(7))
	stalls := make(chan struct{})
	var saved time.Duration
	go func() {
		defer close(stalls)
		if err := s2.flush(); err != nil {
			t.Error(err)
		}
		saved = time.Since(begin)
	}()
	for range 1_000_000 {
		select {
		case <-stalls:
		default:
			look := time.Now()
			s2.mu.Lock()
			longest = max(longest, time.Since(look))
			s2.release()
			runtime.Gosched()
			continue
		}
		break
	}
	<-stalls
	t.Logf("%d accounts: first save %v, start %v, %d MiB of heap; a save of all of them took %v, the world was locked for others %v at most; %s; %s",
		n, written.Round(time.Millisecond), started.Round(time.Millisecond), used, saved.Round(time.Millisecond), longest.Round(10*time.Microsecond), p.figures(), p2.figures())
	if used > 400 {
		t.Errorf("%d MiB of heap", used)
	}
	hold := holdOfSave(s2)
	t.Logf("one batch of a save holds the mutex for %v", hold.Round(time.Microsecond))
	if heavy && hold > 20*time.Millisecond {
		t.Errorf("a save holds up others for %v", hold)
	}
}

// holdOfSave is how long the world is locked for one batch of a save: the least of
// some tries, for other programs run on this machine too.
func holdOfSave(s *Server) time.Duration {
	least := time.Hour
	for range 5 {
		s.store.writing.Lock()
		s.mu.Lock()
		for _, a := range s.accounts {
			if s.changedAccount(a); len(s.store.accounts) == saveAccounts {
				break
			}
		}
		s.release()
		begin := time.Now()
		c, _ := s.takeChanges()
		least = min(least, time.Since(begin))
		s.giveBack(c)
		s.store.writing.Unlock()
	}
	return least
}
