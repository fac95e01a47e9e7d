// Package freeport gives tests addresses for programs that must be told where to listen
// before they do, or that listen there again after a kill.
//
// A listener on port 0, closed again, leaves a port of the range from which the system
// takes the source ports of connections: until the program listens, any other test that
// dials can get it, and a client that already asks for the program can even be connected
// to itself (a TCP simultaneous open). These ports lie below the range of every system
// (Linux 32768, macOS and Windows 49152, old BSDs 10000 to 20000 with the high range
// above), so that only a listener can be in the way.
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

// On is HOST:PORT on a host, such as 127.0.0.1, where nobody listens. Chosen at random,
// so that test processes side by side do not choose alike.
func On(t testing.TB, host string) string {
	t.Helper()
	var last error
	for range 100 {
		address := net.JoinHostPort(host, strconv.Itoa(lowest+rand.IntN(count)))
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
		if err != nil {
			last = err
			continue
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return address
	}
	t.Fatal("no free port: ", last)
	return ""
}
