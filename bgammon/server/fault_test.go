package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
)

// heard is a log that is written and read at once.
type heard struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}

// TestServe_faultEndsOneConnection: a panic in a command ends only the connection that sent it.
// That player can log in again. The log names the place of the panic, not the text sent.
func TestServe_faultEndsOneConnection(t *testing.T) {
	log := logrus.New()
	said := &heard{}
	log.SetOutput(said)
	s := New(Options{Seed: 1, Log: log})
	s.trip = func(user, line string) {
		if strings.HasPrefix(line, "trip") {
			panic("a fault of " + user)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan struct{})
	go func() { defer close(served); _ = s.Serve(ctx, l) }()
	t.Cleanup(func() { cancel(); <-served })
	dial := func(name string) (send func(string), until func(string) bool) {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		lines := bufio.NewScanner(c)
		send = func(text string) { fmt.Fprintf(c, "%s\n", text) }
		until = func(want string) bool {
			for lines.Scan() {
				if strings.Contains(lines.Text(), want) {
					return true
				}
			}
			return false
		}
		send("lj test/1 " + name)
		if !until("welcome") {
			t.Fatalf("%s is not let in", name)
		}
		return send, until
	}
	sendA, untilA := dial("anna")
	sendB, untilB := dial("bert")
	sendA("trip my secret")
	if untilA("never said") {
		t.Error("the connection lives on")
	}
	sendB("ls")
	if !untilB(`"list"`) {
		t.Error("the other connection does not")
	}
	dial("anna")
	if text := said.String(); !strings.Contains(text, "a fault of ") || !strings.Contains(text, "fault_test.go:") || strings.Contains(text, "my secret") {
		t.Errorf("logged: %s", text)
	}
}
