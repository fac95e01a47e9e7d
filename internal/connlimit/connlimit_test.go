package connlimit

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// rented is a listener on the loopback interface whose connections have the addresses that
// it is given, in the order in which they come.
type rented struct {
	net.Listener
	from chan string
}

type rentedConn struct {
	net.Conn
	from string
}

func (c rentedConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(c.from), Port: 4000} }

func (l rented) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return rentedConn{c, <-l.from}, nil
}

// hall is a server that trusts who asks for /in and keeps who asks for /stay.
type hall struct {
	t      *testing.T
	l      *Listener
	from   chan string
	served chan string
	stay   chan struct{}
}

func open(t *testing.T, most, perSite int) *hall {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{t: t, from: make(chan string, 1), served: make(chan string, 100), stay: make(chan struct{})}
	h.l = New(rented{ln, h.from}, most, perSite)
	srv := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/in") {
			Trust(r)
		}
		h.served <- r.URL.Path
		if strings.HasSuffix(r.URL.Path, "stay") {
			<-h.stay
		}
	})}
	h.l.Bind(srv)
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(h.l) }()
	t.Cleanup(func() { close(h.stay); srv.Close(); <-done })
	return h
}

// come connects from an address.
func (h *hall) come(from string) net.Conn {
	h.t.Helper()
	h.from <- from
	c, err := net.Dial("tcp", h.l.Addr().String())
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { c.Close() })
	return c
}

// ask sends a request and reads the answer, or returns an error.
func ask(c net.Conn, method, path string) error {
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: here\r\n\r\n", method, path); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// idle waits until the server is done with a site: an answer may be read before that.
func (h *hall) idle(site string) {
	h.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		busy := false
		h.l.mu.Lock()
		for c := range h.l.conns {
			busy = busy || c.site == site && c.serving
		}
		h.l.mu.Unlock()
		if !busy {
			return
		}
		if time.Now().After(end) {
			h.t.Fatalf("%s is still being answered", site)
		}
	}
}

func ended(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	_, err := c.Read(make([]byte, 1))
	return err != nil && !strings.Contains(err.Error(), "timeout")
}

// TestListener_silentOnesMakeRoom: who connects and says nothing, from one address or many,
// keeps no one out and costs no more than the places there are.
func TestListener_silentOnesMakeRoom(t *testing.T) {
	h := open(t, 8, 4)
	known := h.come("192.0.2.1")
	if err := ask(known, "GET", "/in"); err != nil {
		t.Fatal(err)
	}
	var silent []net.Conn
	for range 20 {
		silent = append(silent, h.come("198.51.100.7"))
	}
	if err := ask(h.come("192.0.2.2"), "GET", "/"); err != nil {
		t.Fatalf("kept out by one address: %v", err)
	}
	if n := h.l.Open(); n > 6 { // four silent ones, one known, one that asked
		t.Errorf("%d open: one address has more than its share", n)
	}
	for _, c := range silent[:16] {
		if !ended(c) {
			t.Error("an early silent connection is still open")
		}
	}
	for i := range 20 {
		h.come(fmt.Sprintf("203.0.113.%d", i))
	}
	if err := ask(h.come("192.0.2.3"), "GET", "/"); err != nil {
		t.Fatalf("kept out by many addresses: %v", err)
	}
	if n := h.l.Open(); n > 8 {
		t.Errorf("%d open, 8 allowed", n)
	}
	if err := ask(known, "GET", "/in"); err != nil {
		t.Errorf("a visitor who was let in lost his line: %v", err)
	}
}

// TestListener_whoMakesRoom: the address that holds the most goes first, within it the
// oldest, and never who is trusted and being served.
func TestListener_whoMakesRoom(t *testing.T) {
	h := open(t, 4, 0)
	lone, first, second := h.come("192.0.2.1"), h.come("198.51.100.7"), h.come("198.51.100.7")
	served := h.come("192.0.2.9")
	go func() { _ = ask(served, "GET", "/in/stay") }()
	<-h.served
	if err := ask(h.come("192.0.2.4"), "GET", "/in"); err != nil { // takes the place of first
		t.Fatal(err)
	}
	if !ended(first) {
		t.Error("the oldest of the address with the most stayed")
	}
	<-h.served
	h.idle("192.0.2.4")
	for range 3 { // takes the places of lone and second, then of the idle trusted one
		c := h.come("192.0.2.5")
		go func() { _ = ask(c, "GET", "/in/stay") }()
		<-h.served
	}
	if !ended(lone) || !ended(second) {
		t.Error("silent ones stayed")
	}
	if !ended(h.come("192.0.2.6")) {
		t.Error("a connection was taken although all places are those of trusted visitors who are being served")
	}
}

// TestListener_slowAnswersMakeRoom: where no one is trusted, a connection that is silent
// goes first, and one that is slow to take its answer when there is no other.
func TestListener_slowAnswersMakeRoom(t *testing.T) {
	h := open(t, 3, 0)
	lost := make(chan error, 3)
	for range 3 {
		c := h.come("198.51.100.7")
		go func() { lost <- ask(c, "GET", "/stay") }()
		<-h.served
	}
	if err := ask(h.come("192.0.2.1"), "GET", "/"); err != nil {
		t.Fatal(err)
	}
	if err := <-lost; err == nil {
		t.Error("a slow one was answered, and yet there was room")
	}
}

// TestBind_optionsReachTheHandler: every method can be refused.
func TestBind_optionsReachTheHandler(t *testing.T) {
	h := open(t, 3, 0)
	if err := ask(h.come("192.0.2.1"), "OPTIONS", "*"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-h.served:
	default:
		t.Error("OPTIONS * was answered without the handler")
	}
}

// TestListener_closesOnce: a place is given back once however often a connection is closed.
func TestListener_closesOnce(t *testing.T) {
	l := New(nil, 3, 2)
	for range 10 {
		near, far := net.Pipe()
		defer far.Close()
		c := l.admit(rentedConn{near, "192.0.2.1"})
		_ = c.Close()
		_ = c.Close()
	}
	if l.Open() != 0 || len(l.sites) != 0 {
		t.Errorf("%d open, %v", l.Open(), l.sites)
	}
}

func TestSiteOf(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::9": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "localhost": "localhost",
	} {
		if got := SiteOf(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
