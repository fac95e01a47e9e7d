package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Faults is what happens to the lines of one direction. The probabilities, 0
// to 1, are for each line; the zero value passes everything unchanged.
type Faults struct {
	Delay     float64       // hold the line back for up to MaxDelay
	MaxDelay  time.Duration // 20 ms when Delay is set and this is not
	Cut       float64       // break the connection before the line
	CutHalf   float64       // send half the line, then break the connection
	Duplicate float64       // send the line twice
	Drop      float64       // lose the line
	Garbage   float64       // put a line of noise before it
	Split     float64       // send the line in two packets
	Merge     float64       // keep the line and send it together with the next
	CutEveryN int           // break the connection after about so many lines (N/2 to 3N/2); 0 never
}

// Options says what the proxy does.
type Options struct {
	// Target is the address of the server.
	Target string
	// Seed makes the faults repeatable.
	Seed uint64
	// ToServer are the faults of what clients send, ToClient of what they get.
	ToServer, ToClient Faults
	// SparedLines pass unharmed at the start of each direction, so that a
	// login can succeed. CutEveryN counts from there.
	SparedLines int
	// Dial opens connections to the target; a plain dialler by default.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Sleep waits; tests with a clock of their own set it. It returns early
	// when ctx ends.
	Sleep func(ctx context.Context, d time.Duration)
}

// Stats counts what the proxy has done so far.
type Stats struct {
	Connections, Lines, Delayed, Cut, Halved, Duplicated, Dropped, Garbage, Split, Merged int64
}

// Proxy passes connections on to a server and spoils them.
type Proxy struct {
	opts  Options
	stats struct {
		connections, lines, delayed, cut, halved, duplicated, dropped, garbage, split, merged atomic.Int64
	}

	mu   sync.Mutex
	live map[int]*link
}

// maxHeld bounds what the proxy keeps of one direction: a longer line or
// merged packet is passed on in pieces.
const maxHeld = 16 << 10

// New makes a proxy. It fails on a probability outside 0 to 1.
func New(opts Options) (*Proxy, error) {
	if opts.Target == "" {
		return nil, errors.New("chaos: no target address")
	}
	for name, f := range map[string]*Faults{"to server": &opts.ToServer, "to client": &opts.ToClient} {
		for _, p := range []float64{f.Delay, f.Cut, f.CutHalf, f.Duplicate, f.Drop, f.Garbage, f.Split, f.Merge} {
			if p < 0 || p > 1 || p != p {
				return nil, fmt.Errorf("chaos: %s: probability %v is not between 0 and 1", name, p)
			}
		}
		if f.CutEveryN < 0 {
			return nil, fmt.Errorf("chaos: %s: CutEveryN %d is negative", name, f.CutEveryN)
		}
		if f.Delay > 0 && f.MaxDelay <= 0 {
			f.MaxDelay = 20 * time.Millisecond
		}
	}
	if opts.Dial == nil {
		var d net.Dialer
		opts.Dial = d.DialContext
	}
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	return &Proxy{opts: opts, live: map[int]*link{}}, nil
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// Serve accepts clients on ln until ctx ends and returns nil then. All its
// connections are closed when it returns.
func (p *Proxy) Serve(ctx context.Context, ln net.Listener) error {
	defer ln.Close()
	stop := context.AfterFunc(ctx, func() { ln.Close() })
	defer stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for n := 0; ; n++ {
		client, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			return fmt.Errorf("chaos: accept: %w", err)
		}
		wg.Go(func() { p.carry(ctx, client, n) })
	}
}

// CutAll breaks all open connections and returns how many there were.
func (p *Proxy) CutAll() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.live {
		l.cut()
	}
	return len(p.live)
}

// Stats returns what has happened so far.
func (p *Proxy) Stats() Stats {
	s := &p.stats
	return Stats{
		Connections: s.connections.Load(), Lines: s.lines.Load(), Delayed: s.delayed.Load(),
		Cut: s.cut.Load(), Halved: s.halved.Load(), Duplicated: s.duplicated.Load(), Dropped: s.dropped.Load(),
		Garbage: s.garbage.Load(), Split: s.split.Load(), Merged: s.merged.Load(),
	}
}

// link is one client's connection through the proxy.
type link struct {
	client, server net.Conn
	cancel         context.CancelFunc
}

// cut breaks both halves hard, as a lost line does.
func (l *link) cut() {
	l.cancel()
	for _, c := range []net.Conn{l.client, l.server} {
		if t, ok := c.(interface{ SetLinger(sec int) error }); ok {
			t.SetLinger(0)
		}
		c.Close()
	}
}

// carry joins a client with the server until one of them or a fault ends it.
func (p *Proxy) carry(ctx context.Context, client net.Conn, number int) {
	p.stats.connections.Add(1)
	server, err := p.opts.Dial(ctx, "tcp", p.opts.Target)
	if err != nil {
		client.Close()
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &link{client: client, server: server, cancel: cancel}
	p.mu.Lock()
	p.live[number] = l
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.live, number)
		p.mu.Unlock()
	}()
	stop := context.AfterFunc(ctx, func() { client.Close(); server.Close() })
	defer stop()

	var wg sync.WaitGroup
	for way := range 2 {
		d := &direction{proxy: p, link: l, from: client, to: server, faults: p.opts.ToServer}
		if way == 1 {
			d.from, d.to, d.faults = server, client, p.opts.ToClient
		}
		d.rng = rand.New(rand.NewPCG(p.opts.Seed, uint64(number)*2+uint64(way)))
		d.spare = p.opts.SparedLines
		if n := d.faults.CutEveryN; n > 0 {
			d.cutAfter = max(1, n/2+d.rng.IntN(n+1))
		}
		wg.Go(func() {
			d.run(ctx)
			// The other way ends too, once what was written is out.
			cancel()
		})
	}
	wg.Wait()
}
