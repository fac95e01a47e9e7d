package memnet

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// backlog bounds the connections that wait to be accepted.
const backlog = 128

// Network is a set of addresses. The zero value is ready for use.
type Network struct {
	// Latency is the travel time of bytes, connections and their ends in one direction. Set it
	// before the first use.
	Latency time.Duration

	mu        sync.Mutex
	listeners map[string]*Listener
	serial    int
	open      atomic.Int64
}

// Listen listens on an address. It fails while another listener has it.
func (n *Network) Listen(address string) (*Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listeners[address] != nil {
		return nil, opError("listen", address, syscall.EADDRINUSE)
	}
	if n.listeners == nil {
		n.listeners = map[string]*Listener{}
	}
	l := &Listener{network: n, address: address, waiting: make(chan *Conn, backlog), closed: make(chan struct{})}
	n.listeners[address] = l
	return l, nil
}

// Dial connects to an address as net.Dialer.DialContext does and ignores the network's name.
// Without a listener the connection is refused.
func (n *Network) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	if n.Latency > 0 {
		t := time.NewTimer(2 * n.Latency)
		defer t.Stop()
		select {
		case <-ctx.Done():
			return nil, opError("dial", address, ctx.Err())
		case <-t.C:
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	l := n.listeners[address]
	if l == nil || len(l.waiting) == backlog {
		return nil, opError("dial", address, syscall.ECONNREFUSED)
	}
	n.serial++
	near, far := n.pair(Addr(fmt.Sprintf("client:%d", n.serial)), Addr(address))
	l.waiting <- far // there is room: only Dial fills it, one at a time
	return near, nil
}

// Listening reports whether a connection to address would be accepted now.
func (n *Network) Listening(address string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := n.listeners[address]
	return l != nil && len(l.waiting) < backlog
}

// Open returns the number of open ends of connections.
func (n *Network) Open() int { return int(n.open.Load()) }

// pair makes the two ends of a connection.
func (n *Network) pair(a, b Addr) (near, far *Conn) {
	up, down := newStream(n.Latency), newStream(n.Latency)
	n.open.Add(2)
	return &Conn{network: n, in: down, out: up, local: a, remote: b}, &Conn{network: n, in: up, out: down, local: b, remote: a}
}

func opError(op, address string, err error) error {
	return &net.OpError{Op: op, Net: "mem", Addr: Addr(address), Err: err}
}

// Addr is an address of a Network.
type Addr string

// Network implements net.Addr.
func (Addr) Network() string { return "mem" }

// String implements net.Addr.
func (a Addr) String() string { return string(a) }

// Listener implements net.Listener.
type Listener struct {
	network *Network
	address string
	waiting chan *Conn
	closed  chan struct{}
	once    sync.Once
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case <-l.closed:
		return nil, opError("accept", l.address, net.ErrClosed)
	default:
	}
	select {
	case c := <-l.waiting:
		return c, nil
	case <-l.closed:
		return nil, opError("accept", l.address, net.ErrClosed)
	}
}

// Close implements net.Listener. It resets connections that were not accepted.
func (l *Listener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		n := l.network
		n.mu.Lock()
		if n.listeners[l.address] == l {
			delete(n.listeners, l.address)
		}
		n.mu.Unlock()
		for {
			select {
			case c := <-l.waiting:
				c.SetLinger(0)
				c.Close()
			default:
				return
			}
		}
	})
	return nil
}

// Addr implements net.Listener.
func (l *Listener) Addr() net.Addr { return Addr(l.address) }
