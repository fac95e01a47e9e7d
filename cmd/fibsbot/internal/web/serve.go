//go:build !js

package web

import (
	"context"
	"fmt"
	"html"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/connlimit"
	"fibsbot/internal/subprocess"
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

// openPage sends a browser to an address. Its file keeps the token out of program
// arguments, which every user of the machine can read.
const openPage = `<!doctype html><meta charset="utf-8"><title>fibsbot</title><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=%[1]s"><a href="%[1]s">fibsbot</a>
`

// OpenBrowser opens an address in the user's browser. If the address holds the token of
// tokenFile, the browser opens a private page beside that file, which leads there; forget
// removes the page.
func OpenBrowser(ctx context.Context, address, tokenFile string) (forget func(), err error) {
	forget = func() {}
	target := address
	if tokenFile != "" {
		if target, err = filepath.Abs(tokenFile + ".html"); err != nil {
			return forget, fmt.Errorf("open a browser: %w", err)
		}
		if err := atomicfile.WriteBytes(target, 0o600, fmt.Appendf(nil, openPage, html.EscapeString(address))); err != nil {
			return forget, fmt.Errorf("open a browser: %w", err)
		}
		page := target
		forget = func() { _ = os.Remove(page) } // if it stays, it is as private as the token file
	}
	name, args := "xdg-open", []string{target}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", target}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return forget, fmt.Errorf("open a browser: %w", err)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = subprocess.Environ() // its group stays ours: the browser is not to end with us
	if err := cmd.Start(); err != nil {
		return forget, fmt.Errorf("open a browser: %w", err)
	}
	go func() { _ = cmd.Wait() }() // its status does not matter
	return forget, nil
}
