package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"
)

// Server is one world of matches. Its methods may be called by any goroutine.
type Server struct {
	opts Options

	mu     sync.Mutex
	dice   *rand.Rand
	users  map[string]*user // on line, by name
	conns  int
	tables map[int]*table
	past   []Match
	last   int
	frozen bool
	began  time.Time
	late   *rand.Rand // draws which boards are late

	trip func(user, line string) // before a command, for tests of faults
}

// New returns a server without users.
func New(opts Options) *Server {
	opts = opts.withDefaults()
	return &Server{
		opts:   opts,
		dice:   rand.New(rand.NewPCG(opts.Seed, 0)),
		users:  map[string]*user{},
		tables: map[int]*table{},
		began:  time.Now(),
		last:   opts.First - 1,
		late:   rand.New(rand.NewPCG(opts.Seed, 1)),
	}
}

// Serve accepts connections until the context ends, and closes the listener then. It
// returns when the last connection is done.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return ctx.Err()
			}
			s.opts.Log.WithError(err).Warn("connection not accepted; retrying")
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(100 * time.Millisecond):
			}
			continue
		}
		wg.Go(func() { s.serve(ctx, &streamLines{Conn: c}) })
	}
}

// Matches returns the records of all matches with two players, including running ones, in the
// order in which they began.
func (s *Server) Matches() []Match {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire(time.Now())
	out := slices.Clone(s.past)
	for _, id := range s.ids() {
		if t := s.tables[id]; t.record != nil {
			out = append(out, t.record.clone())
		}
	}
	return out
}

// ids of the open tables, in order.
func (s *Server) ids() []int {
	var ids []int
	for id := range s.tables {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Users returns the names on line, in order.
func (s *Server) Users() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for n := range s.users {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Disconnect breaks the connection of a user as a network would, and reports whether the user
// was on line.
func (s *Server) Disconnect(name string) bool {
	s.mu.Lock()
	u := s.users[name]
	s.mu.Unlock()
	if u == nil {
		return false
	}
	u.out.close()
	return true
}

// Freeze makes the server hang: it reads, answers nothing, and keeps connections open.
func (s *Server) Freeze() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen = true
}

// archive keeps the record of a table's match and takes it from the table.
func (s *Server) archive(t *table) {
	if t.record == nil {
		return
	}
	t.record.Ended = true
	s.past = append(s.past, t.record.clone())
	t.record = nil
}

// nextID is a number that no match had before.
func (s *Server) nextID() int {
	s.last++
	return s.last
}

// guestName returns the name that a guest gets.
func (s *Server) guestName(asked string) string {
	if asked == "" {
		return fmt.Sprintf("Guest_%d", 1000+s.dice.IntN(1_000_000))
	}
	if len(asked) >= 4 && asked[:4] == "BOT_" || len(asked) >= 6 && asked[:6] == "Guest_" {
		return asked
	}
	return "Guest_" + asked
}
