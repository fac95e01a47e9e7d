package chaos

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// talker is a server that sends n numbered lines and collects what it gets.
func talker(t *testing.T, n int) (address string, got func() []byte) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan []byte, 1)
	go func() {
		defer close(heard)
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		for i := range n {
			if _, err := fmt.Fprintf(c, "line %d of the server\r\n", i); err != nil {
				break
			}
		}
		if t, ok := c.(*net.TCPConn); ok {
			t.CloseWrite()
		}
		b, _ := io.ReadAll(c)
		heard <- b
	}()
	t.Cleanup(func() { ln.Close() })
	return ln.Addr().String(), func() []byte { ln.Close(); return <-heard }
}

// through sends lines through a proxy and returns what came back and the
// proxy's count. It reads until the proxy ends the connection.
func through(t *testing.T, opts Options, lines int) (string, []byte, Stats) {
	t.Helper()
	address, heard := talker(t, lines)
	opts.Target = address
	p, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	// The listener's queue takes the connection before it is served, so an
	// early cut cannot come in the middle of dialling.
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, ln) }()
	c.SetDeadline(time.Now().Add(patience))
	b, _ := io.ReadAll(c)
	c.Close()
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return string(b), heard(), p.Stats()
}

func TestProxy_passesEverythingUnchangedWithoutFaults(t *testing.T) {
	got, _, st := through(t, Options{}, 500)
	var want strings.Builder
	for i := range 500 {
		fmt.Fprintf(&want, "line %d of the server\r\n", i)
	}
	if diff := cmp.Diff(want.String(), got); diff != "" {
		t.Error(diff)
	}
	if st.Lines != 500 || st.Connections != 1 {
		t.Errorf("stats %+v", st)
	}
}

func TestProxy_sameSeedSameFaults(t *testing.T) {
	f := Faults{Duplicate: 0.1, Drop: 0.1, Garbage: 0.1, Split: 0.2, Merge: 0.2}
	first, _, st := through(t, Options{Seed: 5, ToClient: f}, 400)
	second, _, _ := through(t, Options{Seed: 5, ToClient: f}, 400)
	other, _, _ := through(t, Options{Seed: 6, ToClient: f}, 400)
	if first != second {
		t.Error("the same seed gave two different streams")
	}
	if first == other {
		t.Error("another seed gave the same stream")
	}
	if st.Duplicated == 0 || st.Dropped == 0 || st.Garbage == 0 || st.Split == 0 || st.Merged == 0 {
		t.Errorf("a fault never happened: %+v", st)
	}
}

func TestProxy_cuts(t *testing.T) {
	tests := []struct {
		name  string
		fault Faults
		check func(t *testing.T, got string, st Stats)
	}{
		{"every N lines", Faults{CutEveryN: 40}, func(t *testing.T, got string, st Stats) {
			if n := strings.Count(got, "\n"); st.Cut != 1 || n > 70 {
				t.Errorf("%d lines, %d cuts", n, st.Cut)
			}
		}},
		{"half a line", Faults{CutHalf: 0.1}, func(t *testing.T, got string, st Stats) {
			if st.Halved != 1 || strings.Count(got, "\n") >= 300 {
				t.Errorf("%d lines, %d halved", strings.Count(got, "\n"), st.Halved)
			}
		}},
		{"spared lines", Faults{Drop: 1}, func(t *testing.T, got string, st Stats) {
			if n := strings.Count(got, "\n"); n != 10 || st.Dropped != 290 {
				t.Errorf("%d lines came through, %d dropped", n, st.Dropped)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, st := through(t, Options{Seed: 3, ToClient: tt.fault, SparedLines: 10}, 300)
			tt.check(t, got, st)
		})
	}
}

func TestProxy_delaysWithTheClockItIsGiven(t *testing.T) {
	var waited []time.Duration
	opts := Options{Seed: 1, ToClient: Faults{Delay: 1, MaxDelay: time.Hour}, Sleep: func(_ context.Context, d time.Duration) {
		waited = append(waited, d)
	}}
	_, _, st := through(t, opts, 20)
	if len(waited) != 20 || st.Delayed != 20 {
		t.Fatalf("%d waits, %d delayed", len(waited), st.Delayed)
	}
	for _, d := range waited {
		if d < 0 || d > time.Hour {
			t.Errorf("waited %s", d)
		}
	}
}

// A prompt has no line end; the client must see it before it answers.
func TestProxy_promptPassesAtOnce(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		io.WriteString(c, "hello\r\nlogin: ")
		bufio.NewReader(c).ReadString('\n')
	}()
	p, err := New(Options{Target: ln.Addr().String(), ToClient: Faults{Merge: 1}})
	if err != nil {
		t.Fatal(err)
	}
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, front) }()
	c, err := net.Dial("tcp", front.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.SetDeadline(time.Now().Add(patience))
	buf := make([]byte, len("hello\r\nlogin: "))
	if _, err := io.ReadFull(c, buf); err != nil || !bytes.HasSuffix(buf, []byte("login: ")) {
		t.Errorf("got %q, %v", buf, err)
	}
	if n := p.CutAll(); n != 1 {
		t.Errorf("cut %d connections", n)
	}
	if _, err := c.Read(buf); err == nil {
		t.Error("the connection survived CutAll")
	}
	c.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestNew_refusesImpossibleChances(t *testing.T) {
	for _, o := range []Options{
		{}, {Target: "x", ToClient: Faults{Drop: 1.5}}, {Target: "x", ToServer: Faults{Cut: -0.1}}, {Target: "x", ToServer: Faults{CutEveryN: -1}},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}
