package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/server"
	"fibsbot/bgammon/wire"
)

// A WebSocket and a plain stream, both within TLS: a match is opened over each, a
// certificate of an unknown authority is refused, and so is TLS 1.1.
func TestTLS(t *testing.T) {
	srv := server.New(server.Options{Seed: 7})
	web := httptest.NewTLSServer(srv)
	defer web.Close()
	known := x509.NewCertPool()
	known.AddCert(web.Certificate())

	listen := func(version uint16) string {
		plain, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l := tls.NewListener(plain, &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS10, MaxVersion: version})
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { _ = srv.Serve(ctx, l) })
		t.Cleanup(func() { cancel(); wg.Wait() })
		return l.Addr().String()
	}
	socket := "wss" + strings.TrimPrefix(web.URL, "https")
	for _, tt := range []struct {
		what, address string
		roots         *x509.CertPool
		refused       bool
	}{
		{"wss", socket, known, false},
		{"wss, an unknown certificate", socket, x509.NewCertPool(), true},
		{"tls", listen(tls.VersionTLS13), known, false},
		{"tls, an unknown certificate", listen(tls.VersionTLS13), x509.NewCertPool(), true},
		{"tls 1.1", listen(tls.VersionTLS11), known, true},
	} {
		t.Run(tt.what, func(t *testing.T) {
			s, err := dial(t.Context(), client.Options{Address: tt.address, Name: "BOT_us", TLS: &tls.Config{RootCAs: tt.roots, MinVersion: tls.VersionTLS12}})
			if tt.refused {
				if err == nil || errors.Is(err, client.ErrBadLogin) {
					t.Errorf("%v; want a refusal of the connection", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Send(wire.Create{Points: 3, Password: "sesame"}, nil); err != nil {
				t.Fatal(err)
			}
			for ev := range s.events {
				if b, ok := ev.Event.(wire.Board); ok {
					if b.Points != 3 {
						t.Errorf("board %+v", b)
					}
					return
				}
			}
			t.Fatal("no board: ", s.Err())
		})
	}
}
