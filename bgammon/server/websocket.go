package server

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// ServeHTTP takes WebSocket connections, one line a message.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	c.SetReadLimit(longestCommand)
	s.serve(r.Context(), &socketLines{c})
}

// socketLines is lines as messages of a WebSocket.
type socketLines struct{ c *websocket.Conn }

func (s *socketLines) ReadLine(ctx context.Context, deadline time.Time) (string, error) {
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	_, message, err := s.c.Read(ctx)
	return strings.TrimRight(string(message), "\r\n"), err
}

func (s *socketLines) WriteLine(ctx context.Context, line string) error {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	return s.c.Write(ctx, websocket.MessageText, []byte(line))
}

func (s *socketLines) Close() error { return s.c.CloseNow() }
