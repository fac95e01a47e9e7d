package farm

import (
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/internal/shard"
)

// TestServer_clockIsStepped: while a job runs the server's clock is set forward and back by
// an hour and a day. No client loses the connection, each piece is run once, and new clients
// find a certificate that is valid by both clocks.
func TestServer_clockIsStepped(t *testing.T) {
	t.Parallel()
	var c clock
	s := testServer(t, ServerOptions{now: c.now, Log: c.log})
	submitKey, workKey := s.KeyFiles()
	boss, work := client(t, s.URL(), submitKey), client(t, s.URL(), workKey)
	var runs atomic.Int64
	testWorker(t, work, "kitchen", nil, square{runs: &runs})
	crew := submit(t, boss, "stepped")
	crew.check = 0
	steps := []time.Duration{time.Hour, -time.Hour, -time.Hour, time.Hour, day, -2 * day, day}
	got := 0
	err := crew.Do(t.Context(), numbers(10*len(steps)), nil, func(k int, _ shard.Result) error {
		if got++; k%10 != 5 {
			return nil
		}
		looked := s.said.Load()
		c.add(steps[k/10])
		comes(t, "a look of the watch", func() bool { now := s.said.Load(); return now != looked && now.Now.Sub(c.now()).Abs() < 30*time.Minute })
		for _, now := range []time.Time{c.now(), time.Now()} {
			if _, err := greet(t, s, workKey, now); err != nil {
				t.Errorf("after %v: %v", steps[k/10], err)
			}
		}
		return nil
	})
	if n := int(runs.Load()); err != nil || got != 10*len(steps) || n != got {
		t.Errorf("%d results, %d runs, %v", got, n, err)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
	if a, b := boss.nc.Stats().Reconnects, work.nc.Stats().Reconnects; a+b != 0 {
		t.Errorf("connections were lost: %d and %d", a, b)
	}
}

// TestServer_clockIsTheCalendars: what the server goes by is set when the clock is.
func TestServer_clockIsTheCalendars(t *testing.T) {
	t.Parallel()
	s := testServer(t, ServerOptions{})
	if now := s.o.now(); now != now.Round(0) { //nolint:staticcheck // not Equal: the monotonic part is what is looked for
		t.Errorf("%v has a part that runs on when the clock is set", now)
	}
}
