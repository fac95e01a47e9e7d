// Package connlimit bounds the connections of an HTTP server, so that silent, slow or
// unauthorised clients cannot keep others out.
//
// A listener accepts every connection. When all places are taken, one makes room: of the
// connections without a request in progress, an untrusted one before a trusted one, from
// the site that holds the most, the oldest. The handler decides which connections are
// trusted.
package connlimit

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// Listener bounds the connections of another listener. Make it with New and pass the
// server that it serves to Bind.
type Listener struct {
	net.Listener
	max, perSite int

	mu     sync.Mutex // guards everything below, and the state of every conn
	conns  map[*conn]bool
	sites  map[string]int // untrusted connections by site
	events uint64         // accepted connections, requests begun and ended
}

// conn is an accepted connection.
type conn struct {
	net.Conn
	l       *Listener
	site    string
	trusted bool
	serving bool   // a handler works on a request of it
	since   uint64 // the event that began its present state
	once    sync.Once
}

// New bounds l to max connections at a time, and to perSite untrusted connections of one
// site; with perSite 0 a site may have max.
func New(l net.Listener, max, perSite int) *Listener {
	return &Listener{Listener: l, max: max, perSite: perSite, conns: map[*conn]bool{}, sites: map[string]int{}}
}

// Accept implements net.Listener. It closes connections for which there is no room.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		sock, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(sock); c != nil {
			return c, nil
		}
		_ = sock.Close()
	}
}

// admit gives a connection a place, if necessary that of another one, or returns nil.
func (l *Listener) admit(sock net.Conn) *conn {
	c := &conn{Conn: sock, l: l, site: Site(sock.RemoteAddr())}
	l.mu.Lock()
	var out *conn
	switch {
	case l.perSite > 0 && l.sites[c.site] >= l.perSite:
		out = l.victim(func(v *conn) bool { return v.site == c.site && !v.trusted })
	case len(l.conns) >= l.max:
		out = l.victim(func(*conn) bool { return true })
	}
	if out != nil {
		l.forget(out)
	}
	fits := len(l.conns) < l.max && (l.perSite <= 0 || l.sites[c.site] < l.perSite)
	if fits {
		l.conns[c] = true
		l.sites[c.site]++
		c.enter(false)
	}
	l.mu.Unlock()
	if out != nil {
		_ = out.Close()
	}
	if !fits {
		return nil
	}
	return c
}

// victim returns the connection that makes room, or nil if all are trusted and served. The
// caller holds the mutex.
func (l *Listener) victim(allowed func(*conn) bool) *conn {
	var first *conn
	for c := range l.conns {
		if c.trusted && c.serving || !allowed(c) {
			continue
		}
		if first == nil || l.before(c, first) < 0 {
			first = c
		}
	}
	return first
}

// before orders connections by who makes room first.
func (l *Listener) before(a, b *conn) int {
	return cmp.Or(
		cmp.Compare(a.rank(), b.rank()),
		cmp.Compare(l.sites[b.site], l.sites[a.site]),
		cmp.Compare(a.since, b.since),
	)
}

// rank is 0 for an untrusted connection without a request, 1 for an untrusted one that is
// being answered, 2 for an idle trusted one.
func (c *conn) rank() int {
	switch {
	case c.trusted:
		return 2
	case c.serving:
		return 1
	}
	return 0
}

// enter begins a state. The caller holds the mutex.
func (c *conn) enter(serving bool) {
	c.l.events++
	c.serving, c.since = serving, c.l.events
}

// forget takes a connection out of the count. The caller holds the mutex.
func (l *Listener) forget(c *conn) {
	if !l.conns[c] {
		return
	}
	delete(l.conns, c)
	if !c.trusted {
		l.leave(c.site)
	}
}

// leave counts one untrusted connection less. The caller holds the mutex.
func (l *Listener) leave(site string) {
	if l.sites[site]--; l.sites[site] <= 0 {
		delete(l.sites, site)
	}
}

// Open returns how many connections are open.
func (l *Listener) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// Close closes the connection and frees its place.
func (c *conn) Close() error {
	c.once.Do(func() {
		c.l.mu.Lock()
		c.l.forget(c)
		c.l.mu.Unlock()
	})
	return c.Conn.Close()
}

// CloseWrite lets net/http end a connection without cutting off its last answer.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// key finds the conn of a request in its context.
type key struct{}

// Bind makes srv report to l which connections have a request in progress. Call it before
// srv serves l, after srv.Handler is set; it replaces srv.ConnContext and srv.ConnState.
func (l *Listener) Bind(srv *http.Server) {
	next := srv.Handler
	srv.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, key{}, c) }
	srv.ConnState = func(nc net.Conn, state http.ConnState) {
		if c, ok := nc.(*conn); ok && state == http.StateIdle {
			l.mu.Lock()
			c.enter(false)
			l.mu.Unlock()
		}
	}
	srv.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(key{}).(*conn); ok {
			l.mu.Lock()
			c.enter(true)
			l.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
	// Its answer to "OPTIONS *" reaches no handler, so that no handler could refuse it.
	srv.DisableGeneralOptionsHandler = true
}

// Trust marks the connection of a request as an authorised client's. Without a bound server it
// does nothing.
func Trust(r *http.Request) {
	c, ok := r.Context().Value(key{}).(*conn)
	if !ok {
		return
	}
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	if !c.trusted && c.l.conns[c] {
		c.l.leave(c.site)
	}
	c.trusted = true
}

// Conn returns the accepted connection of a request, or nil without a bound server.
func Conn(r *http.Request) net.Conn {
	if c, ok := r.Context().Value(key{}).(*conn); ok {
		return c.Conn
	}
	return nil
}

// Site returns the part of an address that one person or firm controls: an IPv4 address, the
// /64 network of an IPv6 one, or the whole host of any other.
func Site(a net.Addr) string {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		host = a.String()
	}
	return SiteOf(host)
}

// SiteOf is Site of a host without a port.
func SiteOf(host string) string {
	a, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a.String()
	}
	p, err := a.Prefix(64)
	if err != nil {
		return host
	}
	return p.String()
}
