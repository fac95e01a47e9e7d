//go:build !js

package ops

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
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
