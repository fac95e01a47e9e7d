package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fibsbot/internal/pwhash"
)

// ErrClosed means that the server was closed before.
var ErrClosed = errors.New("server closed")

// Server is a FIBS-compatible server. Make it with New. Its methods may be called from any
// goroutine. The zero Server is closed.
type Server struct {
	opts  Options
	store *store

	mu       sync.Mutex // guards everything below
	listener net.Listener
	started  chan struct{} // closed when a listener is known, or that there will be none
	accounts map[string]*account
	users    map[string]*user // on line, by lower-case name
	roster   []*user          // the same, in the order of logging in; replaced, never changed
	conns    map[*conn]bool
	sites    map[string]int  // how many of them an address has
	saved    map[pair]*match // at most one match per pair, running or saved
	finished []MatchRecord
	lastGame map[pair]*GameRecord
	begun    int       // matches begun so far
	ends     time.Time // announced; zero if it was not
	serial   int       // logins so far
	dirty    map[*conn]bool
	rng      *rand.Rand // quirks only
	closing  bool

	outbox   []func()   // what is to be done outside, see release
	spare    []func()   // its other half
	carrying bool       // a goroutine carries out effects
	carried  *sync.Cond // some were

	ranking         ranking
	recorded        int // actions of open matches
	finishedActions int // of finished
	lastActions     int // of lastGame
	mailed          int // bytes of stored messages

	limits                                                Limits
	logins, registrations, allRegistrations, talk, shouts *limiter
	strikes                                               map[string]strike
	refused                                               int       // connections since swept
	swept                                                 time.Time // when refused began to count

	born, sampled time.Time // the server's start; the last sample for hours
	hours         [24]hour  // of the day, UTC
	lastSeen      []visit   // oldest first
	thrown        [6][6]int // rolls so far, by first and second die less 1

	queued atomic.Int64 // bytes that wait for all clients together

	nobody pwhash.Secret // what the password of an unknown name is compared with
	hash   *turns        // who hashes a password now
	slow   chan struct{} // bounds other work outside the mutex to a few at a time
}

// New makes a server and reads Options.Data. The error names a file that cannot be used. Damaged
// saved matches are put aside and logged. A server that does not Serve must be closed with Close.
func New(opts Options) (*Server, error) {
	opts = opts.withDefaults()
	seed := opts.Quirks.Seed
	if seed == 0 {
		seed = randomSeed()
	}
	s := &Server{
		opts: opts, started: make(chan struct{}),
		accounts: map[string]*account{}, users: map[string]*user{}, conns: map[*conn]bool{}, sites: map[string]int{},
		saved: map[pair]*match{}, lastGame: map[pair]*GameRecord{}, dirty: map[*conn]bool{},
		rng: rand.New(rand.NewPCG(seed, 4321)), hash: newTurns(hashers()), slow: make(chan struct{}, hashers()),
	}
	s.carried = sync.NewCond(&s.mu)
	s.born = opts.Now()
	s.setLimits(true)
	var err error
	if s.nobody, err = pwhash.New("nobody", opts.Data == "" || opts.CheapPasswords); err != nil {
		return nil, err
	}
	if opts.Data != "" {
		ctx := context.Background()
		st, err := openStore(ctx, opts.Data)
		if err != nil {
			return nil, err
		}
		s.store = st
		if err := s.load(ctx); err != nil {
			return nil, errors.Join(err, st.db.Close())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(opts.Accounts)) {
		if err := s.AddAccount(name, opts.Accounts[name]); err != nil && !errors.Is(err, ErrNameTaken) {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// Serve accepts connections on ln until ctx ends, then informs the users, saves all matches,
// closes, and returns nil. It returns ErrClosed after Close or another Serve.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	if ln == nil {
		return errNoListener
	}
	defer ln.Close()
	s.mu.Lock()
	if s.started == nil || s.closing || s.listener != nil {
		s.mu.Unlock()
		return ErrClosed
	}
	s.listener = ln
	s.setLimits(isLocal(ln.Addr()))
	close(s.started)
	s.mu.Unlock()

	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var wg sync.WaitGroup
	wg.Go(func() { s.keepHouse(life) })
	stop := context.AfterFunc(ctx, func() {
		s.shutdown()
		ln.Close()
	})
	var failed error
	var pause time.Duration
	for {
		sock, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				break
			}
			if !passes(err) {
				failed = fmt.Errorf("accept on %s: %w", ln.Addr(), err)
				break
			}
			if pause = min(max(2*pause, firstPause), longestPause); pause == firstPause {
				s.opts.Log.WithError(err).Warn("cannot accept connections; retrying")
			}
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
			continue
		}
		pause = 0
		c := s.admit(sock)
		if c == nil {
			continue
		}
		wg.Go(func() { c.serve(life) })
	}
	if stop() {
		s.shutdown()
	}
	s.awaitEffects()
	end()
	wg.Wait()
	return errors.Join(failed, s.closeStore())
}

