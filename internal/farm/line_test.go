package farm

import (
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// weather is what a line is like: how long bytes take each way, how many go through in a
// second each way, and after how many it breaks.
type weather struct {
	delay, jitter time.Duration // a chunk takes delay and up to jitter more; none overtakes
	rate          int           // bytes a second
	cuts          atomic.Int64  // how often it still breaks
	most          int           // bytes at most from one break to the next

	mu   sync.Mutex
	dice *rand.Rand
	left int // bytes until the next break
}

func newWeather(seed uint64, cuts, most int) *weather {
	w := &weather{delay: 25 * time.Millisecond, jitter: 20 * time.Millisecond, rate: 64 << 10, most: most, dice: rand.New(rand.NewPCG(seed, 1))}
	w.cuts.Store(int64(cuts))
	w.left = most/4 + w.dice.IntN(most)
	return w
}

// pass takes a chunk into account: how long it is under way beside the others, and whether
// the line breaks with it.
func (w *weather) pass(bytes int) (under time.Duration, breaks bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left -= bytes; w.left < 0 && w.cuts.Load() > 0 {
		w.cuts.Add(-1)
		w.left, breaks = w.most/4+w.dice.IntN(w.most), true
	}
	return w.delay + time.Duration(w.dice.Int64N(int64(w.jitter))), breaks
}

// carry is one direction of a connection; cut breaks all of the line.
func (w *weather) carry(to io.Writer, from io.Reader, cut func()) {
	if w == nil {
		_, _ = io.Copy(to, from)
		return
	}
	type chunk struct {
		data []byte
		due  time.Time
	}
	under := make(chan chunk, 4096)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(under)
	wg.Go(func() {
		for c := range under {
			time.Sleep(time.Until(c.due))
			if _, err := to.Write(c.data); err != nil {
				for range under { // who reads must not wait for us
				}
				return
			}
		}
	})
	var free time.Time // when the line has sent what it has
	for {
		data := make([]byte, 1400)
		n, err := from.Read(data)
		if n > 0 {
			late, breaks := w.pass(n)
			if breaks {
				cut()
				return
			}
			if now := time.Now(); free.Before(now) {
				free = now
			}
			free = free.Add(time.Duration(n) * time.Second / time.Duration(w.rate))
			under <- chunk{data[:n], free.Add(late)}
		}
		if err != nil {
			return
		}
	}
}

// TestFarm_badLines: two workers and a command behind lines that are slow and narrow, those
// of the workers broken at random (a command's: resultsLostOnTheWay), come to the result of a good network, each piece counted once.
func TestFarm_badLines(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submitKey, workKey := s.KeyFiles()
	to := strings.TrimPrefix(s.URL(), "tls://")
	bad := []*weather{newWeather(1, 0, 60_000), newWeather(2, 1, 30_000), newWeather(3, 1, 30_000)}
	at := func(i int, key string) *Client {
		return client(t, "tls://"+badLine(t, to, bad[i]).listener.Addr().String(), key)
	}
	const n = 200
	var runs atomic.Int64
	crew := submit(t, at(0, submitKey), "bad lines")
	for i, name := range []string{"a", "b"} {
		testWorker(t, at(1+i, workKey), name, func(w *Worker) { w.Threads = 16 }, square{runs: &runs})
	}
	taken := map[int]int{}
	err := crew.Do(t.Context(), numbers(n), nil, func(k int, r shard.Result) error {
		taken[k]++
		if want := strconv.Itoa(k * k); string(r.Data) != want {
			t.Errorf("piece %d came to %q, want %q", k, r.Data, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	crew.mu.Lock()
	done := crew.done
	crew.mu.Unlock()
	if len(taken) != n || done != n {
		t.Errorf("%d pieces of %d are taken, %d are counted", len(taken), n, done)
	}
	for k, times := range taken {
		if times != 1 {
			t.Errorf("piece %d is counted %d times", k, times)
		}
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
	for i, w := range bad {
		if w.cuts.Load() > 0 {
			t.Errorf("line %d broke too seldom: %d breaks are left", i, w.cuts.Load())
		}
	}
	t.Logf("%d runs for %d pieces", runs.Load(), n)
}
