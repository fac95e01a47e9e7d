package freeport

import (
	"net"
	"strconv"
	"testing"
)

// TestOn: the address can be listened on at once, and its port is outside of the range for source
// ports.
func TestOn(t *testing.T) {
	seen := map[string]bool{}
	for range 20 {
		address := On(t, "127.0.0.1")
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := strconv.Atoi(port); err != nil || p < lowest || p >= lowest+count {
			t.Errorf("%s lies outside the range", address)
		}
		if seen[address] {
			t.Errorf("%s twice, although it is in use", address)
		}
		seen[address] = true
	}
}

// TestOn_kept: the address is kept from other tests until the test ends, although no program
// listens there.
func TestOn_kept(t *testing.T) {
	var address string
	t.Run("a test", func(t *testing.T) {
		address = On(t, "127.0.0.1")
		if c, err := net.ListenPacket("udp", address); err == nil {
			c.Close()
			t.Errorf("%s is not kept", address)
		}
	})
	c, err := net.ListenPacket("udp", address)
	if err != nil {
		t.Fatalf("kept after its test: %v", err)
	}
	c.Close()
}
