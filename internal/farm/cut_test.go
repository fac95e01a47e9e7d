package farm

import (
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// line is a network between a client and a server.
type line struct {
	listener net.Listener
	swallow  atomic.Bool // what the server says is lost
	down     atomic.Bool // new connections end at once
	weather  *weather    // nil: the line is a good one

	mu    sync.Mutex
	conns []net.Conn
}

func newLine(t *testing.T, to string) *line { return badLine(t, to, nil) }

func badLine(t *testing.T, to string, bad *weather) *line {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &line{listener: l, weather: bad}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			if n.down.Load() {
				near.Close()
				continue
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			n.mu.Lock()
			n.conns = append(n.conns, near, far)
			n.mu.Unlock()
			wg.Go(func() { bad.carry(far, near, n.cut); far.Close() })
			wg.Go(func() { bad.carry(n.heard(near), far, n.cut); near.Close() })
		}
	})
	t.Cleanup(func() { l.Close(); n.cut(); wg.Wait() })
	return n
}

// heard is what comes through to the client.
func (n *line) heard(w io.Writer) io.Writer { return through{n, w} }

type through struct {
	n *line
	w io.Writer
}

func (t through) Write(p []byte) (int, error) {
	if t.n.swallow.Load() {
		return len(p), nil
	}
	return t.w.Write(p)
}

// cut ends all connections.
func (n *line) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns {
		c.Close()
	}
	n.conns = nil
}

// TestCrew_resultsLostOnTheWay: results that the server has sent and that were lost with a
// connection are read again, whether others come after them or not.
func TestCrew_resultsLostOnTheWay(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for name, later := range map[string]int{"others come": 14, "they are the last": 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testServer(t, ServerOptions{})
			submitKey, _ := s.KeyFiles()
			boss := client(t, s.URL(), submitKey)
			n := newLine(t, strings.TrimPrefix(s.URL(), "tls://"))
			crew := submit(t, client(t, "tls://"+n.listener.Addr().String(), submitKey), name)
			crew.check = 0
			put := func(from, to int) {
				t.Helper()
				for k := from; k < to; k++ {
					m := result(crew.Job.ID, "p"+strconv.Itoa(k), boss.id, strconv.Itoa(k*k))
					if _, err := boss.put(t.Context(), m); err != nil {
						t.Fatal(err)
					}
				}
			}
			first, done := make(chan struct{}), make(chan error, 1)
			go func() {
				done <- crew.Do(t.Context(), numbers(20), nil, func(k int, _ shard.Result) error {
					if k == 0 {
						close(first)
					}
					return nil
				})
			}()
			put(0, 1)
			<-first
			n.swallow.Store(true)
			put(1, later)
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				if delivered(t, boss) == uint64(later) {
					break // else they come later, and nothing is lost
				}
			}
			n.cut()
			n.swallow.Store(false)
			put(later, 20)
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				crew.mu.Lock()
				t.Errorf("%d results of 20 are read", crew.done)
				crew.mu.Unlock()
				crew.cancel()
			}
		})
	}
}

// delivered is how many results the server has sent to the one who reads them.
func delivered(t *testing.T, c *Client) (n uint64) {
	t.Helper()
	s, err := c.js.Stream(t.Context(), resultStream)
	if err != nil {
		t.Fatal(err)
	}
	list := s.ListConsumers(t.Context())
	for i := range list.Info() {
		n = max(n, i.Delivered.Consumer)
	}
	return n
}
