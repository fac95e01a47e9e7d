package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"fibsbot/internal/connlimit"
)

// errLineTooLong ends a connection whose client sends no line end.
var errLineTooLong = errors.New("line too long")

// conn is one TCP connection. Everything but the queue belongs to the world and is used only
// under the server's mutex.
type conn struct {
	srv   *Server
	sock  net.Conn
	in    source // what the reader reads
	host  string
	site  string // what limits by address go by
	since time.Time
	last  time.Time // last line received

	stage  stage
	name   string // typed at login: or name
	secret string // first of the two passwords of a guest
	tries  int    // failed logins
	user   *user  // non-nil when logged in
	clip   bool
	auto   bool // logged in by "connect": texts of telnet without prompts
	gone   bool // said good-bye or cut: nothing more is handled

	pending  []byte // text of the current event, not yet queued
	glue     bool   // the next line follows the last one without a line end
	answered int    // bytes sent because of lines of its own

	mu      sync.Mutex
	queue   []byte
	backlog atomic.Int64 // its length, to be read without the mutex
	closed  bool         // after the queue is empty the writer closes the socket
	cut     bool         // close at once
	wake    chan struct{}
	quit    chan struct{} // closed when the connection ends
	once    sync.Once
}

func newConn(s *Server, sock net.Conn) *conn {
	host, _, err := net.SplitHostPort(sock.RemoteAddr().String())
	if err != nil || host == "" {
		host = "localhost"
	}
	now := s.opts.Now()
	return &conn{srv: s, sock: sock, in: source{sock: sock}, host: host, site: connlimit.SiteOf(host), since: now, last: now, wake: make(chan struct{}, 1), quit: make(chan struct{})}
}

// serve runs the connection to its end. It returns when both the reader and
// the writer are done.
func (c *conn) serve(ctx context.Context) {
	var wg sync.WaitGroup
	var written bool
	wg.Go(func() { written = c.write(ctx) })
	stop := context.AfterFunc(ctx, func() {
		c.finish(false)
		// Whoever does not read must not hold up the end of the server.
		c.sock.SetWriteDeadline(time.Now().Add(lastWriteLimit))
	})
	c.srv.greet(c)
	err := c.read(ctx)
	stop()
	c.srv.readerEnded(c, err) // ends the writer, too
	wg.Wait()
	if written {
		c.linger()
	}
	c.sock.Close()
}

// linger lets the last lines arrive. Closing a socket with unread input makes the system drop
// unsent output. So only the sending side is closed, and input is read and dropped for a while.
func (c *conn) linger() {
	half, ok := c.sock.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	c.sock.SetReadDeadline(time.Now().Add(lingering))
	_, _ = io.CopyN(io.Discard, c.sock, lingerBytes)
}

// How long, and for how many bytes, a connection is read after its end.
const (
	lingering   = 500 * time.Millisecond
	lingerBytes = 256 << 10
)

// read passes complete lines to the world until the connection ends.
func (c *conn) read(ctx context.Context) error {
	const burst = linesPerSecond + 1
	limit := rate.NewLimiter(linesPerSecond, burst)
	r := &lineReader{r: bufio.NewReaderSize(&c.in, 2048)}
	for {
		line, err := r.next()
		if err != nil {
			return err
		}
		// A line that is answered at length counts for more: a who list of a thousand
		// users takes a thousand times the work of a board.
		cost := 1 + c.answered/answerCost
		c.answered = 0
		if err := limit.WaitN(ctx, min(cost, burst)); err != nil {
			return err
		}
		goOn := false
		if err := guarded(func() { goOn = c.srv.handle(ctx, c, line) }); err != nil {
			c.srv.logFault(err, "line of", c.host)
			return err
		}
		if !goOn {
			return nil
		}
	}
}

// source is the socket of a connection with what was read ahead of the reader.
type source struct {
	sock  net.Conn
	ahead []byte
	err   error // behind it
}

