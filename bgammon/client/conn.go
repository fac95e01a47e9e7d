package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/coder/websocket"

	"fibsbot/bgammon/internal/lines"
	"fibsbot/bgammon/wire"
)

// writeLimit is how long the server may take to accept a line.
const writeLimit = 20 * time.Second

func connect(ctx context.Context, o Options) (lines.Conn, error) {
	if o.webSocket() {
		return dialWebSocket(ctx, o)
	}
	c, err := o.Dialer(ctx, "tcp", o.Address)
	if err != nil {
		return nil, err
	}
	if o.TLS != nil {
		secure := tls.Client(c, tlsFor(o.TLS, o.Address))
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = c.Close()
			return nil, fmt.Errorf("tls: %w", err)
		}
		c = secure
	}
	return lines.Stream(c, wire.MaxLine), nil
}

// tlsFor completes a configuration with the host's name and the least version.
func tlsFor(c *tls.Config, address string) *tls.Config {
	c = c.Clone()
	if c.ServerName == "" {
		c.ServerName, _, _ = net.SplitHostPort(address)
	}
	c.MinVersion = max(c.MinVersion, tls.VersionTLS12)
	return c
}

// why returns the error of this package for an error of the network.
func why(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, lines.ErrTooLong):
		return fmt.Errorf("%w: a line of more than %d bytes", ErrFlood, wire.MaxLine)
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", ErrSilent, err)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: closed by the server", ErrLost)
	}
	return fmt.Errorf("%w: %w", ErrLost, err)
}

func dialWebSocket(ctx context.Context, o Options) (lines.Conn, error) {
	transport := &http.Transport{DialContext: o.Dialer, ForceAttemptHTTP2: false}
	if o.TLS != nil {
		transport.TLSClientConfig = o.TLS.Clone()
		transport.TLSClientConfig.MinVersion = max(o.TLS.MinVersion, tls.VersionTLS12)
	}
	c, resp, err := websocket.Dial(ctx, o.Address, &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return nil, err
	}
	return lines.Socket(c, wire.MaxLine), nil
}

// readLine waits for the next line of the server.
func (s *Session) readLine() (string, error) {
	line, err := s.conn.ReadLine(time.Now().Add(s.opts.Idle))
	return line, why(err)
}
