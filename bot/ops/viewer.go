//go:build !js

package ops

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"fibsbot/internal/panics"
)

// freshFor is how long all readers share a view before a new one is made, so that many
// readers cost no more than one.
const freshFor = time.Second

// viewer keeps the last view.
type viewer struct {
	making singleflight.Group
	last   atomic.Pointer[view]
}

type view struct {
	at time.Time
	Status
}

// get returns the view of this second. One caller makes it, others wait for it until
// their context ends.
func (v *viewer) get(ctx context.Context, s *Server) (Status, error) {
	made := v.making.DoChan("", func() (_ any, err error) {
		defer panics.Recover(&err)
		if last := v.last.Load(); last != nil && time.Since(last.at) < freshFor {
			return last.Status, nil
		}
		now := view{at: time.Now()}
		if s.View == nil {
			now.Status = s.Status()
		} else {
			now.Status = s.View(context.WithoutCancel(ctx)) // others wait for the same view
		}
		v.last.Store(&now)
		return now.Status, nil
	})
	select {
	case r := <-made:
		if r.Err != nil {
			panic(r.Err) // in the goroutine of a reader, where it ends only the request
		}
		return r.Val.(Status), nil
	case <-ctx.Done():
		return Status{}, ctx.Err()
	}
}

// LiveView is the view of this second, as pages of this process show it.
func (s *Server) LiveView(ctx context.Context) (Status, error) { return s.view.get(ctx, s) }
