//go:build !js

package ops

import (
	"context"
	"sync"
	"time"
)

// freshFor is how long all readers share a view before a new one is made, so that many
// readers cost no more than one.
const freshFor = time.Second

// viewer keeps the last view.
type viewer struct {
	mu     sync.Mutex
	at     time.Time
	last   Status
	making chan struct{} // closed when the view that is being made is there; nil when none is
}

// get returns the view of this second. One caller makes it, others wait for it until
// their context ends.
func (v *viewer) get(ctx context.Context, s *Server) (Status, error) {
	v.mu.Lock()
	for v.making != nil {
		making := v.making
		v.mu.Unlock()
		select {
		case <-making:
		case <-ctx.Done():
			return Status{}, ctx.Err()
		}
		v.mu.Lock()
	}
	if !v.at.IsZero() && time.Since(v.at) < freshFor {
		defer v.mu.Unlock()
		return v.last, nil
	}
	made := make(chan struct{})
	v.making = made
	v.mu.Unlock()
	at := time.Now()
	st, ok := Status{}, false
	defer func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.making = nil; ok { // not after a fault of this program
			v.at, v.last = at, st
		}
		close(made)
	}()
	if s.View == nil {
		st = s.Status()
	} else {
		st = s.View(context.WithoutCancel(ctx)) // others wait for the same view
	}
	ok = true
	return st, nil
}

// LiveView is the view of this second, as pages of this process show it.
func (s *Server) LiveView(ctx context.Context) (Status, error) { return s.view.get(ctx, s) }
