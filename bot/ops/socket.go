//go:build !js

package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"fibsbot/internal/connlimit"
)

// socketEvery is how often the status socket is looked for.
const socketEvery = 5 * time.Second

// socket listens on a socket file, which it makes again when someone removes it.
type socket struct {
	file string
	mu   sync.Mutex
	l    net.Listener
	over bool // closed
}

// newSocket opens a socket file for the operator alone. A file left behind by
// a killed process is replaced; one that answers belongs to another process.
func newSocket(file string) (*socket, error) {
	if c, err := net.DialTimeout("unix", file, time.Second); err == nil {
		c.Close()
		return nil, fmt.Errorf("%s: another fibsbot is running here", file)
	}
	l, err := listenSocket(file)
	if err != nil {
		return nil, err
	}
	return &socket{file: file, l: l}, nil
}

// listenSocket makes the socket file in the place of what is there.
func listenSocket(file string) (net.Listener, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", file)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(file, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// keep makes the file again whenever it is missing, until ctx ends; every is socketEvery where it
// is 0. A failure is tried again.
func (s *socket) keep(ctx context.Context, every time.Duration) error {
	if every <= 0 {
		every = socketEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if _, err := os.Lstat(s.file); !errors.Is(err, os.ErrNotExist) {
			continue
		}
		if l, err := listenSocket(s.file); err == nil {
			s.replace(l)
		}
	}
}

// replace serves l instead of the present listener.
func (s *socket) replace(l net.Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		_ = l.Close() // with its file
		return
	}
	if old, ok := s.l.(*net.UnixListener); ok {
		old.SetUnlinkOnClose(false) // the file belongs to the new listener
	}
	_ = s.l.Close() // its file is gone
	s.l = l
}

func (s *socket) current() net.Listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.l
}

// Accept implements net.Listener.
func (s *socket) Accept() (net.Conn, error) {
	for {
		l := s.current()
		c, err := l.Accept()
		if err == nil || l == s.current() {
			return c, err
		}
	}
}

// Close implements net.Listener.
func (s *socket) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	return s.l.Close()
}

// Addr implements net.Listener.
func (s *socket) Addr() net.Addr { return s.current().Addr() }

// maxOrder bounds the request of an order.
const maxOrder = 16 << 10

// onSocket adds the orders to the routes of the status socket. They have no other address.
func (s *Server) onSocket(next http.Handler) http.Handler {
	if s.Control == nil {
		return next
	}
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("POST /ctl", func(w http.ResponseWriter, r *http.Request) {
		var o Order
		dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxOrder))
		var reply Reply
		by, err := whoAsks(r)
		switch {
		case err != nil:
			reply = Reply{Order: o.Order, Answer: err.Error()}
		case dec.Decode(&o) != nil:
			reply = Misuse(&o, fmt.Errorf("not an order, or one of more than %d bytes", maxOrder))
		default:
			o.By = by
			reply = s.Control(r.Context(), o)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(reply) // an error means that the client has gone
	})
	return mux
}

// whoAsks names the user at the other end of the socket, or returns an error for one who may not
// give orders. Only root and the user of this process may, whatever the mode of the file.
func whoAsks(r *http.Request) (string, error) {
	uid, pid, ok := peerOf(connlimit.Conn(r))
	if !ok {
		return "the status socket", nil
	}
	if uid != 0 && uid != os.Geteuid() {
		return "", errors.New("only root and the user of the bot may give orders")
	}
	name := "uid " + strconv.Itoa(uid)
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		name = u.Username
	}
	return fmt.Sprintf("%s (process %d)", name, pid), nil
}

// Give sends an order to the process that listens on a socket file, and returns its answer.
func Give(ctx context.Context, socket string, o Order) (Reply, error) {
	var r Reply
	err := request(ctx, socket, http.MethodPost, "/ctl", o, &r)
	return r, err
}