func (r *source) Read(p []byte) (int, error) {
	if len(r.ahead) > 0 {
		n := copy(p, r.ahead)
		r.ahead = r.ahead[n:]
		return n, nil
	}
	if r.err != nil {
		return 0, r.err
	}
	return r.sock.Read(p)
}

// watch reads up to maxAhead bytes ahead while the reader waits for something else, to notice that
// the client has gone. The reader calls stop before it reads on.
func (c *conn) watch() (gone <-chan struct{}, stop func()) {
	left, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 512)
		for c.in.err == nil && len(c.in.ahead) < maxAhead {
			n, err := c.in.sock.Read(b)
			c.in.ahead = append(c.in.ahead, b[:n]...)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return
			}
			c.in.err = err
		}
		if c.in.err != nil {
			close(left)
		}
	}()
	return left, func() {
		past := time.Unix(1, 0)
		_ = c.sock.SetReadDeadline(past)
		<-done
		_ = c.sock.SetReadDeadline(time.Time{})
		select {
		case <-c.quit: // finish may have set the deadline before
			_ = c.sock.SetReadDeadline(past)
		default:
		}
	}
}

// maxAhead bounds what is read ahead of the reader: some lines.
const maxAhead = 4 * maxLine

// lineReader cuts a byte stream into lines. A line ends at CR, LF, CR LF, LF CR or CR NUL. It
// drops BEL and other control bytes, carries out the editing of telnet, and removes telnet
// negotiation. Bytes above 126 become question marks: FIBS is 7-bit.
type lineReader struct {
	r    *bufio.Reader
	buf  []byte
	pair byte // after a line end: the byte that would be its second half, CR or LF
}

const (
	iac = 255
	sb  = 250
	se  = 240
	ec  = 247 // erase character
	el  = 248 // erase line
)

func (l *lineReader) next() (string, error) {
	l.buf = l.buf[:0]
	for {
		b, err := l.r.ReadByte()
		if err != nil {
			return "", err
		}
		pair := l.pair
		l.pair = 0
		switch {
		case pair != 0 && b == pair:
			continue
		case b == '\n' || b == '\r':
			l.pair = '\n' + '\r' - b
			return string(l.buf), nil
		case b == iac:
			if err := l.skipCommand(); err != nil {
				return "", err
			}
			continue
		case b == '\b' || b == 127:
			l.erase()
			continue
		case b == '\t':
			b = ' '
		case b < ' ':
			continue
		case b > 126:
			b = '?'
		}
		if len(l.buf) >= maxLine {
			return "", errLineTooLong
		}
		l.buf = append(l.buf, b)
	}
}

// erase removes the last character of the line.
func (l *lineReader) erase() { l.buf = l.buf[:max(0, len(l.buf)-1)] }

// skipCommand carries out or skips what follows an IAC byte. Subnegotiation is bounded like a line.
func (l *lineReader) skipCommand() error {
	b, err := l.r.ReadByte()
	if err != nil {
		return err
	}
	if b > sb {
		if b == iac {
			return nil
		}
		_, err = l.r.ReadByte()
		return err
	}
	switch b {
	case ec:
		l.erase()
	case el:
		l.buf = l.buf[:0]
	}
	if b != sb {
		return nil
	}
	for range maxLine {
		b, err := l.r.ReadByte()
		if err != nil || b == se {
			return err
		}
	}
	return errLineTooLong
}

