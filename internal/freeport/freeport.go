// Package freeport returns free addresses for tests of programs that need their address before
// they listen, or that listen there again after a kill.
//
// A listener on port 0 that was closed leaves a port of the range for source ports of
// connections. Until the program listens, any other test that dials can get it, and a client of
// the program can even connect to itself (a TCP simultaneous open). These ports are below that
// range on every system
// (Linux 32768, macOS and Windows 49152, old BSDs 10000 to 20000 with the high range
// above), so that only a listener can hold one. On also keeps the UDP port of the same number until
// the test ends. While the program restarts, other tests thus do not try its port.
package freeport

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// The ports to choose from.
const (
	lowest = 20001
	count  = 12000
)

// On returns a free HOST:PORT for TCP on a host such as 127.0.0.1. No other test gets it before
// this one ends.
func On(t testing.TB, host string) string {
	t.Helper()
	var last error
	for range 100 {
		address := net.JoinHostPort(host, strconv.Itoa(lowest+rand.IntN(count)))
		held, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", address)
		if err != nil {
			last = err
			continue
		}
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
		if err != nil {
			held.Close()
			last = err
			continue
		}
		t.Cleanup(func() { held.Close() })
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return address
	}
	t.Fatal("no free port: ", last)
	return ""
}
