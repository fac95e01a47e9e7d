package telnet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	telnet "github.com/reiver/go-telnet"
)

// Errors that callers decide on.
var (
	// ErrConnect means that the connection could not be made.
	ErrConnect = errors.New("no connection")
	// ErrLineTooLong means that the peer sent 32 times 4096
	// bytes without a line end. The connection is of no use after it.
	ErrLineTooLong = errors.New("line too long")
	// ErrSilent means that the peer sent nothing for Options.Idle.
	ErrSilent = errors.New("server is silent")
	// ErrStuck means that the peer did not take what we wrote within
	// 30 s.
	ErrStuck = errors.New("server does not read")
	// ErrNotPlain means that a line to be written is not printable ASCII.
	ErrNotPlain = errors.New("line is not plain ASCII")
	// ErrClosed means that the connection was closed on our side.
	ErrClosed = errors.New("connection closed")
)

// maxLine bounds a line. The longest that FIBS is known to send is a
// board line of about 200 bytes with a player's row of about 150 glued to it;
// chat can be some hundred bytes long. Some servers pass on longer chat, which must not end
// a match: such lines are cut.
const maxLine = 4096

// maxEndless is how many times maxLine may come without a line end. More is an
// attack or the wrong port.
const maxEndless = 32

// Options are the limits of a connection. The zero value of a field means its
// default.
type Options struct {
	// Connect is the longest time for name lookup and connection, default 30 s.
	Connect time.Duration
	// Idle is the longest silence of the server, default 10 minutes; negative
	// for no limit. FIBS answers our keepalive every two minutes.
	Idle time.Duration
	// Dial replaces the dialler, for tests and tunnels.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// prompts are those of FIBS and compatible servers. They are delivered as soon as a line begins with
// them, because no line end follows.
var prompts = []string{
	"login: ", "password: ", "> ",
	"Please give your password: ", "Please retype your password: ",
	"** The two passwords were not identical. Please give them again. Password: ",
}

// writeLimit is the longest time for the server to take a line.
const writeLimit = 30 * time.Second

// Conn is a connection that speaks in lines. The zero Conn is one that was closed.
type Conn struct {
	idle   time.Duration
	raw    net.Conn
	reader telnet.Reader
	writer telnet.Writer
	line   []byte
	broken error

	closeOnce sync.Once
	closed    chan struct{} // closed by Close
	handled   chan struct{} // closed when go-telnet's handler has ended
}

// Dial connects to address ("fibs.com:4321"). The context bounds the dialling
// only, together with Options.Connect.
func Dial(ctx context.Context, address string, opts Options) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(opts.Connect, 30*time.Second))
	defer cancel()
	dial := opts.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	raw, err := dial(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w to %s: %w", ErrConnect, address, err)
	}
	if raw == nil {
		return nil, fmt.Errorf("%w to %s: Options.Dial gave none", ErrConnect, address)
	}
	return NewConn(raw, opts), nil
}

// once is a listener that accepts one connection.
type once struct {
	conn net.Conn
	done bool
}

func (o *once) Accept() (net.Conn, error) {
	if o.done {
		return nil, net.ErrClosed
	}
	o.done = true
	return o.conn, nil
}

func (o *once) Close() error   { return nil }
func (o *once) Addr() net.Addr { return o.conn.LocalAddr() }

// handler is what go-telnet calls with its reader and writer. It must stay
// until the connection is closed, for go-telnet closes it then.
type handler struct {
	conn  *Conn
	ready chan struct{}
}

func (h handler) ServeTELNET(_ telnet.Context, w telnet.Writer, r telnet.Reader) {
	defer close(h.conn.handled)
	h.conn.reader, h.conn.writer = r, w
	close(h.ready)
	<-h.conn.closed
}

