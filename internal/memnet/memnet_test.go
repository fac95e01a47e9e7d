package memnet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// connect returns both ends of a connection of a network with that latency.
func connect(t *testing.T, latency time.Duration) (*Network, net.Conn, net.Conn) {
	t.Helper()
	n := &Network{Latency: latency}
	l, err := n.Listen("server:1")
	if err != nil {
		t.Fatal(err)
	}
	near, err := n.Dial(t.Context(), "tcp", "server:1")
	if err != nil {
		t.Fatal(err)
	}
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close(); l.Close() })
	return n, near, far
}

func TestConn_bytesArriveInOrderAfterTheLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, near, far := connect(t, 40*time.Millisecond)
		begin := time.Now()
		want := bytes.Repeat([]byte("0123456789"), 20000) // several windows
		go func() {
			near.Write(want)
			near.Close()
		}()
		first := make([]byte, 4)
		if _, err := io.ReadFull(far, first); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(begin); d != 40*time.Millisecond {
			t.Errorf("the first bytes came after %v", d)
		}
		rest, err := io.ReadAll(far)
		if got := append(first, rest...); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
		}
	})
}

func TestConn_closeDeliversResetDoesNot(t *testing.T) {
	for _, hard := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			_, near, far := connect(t, time.Millisecond)
			near.Write([]byte("last words"))
			if hard {
				near.(*Conn).SetLinger(0)
			}
			near.Close()
			time.Sleep(time.Second)
			got, err := io.ReadAll(far)
			if hard && (len(got) > 0 || !errors.Is(err, syscall.ECONNRESET)) || !hard && (string(got) != "last words" || err != nil) {
				t.Errorf("hard %v: %q, %v", hard, got, err)
			}
			if _, err := far.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
				t.Errorf("write to a closed end: %v", err)
			}
		})
	}
}

func TestConn_deadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, near, far := connect(t, 0)
		begin := time.Now()
		far.SetReadDeadline(begin.Add(time.Minute))
		if _, err := far.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begin) != time.Minute {
			t.Errorf("read: %v after %v", err, time.Since(begin))
		}
		near.SetWriteDeadline(time.Now().Add(time.Minute))
		if n, err := near.Write(make([]byte, 2*window)); n != window || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("write: %d bytes, %v", n, err)
		}
		// A deadline wakes a reader who waits already.
		go func() {
			time.Sleep(time.Second)
			near.SetReadDeadline(time.Unix(1, 0))
		}()
		if _, err := near.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read: %v", err)
		}
	})
}

func TestNetwork_refusesWhereNobodyListens(t *testing.T) {
	n := &Network{}
	if _, err := n.Dial(context.Background(), "tcp", "server:1"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial: %v", err)
	}
	l, err := n.Listen("server:1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Listen("server:1"); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("second listener: %v", err)
	}
	c, err := n.Dial(context.Background(), "tcp", "server:1")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("accept: %v", err)
	}
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("a connection that was not accepted: %v", err)
	}
	c.Close()
	if _, err := n.Dial(context.Background(), "tcp", "server:1"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial after the end: %v", err)
	}
	if n.Open() != 0 {
		t.Errorf("%d ends are open", n.Open())
	}
}
