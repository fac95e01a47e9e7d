package host

import (
	"context"
	"sync"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/protocol"
)

// knockEvery is how often the host tries to connect to a server that takes no connections,
// once for all waiting accounts and without sending anything. When the server is back, the
// accounts log in within backSpread, not all at once.
const (
	knockEvery = 2 * time.Second
	backSpread = 500 * time.Millisecond
)

// knockFunc returns nil if a server takes connections.
type knockFunc func(ctx context.Context) error

// reach tracks which servers are away. The zero value is ready to use.
type reach struct {
	mu     sync.Mutex
	away   map[string]*absence
	knocks sync.WaitGroup // the goroutines that knock
}

// absence is a server that is away, with accounts that wait for it.
type absence struct {
	waiting int
	back    chan struct{} // closed when the server takes connections again
	stop    context.CancelFunc
}

// wait returns when the server takes connections or ctx ends, and reports whether the server
// is back.
func (r *reach) wait(ctx context.Context, address string, try knockFunc) bool {
	r.mu.Lock()
	a := r.away[address]
	if a == nil {
		knocks, stop := context.WithCancel(context.Background())
		a = &absence{back: make(chan struct{}), stop: stop}
		if r.away == nil {
			r.away = map[string]*absence{}
		}
		r.away[address] = a
		r.knocks.Go(func() { r.knock(knocks, address, try, a) })
	}
	a.waiting++
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		if a.waiting--; a.waiting == 0 {
			a.stop()
			if r.away[address] == a {
				delete(r.away, address)
			}
		}
		r.mu.Unlock()
	}()
	select {
	case <-ctx.Done():
		return false
	case <-a.back:
		return true
	}
}

// knock tries the server until it takes a connection or no account waits for it.
func (r *reach) knock(ctx context.Context, address string, try knockFunc, a *absence) {
	tick := time.NewTicker(knockEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		once, cancel := context.WithTimeout(ctx, knockEvery)
		err := try(once)
		cancel()
		if err != nil {
			continue
		}
		r.mu.Lock()
		if r.away[address] == a {
			delete(r.away, address) // accounts that come later found it away again
		}
		r.mu.Unlock()
		close(a.back)
		return
	}
}

// knock returns nil if the server takes connections.
func (s *seat) knock(ctx context.Context) error { return s.proto.Knock(ctx, s.address()) }

// Rest implements bot.Conduct. The wait may end early only if no connection was made: after
// an answer of the server the full wait applies.
func (s *seat) Rest(ctx context.Context, end bot.Ending) {
	s.ended(end)
	ctx, cancel := context.WithTimeout(ctx, end.Wait)
	defer cancel()
	if end.Cause == protocol.CauseDial && s.h.reach.wait(ctx, s.server, s.knock) {
		var stop func()
		ctx, stop = context.WithTimeout(ctx, time.Duration(s.h.random()*float64(backSpread)))
		defer stop()
	}
	<-ctx.Done()
}
