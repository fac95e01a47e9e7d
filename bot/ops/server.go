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
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"fibsbot/internal/connlimit"
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
	var lists []*connlimit.Listener
	handlers := map[*connlimit.Listener]http.Handler{}
	if s.Dashboard != "" && s.Dashboard != s.Listen {
		tcp, err := net.Listen("tcp", s.Dashboard)
		if err != nil {
			return fmt.Errorf("dashboard.listen: %w", err)
		}
		l := connlimit.New(tcp, maxPages, 0)
		lists, handlers[l] = append(lists, l), ownHost(s.Dashboard, s.Hosts, readOnly(s.Page))
	}
	if s.Listen != "" {
		tcp, err := net.Listen("tcp", s.Listen)
		if err != nil {
			for _, open := range lists {
				open.Close()
			}
			return fmt.Errorf("operations.listen: %w", err)
		}
		n := maxConns
		if s.Dashboard == s.Listen {
			n = maxPages
		}
		l := connlimit.New(tcp, n, 0)
		lists, handlers[l] = append(lists, l), ownHost(s.Listen, s.Hosts, s.Handler())
	}
	var sock *socket
	if s.Socket != "" {
		var err error
		sock, err = newSocket(s.Socket)
		if err != nil {
			for _, open := range lists {
				open.Close()
			}
			return fmt.Errorf("status socket: %w", err)
		}
		l := connlimit.New(sock, maxConns, 0)
		lists, handlers[l] = append(lists, l), s.onSocket(s.Handler())
	}
	g, ctx := errgroup.WithContext(ctx)
	if sock != nil {
		g.Go(func() error { return sock.keep(ctx, s.looks) })
	}
	for _, l := range lists {
		srv := &http.Server{
			Handler: handlers[l], ReadTimeout: slow, ReadHeaderTimeout: slow, IdleTimeout: slow,
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