// write empties the queue into the socket until the connection ends. It reports whether all was
// written; if not, it has closed the socket.
func (c *conn) write(ctx context.Context) (all bool) {
	defer func() {
		c.drop()
		if !all {
			c.sock.Close()
		}
	}()
	var out []byte
	for range c.wake {
		for {
			c.mu.Lock()
			out, c.queue = c.queue, out[:0]
			closed, cut := c.closed, c.cut
			c.mu.Unlock()
			c.backlog.Store(0)
			c.srv.queued.Add(-int64(len(out)))
			if cut {
				return false
			}
			if len(out) == 0 {
				if closed {
					return true
				}
				break
			}
			limit := writeLimit
			if ctx.Err() != nil {
				limit = lastWriteLimit
			}
			c.sock.SetWriteDeadline(time.Now().Add(limit))
			if _, err := c.sock.Write(out); err != nil {
				return false
			}
			if cap(out) > 64<<10 {
				out = nil
			}
		}
	}
	return true
}

// drop empties the queue and closes it.
func (c *conn) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = true
	c.srv.queued.Add(-int64(len(c.queue)))
	c.queue = nil
}

// enqueue passes bytes to the writer. It disconnects a client that reads too slowly, and any with
// a backlog when the backlogs together grow too large.
func (c *conn) enqueue(b []byte) {
	c.mu.Lock()
	if c.closed || c.cut {
		c.mu.Unlock()
		return
	}
	size := len(c.queue) + len(b)
	if size > maxQueue || size > fairQueue && c.srv.queued.Load() > maxQueued {
		c.mu.Unlock()
		c.drop()
		c.sock.Close()
		c.signal()
		return
	}
	c.queue = append(c.queue, b...)
	c.mu.Unlock()
	c.backlog.Store(int64(size))
	c.srv.queued.Add(int64(len(b)))
	c.signal()
}

// crowded reports whether a client is so far behind that other users' talk and acts are not sent
// to it. The rest of its queue is for its own match and answers, so that talk cannot disconnect
// it.
func (c *conn) crowded() bool {
	return c == nil || c.backlog.Load()+int64(len(c.pending)) > maxQueue/2
}

// finish ends the connection: after the queue is written, or at once.
func (c *conn) finish(now bool) {
	c.once.Do(func() {
		close(c.quit)
		if !now {
			// The reader may be waiting for input; a deadline wakes it while the
			// writer is still free to send what is queued. Once, and before the writer
			// hears of the end: linger sets another.
			c.sock.SetReadDeadline(time.Unix(1, 0))
		}
	})
	c.mu.Lock()
	c.closed = true
	c.cut = c.cut || now
	c.mu.Unlock()
	if now {
		c.sock.Close()
	}
	c.signal()
}

func (c *conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// say appends one line to the client's text of this event.
func (c *conn) say(format string, args ...any) {
	if len(args) == 0 {
		c.line(format)
		return
	}
	c.line(fmt.Sprintf(format, args...))
}

func (c *conn) line(text string) {
	if c == nil || c.gone {
		return
	}
	if c.glue {
		c.glue = false
		if text == "" {
			c.pending = append(c.pending, "\r\n"...)
			return
		}
	}
	c.srv.touch(c)
	c.pending = append(append(c.pending, text...), "\r\n"...)
}

// prompt appends text without a line end.
func (c *conn) prompt(text string) {
	if c.gone {
		return
	}
	c.srv.touch(c)
	c.pending = append(c.pending, text...)
}

// gap appends an empty line in CLIP mode, where FIBS puts one before most
// lines that the client did not cause.
func (c *conn) gap() {
	if c != nil && c.clip {
		c.line("")
	}
}

// unended appends a line that may lack its line end, as a quirk.
func (c *conn) unended(text string) {
	if c == nil || c.gone {
		return
	}
	c.line(text)
	if c.clip && c.srv.chance(c.srv.opts.Quirks.Glued) {
		c.pending = c.pending[:len(c.pending)-2]
		c.glue = true
	}
}

// endGlue makes sure that the last text of an event is a whole line.
func (c *conn) endGlue() {
	if c.glue {
		c.glue = false
		c.pending = append(c.pending, "\r\n"...)
	}
}

// isPlainEnd reports whether a stream ended in order, not by a network error.
func isPlainEnd(err error) bool {
	return err == nil || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, context.Canceled)
}
