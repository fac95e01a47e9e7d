package external

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"testing"

	"fibsbot/engine/internal/enginetest"
)

// TestServe_silentGuestsMakeRoom: many silent connections lock no one out and close no
// connection that plays.
func TestServe_silentGuestsMakeRoom(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "beginner")}.Serve(ctx, ln)
	}()
	const ask = "board:a:b:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1\n\x00"
	dial := func() (net.Conn, *bufio.Reader) {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c, bufio.NewReader(c)
	}
	play := func(c net.Conn, r *bufio.Reader, who string) {
		t.Helper()
		if _, err := io.WriteString(c, ask); err != nil {
			t.Fatalf("%s: %v", who, err)
		}
		if got, err := r.ReadString('\n'); err != nil || !strings.Contains(got, "/") {
			t.Fatalf("%s: %q, %v", who, got, err)
		}
	}
	gnubg, in := dial()
	play(gnubg, in, "the first")
	for range 3 * maxGuests {
		dial()
	}
	next, nextIn := dial()
	play(next, nextIn, "one behind the silent ones")
	play(gnubg, in, "the first again")
	for range 3 * maxGuests {
		c, r := dial()
		if _, err := io.WriteString(c, "version\n\x00"); err != nil {
			t.Fatal(err)
		}
		if _, err := r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	play(gnubg, in, "the first among those who only ask for the version")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestLeastNeeded: who makes room for another guest.
func TestLeastNeeded(t *testing.T) {
	guests := map[*guest]bool{}
	add := func(site string, asked int64, busy bool) *guest {
		g := &guest{site: site, came: len(guests)}
		g.asked.Store(asked)
		g.busy.Store(busy)
		guests[g] = true
		return g
	}
	add("a", 5, true)
	late, early, lone := add("b", 9, false), add("b", 7, false), add("c", 3, false)
	idle1, idle2, first := add("b", 0, false), add("b", 0, false), add("d", 0, false)
	for i, want := range []*guest{idle1, idle2, first, early, lone, late, nil} {
		got := leastNeeded(guests)
		if got != want {
			t.Errorf("%d: %+v, want %+v", i, got, want)
		}
		delete(guests, want)
	}
}
