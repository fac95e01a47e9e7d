package telnet

import (
	"context"
	"errors"
	"net"
	"testing"
)

// TestNewConn_nothing: a connection of nothing is one that was closed, and a dialler that
// gives none has failed.
func TestNewConn_nothing(t *testing.T) {
	c := NewConn(nil, Options{})
	if line, err := c.ReadLine(); !errors.Is(err, ErrClosed) {
		t.Errorf("read %q, %v", line, err)
	}
	if err := c.WriteLine("who"); !errors.Is(err, ErrClosed) {
		t.Errorf("written: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	none := func(context.Context, string, string) (net.Conn, error) { return nil, nil }
	if c, err := Dial(t.Context(), "nowhere:4321", Options{Dial: none}); c != nil || !errors.Is(err, ErrConnect) {
		t.Errorf("dialled %v, %v", c, err)
	}
}
