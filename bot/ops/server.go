//go:build !js

package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"fibsbot/internal/connlimit"
	"fibsbot/internal/panics"
)

// Server answers operators and their tools.
type Server struct {
	// Listen is the loopback address of the HTTP server, or empty.
	Listen string
	// Socket is the file name of the status socket, or empty.
	Socket  string
	Status  func() Status
	Metrics *Metrics
	// Control carries out the orders that come over Socket; nil takes none.
	Control func(context.Context, Order) Reply
	// View is the status with all that pages show; nil shows the status.
	View func(context.Context) Status
	// Dashboard is the address of Page; empty for none. It may be the same as
	// Listen. Page only shows: it is asked with GET and HEAD.
	Dashboard string
	Page      http.Handler
	// Hosts returns names that proxies use for this server, besides its own. It may be nil.
	Hosts func() []string

	view viewer

	slow  time.Duration // readLimit, less in tests
	looks time.Duration // socketEvery, less in tests
}

// limits of the HTTP server: it answers small requests of trusted tools, and an
// address that was opened too wide by mistake must not become a way in.
const (
	readLimit  = 5 * time.Second
	writeLimit = 10 * time.Second
	headLimit  = 8 << 10
)

// Run serves until ctx ends. A busy address or an unusable socket is an error at
// once; the bot itself does not depend on this server.
func (s *Server) Run(ctx context.Context) error {
	slow := s.slow
	if slow <= 0 {
		slow = readLimit
	}
	handlers := map[*connlimit.Listener]http.Handler{}
	serve := func(l net.Listener, most int, h http.Handler) { handlers[connlimit.New(l, most, 0)] = h }
	failed := func(key string, err error) error {
		for open := range handlers {
			open.Close()
		}
		return fmt.Errorf("%s: %w", key, err)
	}
	if s.Dashboard != "" && s.Dashboard != s.Listen {
		tcp, err := net.Listen("tcp", s.Dashboard)
		if err != nil {
			return failed("dashboard.listen", err)
		}
		serve(tcp, maxPages, ownHost(s.Dashboard, s.Hosts, readOnly(s.Page)))
	}
	if s.Listen != "" {
		tcp, err := net.Listen("tcp", s.Listen)
		if err != nil {
			return failed("operations.listen", err)
		}
		most := maxConns
		if s.Dashboard == s.Listen {
			most = maxPages
		}
		serve(tcp, most, ownHost(s.Listen, s.Hosts, s.Handler()))
	}
	var sock *socket
	if s.Socket != "" {
		var err error
		if sock, err = newSocket(s.Socket); err != nil {
			return failed("status socket", err)
		}
		serve(sock, maxConns, s.onSocket(s.Handler()))
	}
	g, ctx := errgroup.WithContext(ctx)
	if sock != nil {
		g.Go(func() error { return sock.keep(ctx, s.looks) })
	}
	for l, h := range handlers {
		srv := &http.Server{
			Handler: h, ReadTimeout: slow, ReadHeaderTimeout: slow, IdleTimeout: slow,
			WriteTimeout: writeLimit, MaxHeaderBytes: headLimit,
		}
		l.Bind(srv)
		g.Go(func() error {
			if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("operations server: %w", err)
			}
			return nil
		})
		g.Go(func() error {
			<-ctx.Done()
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			err := srv.Shutdown(end)
			if errors.Is(err, context.DeadlineExceeded) {
				return srv.Close() // who is slow to ask or to listen has had his time
			}
			return err
		})
	}
	return g.Wait()
}

// Handler returns the routes: /metrics, /healthz, /readyz, /status and /view, and
// the page where it shares the address.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	if s.Page != nil && s.Dashboard != "" && s.Dashboard == s.Listen {
		mux.Handle("/", readOnly(s.Page))
	}
	mux.HandleFunc("GET /view", func(w http.ResponseWriter, r *http.Request) {
		st, err := s.view.get(r.Context(), s)
		if err != nil {
			return // the reader has gone
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(st) // an error means that the reader has gone
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		st := s.Status()
		if !st.Ready() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		for _, a := range st.Accounts {
			fmt.Fprintf(w, "%s %s\n", a.Name, a.State)
		}
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		// The client may have gone.
		_ = enc.Encode(s.Status())
	})
	if s.Metrics != nil {
		mux.Handle("GET /metrics", promhttp.HandlerFor(s.Metrics.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: writeLimit}))
	}
	return mux
}

// ErrNotRunning is returned by Ask when no process answers at the socket.
var ErrNotRunning = errors.New("no fibsbot is running here")

// maxStatus bounds the answer of a status request.
const maxStatus = 4 << 20

// Ask fetches the status of the process that listens on a socket file (with a
// path separator or ending in .sock) or a host:port.
func Ask(ctx context.Context, where string) (Status, error) { return ask(ctx, where, "/status") }

// AskView fetches what pages show of it: the status with boards, invitations, talk
// and matches.
func AskView(ctx context.Context, where string) (Status, error) { return ask(ctx, where, "/view") }

func ask(ctx context.Context, where, path string) (st Status, err error) {
	err = request(ctx, where, http.MethodGet, path, nil, &st)
	return st, err
}

// request sends body, if it is not nil, and decodes the answer.
func request(ctx context.Context, where, method, path string, body, answer any) error {
	network := "tcp"
	if _, _, err := net.SplitHostPort(where); err != nil || filepath.Ext(where) == ".sock" {
		network = "unix"
	}
	client := http.Client{Timeout: writeLimit, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, where)
		},
		DisableKeepAlives: true,
	}}
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, &sent)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	var slow net.Error
	switch {
	case errors.As(err, &slow) && slow.Timeout():
		return fmt.Errorf("%s: fibsbot does not answer", where)
	case err != nil:
		return fmt.Errorf("%s: %w", where, ErrNotRunning)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxStatus)).Decode(answer); err != nil {
		return fmt.Errorf("%s: not the answer of a fibsbot: %w", where, err)
	}
	return nil
}

// freshFor is how long all readers share a view before a new one is made, so that many
// readers cost no more than one.
const freshFor = time.Second

// viewer keeps the last view.
type viewer struct {
	making singleflight.Group
	last   atomic.Pointer[view]
}

type view struct {
	at time.Time
	Status
}

// get returns the view of this second. One caller makes it, others wait for it until
// their context ends.
func (v *viewer) get(ctx context.Context, s *Server) (Status, error) {
	made := v.making.DoChan("", func() (_ any, err error) {
		defer panics.Recover(&err)
		if last := v.last.Load(); last != nil && time.Since(last.at) < freshFor {
			return last.Status, nil
		}
		now := view{at: time.Now()}
		if s.View == nil {
			now.Status = s.Status()
		} else {
			now.Status = s.View(context.WithoutCancel(ctx)) // others wait for the same view
		}
		v.last.Store(&now)
		return now.Status, nil
	})
	select {
	case r := <-made:
		if r.Err != nil {
			panic(r.Err) // in the goroutine of a reader, where it ends only the request
		}
		return r.Val.(Status), nil
	case <-ctx.Done():
		return Status{}, ctx.Err()
	}
}

// LiveView is the view of this second, as pages of this process show it.
func (s *Server) LiveView(ctx context.Context) (Status, error) { return s.view.get(ctx, s) }
