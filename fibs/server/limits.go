package server

import (
	"net"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what one address or one user can use. Zero fields mean the default, negative ones
// no limit. An address is an IPv4 address or the /64 network of an IPv6 one. A server that
// listens on a loopback address only has just the limits by address that are set.
type Limits struct {
	// Connections bounds simultaneous connections of one address, 32 by default.
	Connections int
	// Logins bounds attempts to log in by one address in a minute, good ones and
	// bad ones, 30 by default; old passwords of the password command count, too. They
	// are slowed first and refused then.
	Logins int
	// Registrations bounds new accounts of one address in an hour, 6 by default;
	// AllRegistrations those of all addresses together, 200 by default.
	Registrations, AllRegistrations int
	// FailedPause is how long a failed login, or a wrong old password, waits for its
	// answer, 1 s by default.
	// It doubles with each further one of the address, up to 16 times that.
	FailedPause time.Duration
	// LoginTime is how long a connection may take to log in or to register,
	// 3 minutes by default, whatever it sends meanwhile.
	LoginTime time.Duration
	// Messages is how many lines a second one user may send that others hear
	// (tell, kibitz, invite, toggle ready and so on), on average; 10 by default,
	// ten times as many at once. More are read more slowly, also after another login.
	Messages float64
}

// resolve puts the defaults in; what is unlimited becomes 0.
func (l Limits) resolve(local bool) Limits {
	limit(&l.Connections, 32, local)
	limit(&l.Logins, 30, local)
	limit(&l.Registrations, 6, local)
	limit(&l.AllRegistrations, 200, local)
	limit(&l.FailedPause, time.Second, local)
	limit(&l.LoginTime, 3*time.Minute, false)
	limit(&l.Messages, 10, false)
	return l
}

// limit resolves one limit, which has no default if it is off.
func limit[N int | float64 | time.Duration](n *N, otherwise N, off bool) {
	if *n == 0 && !off {
		*n = otherwise
	}
	*n = max(*n, 0)
}

// isLocal reports whether a listener can be reached from this machine only.
func isLocal(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return !ok || t.IP.IsLoopback()
}

// maxKeys bounds the addresses or users of a limiter. Beyond it, keys at full allowance are
// forgotten, or else any key.
const maxKeys = 20_000

// limiter is a token bucket for each of many keys. A nil one limits nothing. It is
// guarded by the server's mutex.
type limiter struct {
	every rate.Limit
	burst int
	known map[string]*rate.Limiter
	swept time.Time
}

// newLimiter allows n in a time on average and burst at once; nil for no limit.
func newLimiter(n float64, in time.Duration, burst int) *limiter {
	if n <= 0 {
		return nil
	}
	return &limiter{every: rate.Limit(n / in.Seconds()), burst: max(burst, 1), known: map[string]*rate.Limiter{}}
}

// take takes one for a key and returns the wait until it is allowed. If that is more than most, it
// takes none and returns false.
func (l *limiter) take(key string, now time.Time, most time.Duration) (time.Duration, bool) {
	if l == nil {
		return 0, true
	}
	b := l.known[key]
	if b == nil {
		l.makeRoom(now)
		b = rate.NewLimiter(l.every, l.burst)
		l.known[key] = b
	}
	r := b.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > most {
		r.CancelAt(now)
		return wait, false
	}
	return wait, true
}

func (l *limiter) makeRoom(now time.Time) {
	if len(l.known) < maxKeys {
		return
	}
	if now.Sub(l.swept) > time.Second { // a sweep looks at all of them
		l.swept = now
		for k, b := range l.known {
			if b.TokensAt(now) >= float64(l.burst) {
				delete(l.known, k)
			}
		}
	}
	for k := range l.known {
		if len(l.known) < maxKeys {
			return
		}
		delete(l.known, k)
	}
}

// strike is how many logins of an address failed lately.
type strike struct {
	count int
	last  time.Time
}

const (
	strikesForgotten = 10 * time.Minute
	maxDoublings     = 4
	longestLoginWait = 10 * time.Second // before an attempt is refused
	shoutsPerMinute  = 20
	evictAfter       = 10 * time.Second // age of a silent connection that makes room for another
)

// setLimits makes the limiters for a listener.
func (s *Server) setLimits(local bool) {
	l := s.opts.Limits.resolve(local)
	s.limits = l
	s.logins = newLimiter(float64(l.Logins), time.Minute, l.Logins)
	s.registrations = newLimiter(float64(l.Registrations), time.Hour, l.Registrations)
	s.allRegistrations = newLimiter(float64(l.AllRegistrations), time.Hour, l.AllRegistrations/2)
	s.talk = newLimiter(l.Messages, time.Second, int(10*l.Messages))
	s.shouts = newLimiter(shoutsPerMinute, time.Minute, shoutsPerMinute)
	s.strikes = map[string]strike{}
}

// pause makes the reader of a connection wait without the mutex, or until the
// connection ends. The caller holds the mutex.
func (s *Server) pause(c *conn, d time.Duration) {
	if d <= 0 {
		return
	}
	s.release()
	defer s.mu.Lock()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.quit:
	}
}

// mayTry admits a login attempt, possibly after a wait, or ends the connection of an address that
// tries too often.
func (s *Server) mayTry(c *conn) bool {
	wait, ok := s.logins.take(c.site, time.Now(), longestLoginWait)
	if !ok {
		s.warn("too many logins", "from", c.host)
		c.say("")
		c.say("** Too many logins from your address. Please try again later.")
		s.end(c)
		return false
	}
	s.pause(c, wait)
	return !c.gone
}

// mayRegister reports whether an address may register another account now.
func (s *Server) mayRegister(c *conn) bool {
	now := time.Now()
	_, ok := s.registrations.take(c.site, now, 0)
	if ok {
		_, ok = s.allRegistrations.take("", now, 0)
	}
	if !ok {
		s.warn("too many registrations", "from", c.host)
	}
	return ok
}

// struck counts a failed login of an address and returns its wait.
func (s *Server) struck(site string) time.Duration {
	if s.limits.FailedPause == 0 {
		return 0
	}
	now := time.Now()
	k := s.strikes[site]
	if now.Sub(k.last) > strikesForgotten {
		k.count = 0
	}
	if k.count == 0 && len(s.strikes) >= maxKeys {
		for old := range s.strikes {
			delete(s.strikes, old)
			break
		}
	}
	k.count, k.last = k.count+1, now
	s.strikes[site] = k
	return s.limits.FailedPause << min(k.count-1, maxDoublings)
}

// makeRoom disconnects the oldest connection without a login when all places are taken, so that
// silent connections do not keep players out.
func (s *Server) makeRoom() {
	if len(s.conns) < s.opts.MaxConns {
		return
	}
	var oldest *conn
	left := 0 // connections that are about to go
	for c := range s.conns {
		switch {
		case c.gone:
			left++
		case c.user == nil && (oldest == nil || c.since.Before(oldest.since)):
			oldest = c
		}
	}
	if left == 0 && oldest != nil && s.opts.Now().Sub(oldest.since) >= evictAfter {
		s.hangUp(oldest, true)
	}
}