// NewConn speaks in lines on raw, which it owns from now on. It starts one
// goroutine, which ends with Close. A nil raw gives a closed Conn.
func NewConn(raw net.Conn, opts Options) (c *Conn) {
	if raw == nil {
		raw, _ = net.Pipe()
		defer func() { _ = c.Close() }()
	}
	c = &Conn{
		idle: cmp.Or(opts.Idle, 10*time.Minute), raw: raw,
		line:   make([]byte, 0, 256),
		closed: make(chan struct{}), handled: make(chan struct{}),
	}
	h := handler{conn: c, ready: make(chan struct{})}
	// Serve returns as soon as the listener has nothing more to accept; the
	// handler runs on.
	_ = telnet.Serve(&once{conn: &filter{Conn: raw, idle: max(c.idle, 0)}}, h)
	<-h.ready
	return c
}

// ReadLine returns the next line without its end, or a prompt. Bytes outside
// ASCII come through as they are. io.EOF means that the server closed the
// connection between two lines, io.ErrUnexpectedEOF in the middle of one; see
// also ErrSilent, ErrLineTooLong and ErrClosed. After an error every call
// returns the same error.
func (c *Conn) ReadLine() (string, error) {
	if c.broken != nil {
		return "", c.broken
	}
	if c.reader == nil {
		return "", ErrClosed
	}
	c.line = c.line[:0]
	over := 0 // dropped bytes of the line
	var one [1]byte
	for {
		if _, err := c.reader.Read(one[:]); err != nil {
			c.broken = c.readError(err)
			return "", c.broken
		}
		switch b := one[0]; b {
		case '\n':
			return string(c.line), nil
		case '\r', 0:
			// Line ends come as CR LF, LF CR or CR NUL; only LF counts.
		default:
			if len(c.line) >= maxLine {
				if over++; over > (maxEndless-1)*maxLine {
					c.broken = fmt.Errorf("%w: more than %d bytes", ErrLineTooLong, maxEndless*maxLine)
					return "", c.broken
				}
				continue
			}
			c.line = append(c.line, b)
			if b == ' ' && slices.ContainsFunc(prompts, func(p string) bool { return string(c.line) == p }) {
				return string(c.line), nil
			}
		}
	}
}

// readError turns an error of the reader into one of this package.
func (c *Conn) readError(err error) error {
	select {
	case <-c.closed:
		return ErrClosed
	default:
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%w: nothing for %v", ErrSilent, c.idle)
	case errors.Is(err, io.EOF) && len(c.line) > 0:
		return fmt.Errorf("server closed the connection in the middle of a line: %w", io.ErrUnexpectedEOF)
	case errors.Is(err, io.EOF):
		return io.EOF
	default:
		return fmt.Errorf("read from server: %w", err)
	}
}

// WriteLine sends a line; it adds the line end. The line must be printable
// ASCII without a line end of its own, or nothing is sent and ErrNotPlain
// returned. FIBS is a 7-bit server.
func (c *Conn) WriteLine(line string) error {
	for i := 0; i < len(line); i++ {
		if b := line[i]; b < ' ' || b > '~' {
			return fmt.Errorf("%w: byte %#02x", ErrNotPlain, b)
		}
	}
	if c.writer == nil {
		return ErrClosed
	}
	select {
	case <-c.closed:
		return ErrClosed
	default:
	}
	// It fails only on a closed connection, and then so does Write.
	_ = c.raw.SetWriteDeadline(time.Now().Add(writeLimit))
	if _, err := c.writer.Write([]byte(line + "\r\n")); err != nil {
		return c.writeError(err)
	}
	return nil
}

func (c *Conn) writeError(err error) error {
	select {
	case <-c.closed:
		return ErrClosed
	default:
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w: nothing taken for %v", ErrStuck, writeLimit)
	}
	return fmt.Errorf("write to server: %w", err)
}

// Close ends the connection; a waiting ReadLine or WriteLine returns
// ErrClosed. It may be called more than once and by any goroutine.
func (c *Conn) Close() error {
	if c.closed == nil {
		return nil
	}
	var err error
	c.closeOnce.Do(func() {
		close(c.closed)
		err = c.raw.Close()
	})
	<-c.handled
	return err
}
