package ops

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"fibsbot/internal/freeport"
	"fibsbot/internal/testsize"
)

func TestOwnHost_refusesOtherNames(t *testing.T) {
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	for host, want := range map[string]int{
		"127.0.0.1:8080": 200, "localhost": 200, "LOCALHOST:9090": 200, "[::1]:80": 200, "192.168.1.5": 200, "bots.example:80": 200,
		"Bot.example.org": 200, "bot.example.org.:443": 200, "bot.example.org.evil.example": 421,
		"evil.example": 421, "evil.example:8080": 421, "127.0.0.1.evil.example": 421, "": 421,
	} {
		rec := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/status", nil)
		r.Host = host
		ownHost("bots.example:80", func() []string { return []string{"", "bot.example.org"} }, ok).ServeHTTP(rec, r)
		if rec.Code != want {
			t.Errorf("Host %q: %d, want %d", host, rec.Code, want)
		}
	}
}

// TestRun_silentClientsEatNoDescriptors: silent clients hold a bounded number of connections, for
// seconds only.
func TestRun_silentClientsEatNoDescriptors(t *testing.T) {
	sock := filepath.Join(t.TempDir(), "s.sock")
	s := &Server{Socket: sock, Status: func() Status { return sample }, slow: 100 * time.Millisecond}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	var held []net.Conn
	defer func() {
		for _, c := range held {
			c.Close()
		}
	}()
	for len(held) < 3*maxConns {
		c, err := net.Dial("unix", sock)
		if err != nil {
			if len(held) == 0 {
				time.Sleep(time.Millisecond) // not up yet
				continue
			}
			break // the kernel's own queue is full
		}
		held = append(held, c)
	}
	// Accepted silent connections are soon closed, which makes room.
	deadline := time.Now().Add(12 * readLimit)
	for {
		st, err := Ask(t.Context(), sock)
		if err == nil && st.Version == sample.Version {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("locked out: %v", err)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestRun_slowClientsSilenceNoProbe: page and probes share an address. Clients that send half a
// request, read nothing or follow a stream must not keep probes from being answered.
func TestRun_slowClientsSilenceNoProbe(t *testing.T) {
	testsize.Medium(t)
	streams := make(chan struct{}, 4*maxPages)
	listen := freeport.On(t, "127.0.0.1")
	s := &Server{Listen: listen, Dashboard: listen, Status: func() Status { return sample }, slow: time.Hour,
		Page: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			streams <- struct{}{}
			<-r.Context().Done()
		})}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	dial := func() net.Conn {
		for {
			c, err := net.Dial("tcp", listen)
			if err == nil {
				t.Cleanup(func() { c.Close() })
				return c
			}
			runtime.Gosched() // not up yet
		}
	}
	for range maxPages {
		if _, err := io.WriteString(dial(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		<-streams
	}
	for range 2 * maxPages {
		_, _ = io.WriteString(dial(), "GET / HTTP/1.1\r\nHost: localh") // may be refused for newer ones
	}
	probe := http.Client{Timeout: time.Minute}
	resp, err := probe.Get("http://" + listen + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Error(resp.Status)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
