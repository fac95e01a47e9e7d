package bot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/fibs/clip"
)

// plainLink is a minimal Link without pacing and keepalive, so that tests of the account run
// at the speed of the server.
type plainLink struct {
	unqueued
	conn   net.Conn
	events chan protocol.Event
	done   chan struct{}
	once   sync.Once
	err    error
}

// unqueued is the part of a Link that sends at once.
type unqueued struct{}

func (unqueued) Waiting() int { return 0 }

func (unqueued) Drained() <-chan struct{} { return nil }

func dialPlain(ctx context.Context, addr, name, password string) (*plainLink, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	l := &plainLink{conn: conn, events: make(chan protocol.Event, 64), done: make(chan struct{})}
	if _, err := fmt.Fprintf(conn, "login test 1008 %s %s\r\n", name, password); err != nil {
		conn.Close()
		return nil, err
	}
	r := bufio.NewReader(conn)
	var p clip.Parser
	conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	ready := false
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			conn.Close()
			return nil, fmt.Errorf("login: %w", err)
		}
		for _, ev := range p.Parse(strings.TrimRight(line, "\r\n")) {
			if ev.Settings != nil {
				ready = ev.Settings.Ready
			}
			if ev.Kind == clip.MotdEnd {
				goto in
			}
		}
	}
in:
	conn.SetReadDeadline(time.Time{})
	fmt.Fprintf(conn, "set boardstyle 3\r\n")
	if !ready {
		fmt.Fprintf(conn, "toggle ready\r\n")
	}
	go l.read(r, &p)
	return l, nil
}

func (l *plainLink) read(r *bufio.Reader, p *clip.Parser) {
	defer close(l.events)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
				l.err = err
			}
			return
		}
		for _, ev := range p.Parse(strings.TrimRight(line, "\r\n")) {
			select {
			case l.events <- fibs.Event(&ev):
			case <-l.done:
				return
			}
		}
	}
}

func (l *plainLink) Events() <-chan protocol.Event { return l.events }

func (l *plainLink) Send(c protocol.Command, _ func() bool) error {
	text, err := encode(c)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(l.conn, "%s\r\n", text)
	if err != nil {
		return nil // the reader reports the end of the connection
	}
	return nil
}

func (l *plainLink) Err() error { return l.err }

func (l *plainLink) Close() error {
	l.once.Do(func() { close(l.done) })
	err := l.conn.Close()
	for range l.events {
	}
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// encode returns the line of a command on FIBS.
func encode(c protocol.Command) (string, error) {
	lines, err := fibs.Protocol{}.Encode(c)
	return strings.Join(lines, "; "), err
}

// lateLink is a link on which the last board of a game comes again after the game's end and
// after the beginning of the next, like a late answer to a request.
type lateLink struct {
	Link
	events chan protocol.Event
}

func newLateLink(l Link) *lateLink {
	late := &lateLink{Link: l, events: make(chan protocol.Event, 64)}
	go func() {
		defer close(late.events)
		var board protocol.Event
		for ev := range l.Events() {
			late.events <- ev
			switch ev.Kind {
			case protocol.BoardLine:
				board = ev
			case protocol.GameOver, protocol.Score, protocol.JoinNext, protocol.GameBegins, protocol.OpeningRoll:
				if board.Board != nil {
					late.events <- board
				}
			}
		}
	}()
	return late
}

func (l *lateLink) Events() <-chan protocol.Event { return l.events }

func (l *lateLink) Close() error {
	err := l.Link.Close()
	for range l.events {
	}
	return err
}
