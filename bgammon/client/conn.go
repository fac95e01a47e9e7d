package client

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/coder/websocket"

	"fibsbot/bgammon/wire"
)

// lines is a connection that carries lines. ReadLine and WriteLine are called by one
// goroutine at a time each, Close by any.
type lines interface {
	ReadLine() (string, error)
	WriteLine(line string) error
	Close() error
}

// writeLimit is how long the server may take to accept a line.
const writeLimit = 20 * time.Second

func connect(ctx context.Context, o Options) (lines, error) {
	if o.webSocket() {
		return dialWebSocket(ctx, o)
	}
	c, err := o.Dialer(ctx, "tcp", o.Address)
	if err != nil {
		return nil, err
	}
	if o.TLS != nil {
		secure := tls.Client(c, tlsFor(o.TLS, o.Address))
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = c.Close()
			return nil, fmt.Errorf("tls: %w", err)
		}
		c = secure
	}
	return &stream{Conn: c, r: bufio.NewReaderSize(c, 4096), idle: o.Idle}, nil
}

// tlsFor completes a configuration with the host's name and the least version.
func tlsFor(c *tls.Config, address string) *tls.Config {
	c = c.Clone()
	if c.ServerName == "" {
		c.ServerName, _, _ = net.SplitHostPort(address)
	}
	c.MinVersion = max(c.MinVersion, tls.VersionTLS12)
	return c
}

// stream is lines over a byte stream.
type stream struct {
	net.Conn
	r    *bufio.Reader
	idle time.Duration
}

func (s *stream) ReadLine() (string, error) {
	if err := s.SetReadDeadline(time.Now().Add(s.idle)); err != nil {
		return "", err
	}
	var line []byte
	for {
		part, err := s.r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > wire.MaxLine {
			return "", fmt.Errorf("%w: a line of more than %d bytes", ErrFlood, wire.MaxLine)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return "", why(err)
		}
		return strings.TrimRight(string(line), "\r\n"), nil
	}
}

func (s *stream) WriteLine(line string) error {
	if err := s.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return why(err)
	}
	if _, err := io.WriteString(s.Conn, line+"\n"); err != nil {
		return why(err)
	}
	return nil
}

// why returns the error of this package for an error of the network.
func why(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrSilent, err)
	}
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: closed by the server", ErrLost)
	}
	return fmt.Errorf("%w: %w", ErrLost, err)
}

// socket is lines as messages of a WebSocket. A message may hold several lines.
type socket struct {
	c    *websocket.Conn
	idle time.Duration
	rest []string
}

func dialWebSocket(ctx context.Context, o Options) (lines, error) {
	transport := &http.Transport{DialContext: o.Dialer, ForceAttemptHTTP2: false}
	if o.TLS != nil {
		transport.TLSClientConfig = o.TLS.Clone()
		transport.TLSClientConfig.MinVersion = max(o.TLS.MinVersion, tls.VersionTLS12)
	}
	c, resp, err := websocket.Dial(ctx, o.Address, &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return nil, err
	}
	c.SetReadLimit(wire.MaxLine)
	return &socket{c: c, idle: o.Idle}, nil
}

func (s *socket) ReadLine() (string, error) {
	for len(s.rest) == 0 {
		ctx, cancel := context.WithTimeout(context.Background(), s.idle)
		_, message, err := s.c.Read(ctx)
		cancel()
		if errors.Is(err, websocket.ErrMessageTooBig) {
			return "", fmt.Errorf("%w: a message of more than %d bytes", ErrFlood, wire.MaxLine)
		}
		if err != nil {
			return "", why(err)
		}
		for line := range strings.Lines(string(message)) {
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				s.rest = append(s.rest, line)
			}
		}
	}
	line := s.rest[0]
	s.rest = s.rest[1:]
	return line, nil
}

func (s *socket) WriteLine(line string) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeLimit)
	defer cancel()
	if err := s.c.Write(ctx, websocket.MessageText, []byte(line)); err != nil {
		return why(err)
	}
	return nil
}

func (s *socket) Close() error { return s.c.CloseNow() }
