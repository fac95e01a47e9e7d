// Package lines carries lines over a byte stream or as messages of a WebSocket, for client and
// server.
package lines

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// ErrTooLong means that the peer sent a line or a message above the bound.
var ErrTooLong = errors.New("line too long")

// Conn carries lines. ReadLine and WriteLine are called by one goroutine at a time each, Close by any.
type Conn interface {
	// ReadLine returns the next line without its end.
	ReadLine(deadline time.Time) (string, error)
	// WriteLine sends a line.
	WriteLine(line string, deadline time.Time) error
	Close() error
}

// Stream returns lines of up to longest bytes over a byte stream.
func Stream(c net.Conn, longest int) Conn {
	return &stream{c, bufio.NewReaderSize(c, 4096), longest}
}

type stream struct {
	net.Conn
	r       *bufio.Reader
	longest int
}

func (s *stream) ReadLine(deadline time.Time) (string, error) {
	if err := s.SetReadDeadline(deadline); err != nil {
		return "", err
	}
	var line []byte
	for {
		part, err := s.r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > s.longest:
			return "", ErrTooLong
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return "", err
		default:
			return strings.TrimRight(string(line), "\r\n"), nil
		}
	}
}

func (s *stream) WriteLine(line string, deadline time.Time) error {
	if err := s.SetWriteDeadline(deadline); err != nil {
		return err
	}
	_, err := io.WriteString(s.Conn, line+"\n")
	return err
}

// Socket returns the lines in the messages of a WebSocket, each of up to longest bytes. A message
// may hold several lines.
func Socket(c *websocket.Conn, longest int) Conn {
	c.SetReadLimit(int64(longest))
	return &socket{c: c}
}

type socket struct {
	c    *websocket.Conn
	rest []string
}

func (s *socket) ReadLine(deadline time.Time) (string, error) {
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	for len(s.rest) == 0 {
		_, message, err := s.c.Read(ctx)
		if errors.Is(err, websocket.ErrMessageTooBig) {
			return "", ErrTooLong
		}
		if err != nil {
			return "", err
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

func (s *socket) WriteLine(line string, deadline time.Time) error {
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	return s.c.Write(ctx, websocket.MessageText, []byte(line))
}

func (s *socket) Close() error { return s.c.CloseNow() }
