//go:build !js

package web

import (
	"context"
	"net"
	"net/http"
	"time"

	"fibsbot/internal/connlimit"
)

// Bounds of the server.
const (
	maxConns   = 256
	maxStrange = 32 // connections of one address without the token
	maxHeader  = 16 << 10
	headerWait = 5 * time.Second
	bodyWait   = 30 * time.Second
	idleWait   = 2 * time.Minute
)

// Serve answers on ln until ctx ends, then waits briefly for open requests.
func (s *Site) Serve(ctx context.Context, ln net.Listener) error {
	base, stop := context.WithCancel(context.Background()) // cancelled to end event streams
	srv := &http.Server{
		Handler: s, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: headerWait, ReadTimeout: bodyWait, IdleTimeout: idleWait,
		BaseContext: func(net.Listener) context.Context { return base },
	}
	perSite := 0
	if s.token {
		perSite = maxStrange
	}
	bounded := connlimit.New(ln, maxConns, perSite)
	bounded.Bind(srv)
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(bounded) }()
	select {
	case err := <-ended:
		stop()
		return err
	case <-ctx.Done():
	}
	stop()
	wait, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := srv.Shutdown(wait); err != nil {
		_ = srv.Close()
	}
	<-ended
	return nil
}
