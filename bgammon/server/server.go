package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bgammon/internal/lines"
	"fibsbot/bgammon/wire"
)

// Server is one world of matches. Its methods may be called by any goroutine.
type Server struct {
	opts  Options
	conns atomic.Int64

	mu     sync.Mutex
	dice   *rand.Rand
	users  map[string]*user // on line, by name
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
		wg.Go(func() { s.serve(ctx, lines.Stream(c, longestCommand)) })
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
	return slices.Sorted(maps.Keys(s.tables))
}

// Users returns the names on line, in order.
func (s *Server) Users() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.users))
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
	if strings.HasPrefix(asked, wire.BotPrefix) || strings.HasPrefix(asked, "Guest_") {
		return asked
	}
	return "Guest_" + asked
}

// Faults are defects of servers that can be switched on.
type Faults struct {
	// DoubleBoards: every board is sent twice.
	DoubleBoards bool
	// LateBoards: one board in so many is followed by one of the last that came before it,
	// as when a board waits while others are sent; 0 for none.
	LateBoards int
	// PlaysOn: rolls, moves and the end of a turn are taken while the opponent is away.
	PlaysOn bool
	// Language of the notices: "" for English; anything else makes them unreadable for
	// a client that parses them.
	Language string
}

// Options say how the server behaves. Zero values mean the defaults.
type Options struct {
	// Greeting is the first line, default "Welcome.".
	Greeting string
	// Accounts are registered names with their passwords. All other names are guests.
	Accounts map[string]string
	// Seed makes the dice repeatable; 0 means random dice.
	Seed uint64
	// Ping is the time between two pings, default 10 s; Patience how long a client may
	// be silent, default 40 s; Login how long a login may take, default 40 s.
	Ping, Patience, Login time.Duration
	// First is the number of the first match, default 1: a high one is that of a server that
	// has run for long.
	First int
	// EmptySeat is how long a player waits for an opponent who is away, default 15 minutes;
	// Sweep the time between two looks for matches without a player, default 1 minute.
	EmptySeat, Sweep time.Duration
	// Inactive is how long a player may keep the opponent waiting: then that one may leave and has
	// won. Real servers grant it in rated matches, after 10 minutes; 0 never does.
	Inactive time.Duration
	// MaxConns bounds the connections, default 1,000; MaxMatches the matches that are
	// open at a time, default 1,000.
	MaxConns, MaxMatches int
	Faults               Faults
	// Log, when set, receives logins, matches and their ends.
	Log logrus.FieldLogger
}

func (o Options) withDefaults() Options {
	o.Greeting = cmp.Or(o.Greeting, "Welcome.")
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&o.Ping, 10 * time.Second}, {&o.Patience, 40 * time.Second}, {&o.EmptySeat, 15 * time.Minute}, {&o.Sweep, time.Minute}, {&o.Login, 40 * time.Second}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	if o.MaxConns <= 0 {
		o.MaxConns = 1000
	}
	if o.MaxMatches <= 0 {
		o.MaxMatches = 1000
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	o.First = max(1, o.First)
	if o.Log == nil {
		silent := logrus.New()
		silent.SetLevel(logrus.PanicLevel)
		o.Log = silent
	}
	return o
}

// ActKind says what a player did.
type ActKind int

// Kinds of acts.
const (
	Played ActKind = iota
	Doubled
	Took
	Dropped
	Resigned
)

// Act is one thing that a player did in a game.
type Act struct {
	// Seat is 0 for the one who created the match, 1 for the other.
	Seat int
	Kind ActKind
	// Dice and Hops of a Played act, in the player's own numbering. A dance has no
	// hops.
	Dice [2]int
	Hops []wire.Hop
}

// Game is the record of one game. Points is what the winner got, 0 during the game; Winner is
// the winner's seat.
type Game struct {
	Acts     []Act
	Crawford bool
	Winner   int
	Points   int
	Resigned bool
	// Lost reports that the loser left the match.
	Lost bool
}

// Match is the server's own record of a match.
type Match struct {
	ID     int
	Points int
	Names  [2]string
	Score  [2]int
	Games  []Game
	// Over reports that a player has reached the length; Ended that the match cannot be
	// resumed.
	Over, Ended bool
}

// clone is a copy that shares nothing.
func (m *Match) clone() Match {
	c := *m
	c.Games = make([]Game, len(m.Games))
	for i, g := range m.Games {
		c.Games[i] = g
		c.Games[i].Acts = append([]Act(nil), g.Acts...)
	}
	return c
}
