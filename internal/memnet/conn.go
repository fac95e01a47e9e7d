package memnet

import (
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// window bounds the bytes under way in one direction.
const window = 64 << 10

// packet is the data of one write, with the time of its arrival.
type packet struct {
	at   time.Time
	data []byte
}

// stream is one direction of a connection.
type stream struct {
	latency time.Duration

	mu      sync.Mutex
	packets []packet
	size    int
	ended   time.Time // when the end of the stream arrives; zero while open
	reset   time.Time // when the stream breaks; zero while sound
	deaf    bool      // the reader has closed
	change  chan struct{}
}

func newStream(latency time.Duration) *stream {
	return &stream{latency: latency, change: make(chan struct{})}
}

// changed wakes all waiting goroutines. The caller holds the mutex.
func (s *stream) changed() {
	close(s.change)
	s.change = make(chan struct{})
}

// past reports whether a deadline is set and has passed.
func past(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// wait blocks until the stream changes or a time is reached; zero means never.
func wait(change <-chan struct{}, at time.Time) {
	if at.IsZero() {
		<-change
		return
	}
	t := time.NewTimer(time.Until(at))
	defer t.Stop()
	select {
	case <-change:
	case <-t.C:
	}
}

// sooner returns the earlier of two times that may be unset.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Conn is one end of a connection. It implements net.Conn.
type Conn struct {
	network       *Network
	in, out       *stream
	local, remote Addr

	readBy, writeBy atomic.Pointer[time.Time]
	hard            atomic.Bool // Close resets
	closed          atomic.Bool
}

func deadline(p *atomic.Pointer[time.Time]) time.Time {
	if at := p.Load(); at != nil {
		return *at
	}
	return time.Time{}
}

// Read implements net.Conn.
func (c *Conn) Read(p []byte) (int, error) {
	s := c.in
	for {
		s.mu.Lock()
		now, by := time.Now(), deadline(&c.readBy)
		var next time.Time
		switch {
		case c.closed.Load():
			s.mu.Unlock()
			return 0, opError("read", string(c.remote), net.ErrClosed)
		case past(by, now):
			s.mu.Unlock()
			return 0, opError("read", string(c.remote), os.ErrDeadlineExceeded)
		case past(s.reset, now):
			s.mu.Unlock()
			return 0, opError("read", string(c.remote), syscall.ECONNRESET)
		case len(s.packets) > 0 && !now.Before(s.packets[0].at):
			n := copy(p, s.packets[0].data)
			if s.packets[0].data = s.packets[0].data[n:]; len(s.packets[0].data) == 0 {
				s.packets[0] = packet{}
				s.packets = s.packets[1:]
			}
			s.size -= n
			s.changed()
			s.mu.Unlock()
			return n, nil
		case len(s.packets) > 0:
			next = s.packets[0].at
		case past(s.ended, now):
			s.mu.Unlock()
			return 0, io.EOF
		default:
			next = s.ended
		}
		change := s.change
		next = sooner(sooner(next, by), s.reset)
		s.mu.Unlock()
		wait(change, next)
	}
}

// Write implements net.Conn. It blocks while the window is full.
func (c *Conn) Write(p []byte) (int, error) {
	s := c.out
	written := 0
	for {
		s.mu.Lock()
		now, by := time.Now(), deadline(&c.writeBy)
		switch {
		case c.closed.Load():
			s.mu.Unlock()
			return written, opError("write", string(c.remote), net.ErrClosed)
		case past(by, now):
			s.mu.Unlock()
			return written, opError("write", string(c.remote), os.ErrDeadlineExceeded)
		case s.deaf || past(s.reset, now):
			s.mu.Unlock()
			return written, opError("write", string(c.remote), syscall.EPIPE)
		case len(p) == 0:
			s.mu.Unlock()
			return written, nil
		case s.size < window:
			n := min(len(p), window-s.size)
			s.packets = append(s.packets, packet{now.Add(s.latency), append([]byte(nil), p[:n]...)})
			s.size += n
			written += n
			p = p[n:]
			s.changed()
			s.mu.Unlock()
			continue
		}
		change := s.change
		s.mu.Unlock()
		wait(change, by)
	}
}

// Close implements net.Conn. What was written still arrives, unless SetLinger(0)
// asked for a reset.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return opError("close", string(c.remote), net.ErrClosed)
	}
	c.network.open.Add(-1)
	now := time.Now()
	c.out.mu.Lock()
	if c.hard.Load() {
		c.out.reset = now.Add(c.out.latency)
	} else if c.out.ended.IsZero() {
		c.out.ended = now.Add(c.out.latency)
	}
	c.out.changed()
	c.out.mu.Unlock()
	c.in.mu.Lock()
	c.in.deaf, c.in.packets, c.in.size = true, nil, 0
	c.in.changed()
	c.in.mu.Unlock()
	return nil
}

// SetLinger with 0 makes Close reset the connection instead of ending it, as on a net.TCPConn.
func (c *Conn) SetLinger(sec int) error {
	c.hard.Store(sec == 0)
	return nil
}

// LocalAddr implements net.Conn.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline implements net.Conn.
func (c *Conn) SetDeadline(t time.Time) error {
	c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error { return set(&c.readBy, c.in, t) }

// SetWriteDeadline implements net.Conn.
func (c *Conn) SetWriteDeadline(t time.Time) error { return set(&c.writeBy, c.out, t) }

func set(p *atomic.Pointer[time.Time], s *stream, t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.Store(&t)
	s.changed()
	return nil
}