var errNoListener = errors.New("server without a listener")

// The wait of Serve after an Accept that failed; it doubles until one succeeds.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = time.Second
)

// passes reports whether an error of Accept concerns one connection or a shortage of the process,
// and not the listener.
func passes(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED,
		syscall.ECONNRESET, syscall.EINTR, syscall.EAGAIN, syscall.EPERM, os.ErrDeadlineExceeded}, func(e error) bool { return errors.Is(err, e) })
}

// Addr returns the address of the listener. It waits for Serve to begin, and returns nil if the
// server was closed before.
func (s *Server) Addr() net.Addr {
	if s.started == nil {
		return nil
	}
	<-s.started
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
}

// admit registers a new connection, or refuses it if there are too many in all or of its address.
func (s *Server) admit(sock net.Conn) *conn {
	c := newConn(s, sock)
	s.mu.Lock()
	refusal := ""
	switch {
	case s.limits.Connections > 0 && s.sites[c.site] >= s.limits.Connections:
		refusal = "Too many connections from your address. Please try again later.\r\n"
	case s.closing:
		refusal = tooMany
	default:
		s.makeRoom()
		if len(s.conns) >= s.opts.MaxConns {
			refusal = tooMany
			break
		}
		s.conns[c] = true
		s.sites[c.site]++
	}
	if refusal != "" && s.refused == 0 {
		s.warn("connection refused: too many", "from", c.host)
	}
	s.refused += bit(refusal != "")
	s.release()
	if refusal == "" {
		return c
	}
	// Nothing was sent before, so that the system takes this without waiting.
	_ = sock.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = io.WriteString(sock, refusal)
	_ = sock.Close()
	return nil
}

const tooMany = "Too many connections. Please try again later.\r\n"

// keepHouse saves changes and drops idle users while the server runs.
func (s *Server) keepHouse(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, do := range []func(){s.Sweep, s.save} {
				if err := guarded(do); err != nil {
					withStack(s.opts.Log, err).Error(err.Error())
				}
			}
		}
	}
}

// Sweep disconnects all users whose idle limit has passed by the server's clock. The server calls
// it once a second; tests with their own clock call it.
func (s *Server) Sweep() {
	if s.started == nil {
		return
	}
	s.mu.Lock()
	defer s.release()
	now := s.opts.Now()
	if n := s.refused; n > 1 && now.Sub(s.swept) >= time.Minute {
		s.warn("connections refused", "connections", n)
	}
	if now.Sub(s.swept) >= time.Minute {
		s.refused, s.swept = 0, now
	}
	s.sampleUsers(now)
	for c := range s.conns {
		switch {
		case c.gone:
		case c.user == nil && s.limits.LoginTime > 0 && now.Sub(c.since) > s.limits.LoginTime:
			c.say("Connection timed out.")
			s.end(c)
		case c.user != nil && now.Sub(c.last) > s.opts.IdleLimit:
			c.say("Connection timed out.")
			name := c.user.name
			s.logout(c.user, departTimeout)
			s.info("idle user dropped", "user", name)
			s.end(c)
		}
	}
	s.deliver(nil)
}

// shutdown says good-bye to all users and saves their matches.
func (s *Server) shutdown() {
	s.mu.Lock()
	defer s.release()
	if s.closing {
		return
	}
	s.closing = true
	for _, u := range s.roster {
		u.hear("*** ATTENTION ! FIBS will shut down in 0 seconds. Your games are saved.")
	}
	for _, m := range s.saved {
		if m.running {
			s.suspend(m, "")
		}
	}
	for c := range s.conns {
		s.end(c)
	}
	s.deliver(nil)
}

// Announce tells all users in FIBS's words that the server will restart or shut down. It does not
// end the server.
func (s *Server) Announce(restart bool, in time.Duration) {
	if s.started == nil {
		return
	}
	s.mu.Lock()
	defer s.release()
	s.ends = s.opts.Now().Add(in)
	what := "shut down"
	if restart {
		what = "restart"
	}
	for _, u := range s.roster {
		u.hear("*** ATTENTION ! FIBS will %s in %d seconds.", what, int(in.Seconds()))
	}
	s.deliver(nil)
}

// DropUser closes the connection of a user as if it had broken, and reports whether the user was
// on line.
func (s *Server) DropUser(name string) bool {
	s.mu.Lock()
	defer s.release()
	u := s.users[key(name)]
	if u == nil {
		return false
	}
	c := u.conn
	s.logout(u, departDrop)
	s.hangUp(c, true)
	s.deliver(nil)
	return true
}

// Users returns the names on line, sorted.
func (s *Server) Users() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, u := range s.users {
		names = append(names, u.name)
	}
	slices.Sort(names)
	return names
}
