package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/sirupsen/logrus"

	"fibsbot/bgammon/internal/lines"
	"fibsbot/bgammon/wire"
	"fibsbot/internal/panics"
)

// longestCommand bounds what a client may send as one line.
const longestCommand = 4096

// writeLimit is how long a client may take to accept a line.
const writeLimit = 10 * time.Second

// outbox is the bounded queue of lines to a client. A client that does not empty it is
// disconnected.
type outbox struct {
	queue  chan string
	closed chan struct{}
	once   sync.Once
}

func newOutbox() *outbox {
	return &outbox{queue: make(chan string, 1024), closed: make(chan struct{})}
}

func (o *outbox) close() { o.once.Do(func() { close(o.closed) }) }

// line queues a line; it never waits.
func (o *outbox) line(text string) {
	select {
	case o.queue <- text:
	default:
		o.close()
	}
}

// user is a player who is logged in.
type user struct {
	name  string
	out   *outbox
	heard time.Time
	table *table
	// watching is the table at which the user is a spectator, or nil.
	watching *table
	bot      bool
}

// send queues an event. Without a user, at an empty seat, it does nothing.
func (u *user) send(event any) {
	if u == nil {
		return
	}
	line, err := json.Marshal(event)
	if err != nil {
		u.out.close() // an event that cannot be written is a fault of this package
		return
	}
	u.out.line(string(line))
}

func (u *user) notice(format string, args ...any) {
	u.send(jsonText{Type: "notice", Message: fmt.Sprintf(format, args...)})
}

// serve is the life of one connection.
func (s *Server) serve(ctx context.Context, c lines.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	out := newOutbox()
	var writer sync.WaitGroup
	writer.Go(func() {
		defer func() { _ = c.Close() }()
		for {
			select {
			case <-ctx.Done():
				flush(c, out)
				return
			case <-out.closed:
				return
			case text := <-out.queue:
				if c.WriteLine(text, time.Now().Add(writeLimit)) != nil {
					out.close()
					return
				}
			}
		}
	})
	defer writer.Wait()
	defer cancel()
	defer s.conns.Add(-1)
	if s.conns.Add(1) > int64(s.opts.MaxConns) {
		return
	}
	out.line("hello " + s.opts.Greeting)
	u := s.greet(c, out)
	if u == nil {
		return
	}
	s.obey(ctx, c, u)
	s.locked("leaving", func() { s.lost(u) })
}

// locked runs a function under the server's mutex. If it panics, the stack is logged and
// locked returns false, which ends this connection and not the server.
func (s *Server) locked(what string, do func()) bool {
	err := func() (err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer panics.Recover(&err)
		do()
		return nil
	}()
	var fault *panics.Fault
	if errors.As(err, &fault) {
		s.opts.Log.WithError(err).WithFields(logrus.Fields{"at": what, "stack": string(fault.Stack)}).Error("connection ended by a fault of this program")
	}
	return err == nil
}

// flush writes the queued lines, so that a disconnected client gets the reason.
func flush(c lines.Conn, out *outbox) {
	limit := time.Now().Add(time.Second)
	for {
		select {
		case text := <-out.queue:
			if c.WriteLine(text, limit) != nil {
				return
			}
		default:
			return
		}
	}
}

// greet waits for a login and returns the user, or nil without a login.
func (s *Server) greet(c lines.Conn, out *outbox) *user {
	deadline := time.Now().Add(s.opts.Login)
	for {
		line, err := c.ReadLine(deadline)
		if err != nil {
			return nil
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if words[0] != "lj" && words[0] != "loginjson" {
			out.line("notice Please log in with loginjson.")
			continue
		}
		var u *user
		why := "Internal error."
		s.locked("login", func() { u, why = s.login(words[1:], out) })
		if u == nil {
			end := &user{out: out}
			end.notice("Connection terminated: %s", s.say(why))
			return nil
		}
		return u
	}
}

// say returns a notice's text in the language of Faults.
func (s *Server) say(english string) string {
	if s.opts.Faults.Language == "" {
		return english
	}
	return s.opts.Faults.Language + ": " + fmt.Sprintf("%x", english)
}

// obey carries out commands until the connection ends.
func (s *Server) obey(ctx context.Context, c lines.Conn, u *user) {
	read := make(chan string)
	go func() {
		defer close(read)
		for {
			line, err := c.ReadLine(time.Now().Add(s.opts.Patience))
			if err != nil {
				return
			}
			select {
			case read <- line:
			case <-ctx.Done():
				return
			case <-u.out.closed:
				return
			}
		}
	}()
	ping := time.NewTicker(s.opts.Ping)
	defer ping.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-u.out.closed:
			return
		case line, ok := <-read:
			if !ok {
				return
			}
			if strings.TrimSpace(line) == string(wire.Disconnect) {
				s.locked("disconnect", func() {
					if u.table != nil {
						u.send(jsonLeft{Type: "left", Player: u.name}) // the user gets the seat back by logging in
					}
				})
				u.notice("%s", s.say("Connection terminated: Client disconnected"))
				return
			}
			word, _, _ := strings.Cut(line, " ") // the rest may be a secret
			if !s.locked(fmt.Sprintf("%.20q", word), func() {
				if !s.frozen {
					s.command(u, line)
				}
			}) {
				return
			}
		case now := <-ping.C:
			if !s.locked("ping", func() {
				if !s.frozen {
					u.send(jsonText{Type: "ping", Message: fmt.Sprint(now.Unix())})
					s.expire(now)
				}
			}) {
				return
			}
		}
	}
}

// ServeHTTP takes WebSocket connections, one line a message.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	s.serve(r.Context(), lines.Socket(c, longestCommand))
}
