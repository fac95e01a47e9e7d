package telnet

import (
	"errors"
	"testing"
)

// TestConn_zero: a Conn that Dial or NewConn did not make is closed.
func TestConn_zero(t *testing.T) {
	c := new(Conn)
	if _, err := c.ReadLine(); !errors.Is(err, ErrClosed) {
		t.Errorf("ReadLine: %v", err)
	}
	if err := c.WriteLine("who"); !errors.Is(err, ErrClosed) {
		t.Errorf("WriteLine: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}
