package server

import (
	"io"
	"net"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// TestEnd_lastLinesArrive: what is said last reaches a client that reads slowly and still
// sends while the connection ends. Closing a socket with something left to read would throw
// away what is on its way.
func TestEnd_lastLinesArrive(t *testing.T) {
	testsize.Medium(t)
	s := start(t, Options{})
	for _, tt := range []struct{ name, end, want string }{
		{"good-bye", "bye\r\n", "Goodbye."},
		{"a line without end", strings.Repeat("x", maxLine+10), "Your line is too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := login(t, s, "alice")
			if err := c.sock.(*net.TCPConn).SetReadBuffer(4096); err != nil {
				t.Fatal(err)
			}
			const helps = 25
			text := strings.Repeat("help\r\n", helps) + tt.end + strings.Repeat("more that nobody reads\r\n", 1000)
			if _, err := io.WriteString(c.sock, text); err != nil {
				t.Fatal(err)
			}
			all, err := io.ReadAll(c.r)
			if err != nil {
				t.Errorf("the connection ended with %v", err)
			}
			if got := strings.Count(string(all), "Commands:"); got != helps || !strings.Contains(string(all), tt.want) {
				t.Errorf("%d answers of %d arrived, the end is %q", got, helps, all[max(0, len(all)-100):])
			}
		})
	}
}
