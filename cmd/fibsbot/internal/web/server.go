package web

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"

	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/texts"
)

// Bounds of a token in bytes.
const (
	minToken    = 16
	maxTokenLen = 512
)

// ErrToken is wrapped by errors about tokens.
var ErrToken = errors.New("no token")

// Options of a Site.
type Options struct {
	API     api.Options
	Version string
	// Language of readers who chose none, nil for that of their browser.
	Language *texts.Catalogue
	// Token that visitors must show; empty for none.
	Token string
	// Hosts are the names by which visitors with a token reach the server, besides its IP
	// addresses and localhost.
	Hosts []string
}

// Site is the whole site.
type Site struct {
	api     *api.API
	handler http.Handler
	token   bool // visitors must show a token
}

// New makes a site, which the caller closes.
func New(o Options) (*Site, error) {
	o.API.Version = o.Version
	o.API.Language = func(r *http.Request) *texts.Catalogue { return languageOf(r, o.Language) }
	if o.Language != nil {
		texts.Add(o.Language)
	}
	s := &Site{api: api.New(o.API), token: o.Token != ""}
	mux := http.NewServeMux()
	mux.Handle("/api/", s.api)
	p := &pages{api: s.api, version: o.Version, archive: o.API.Archive != nil, bots: o.API.Bots != nil, texts: o.Language}
	p.routes(mux)
	s.handler = &guard{token: o.Token, hosts: o.Hosts, next: mux}
	return s, nil
}

// ServeHTTP answers a request.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close stops the jobs.
func (s *Site) Close() { s.api.Close() }

// NeedsToken reports whether other machines can reach an address to listen on, so visitors
// need a token. "localhost" and loopback addresses need none.
func NeedsToken(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return true
	}
	if strings.EqualFold(host, "localhost") {
		return false
	}
	addr, err := netip.ParseAddr(host)
	return err != nil || !addr.IsLoopback()
}

// TokenFrom reads the token in file, or creates one there, readable only by the owner.
// Errors wrap ErrToken if the file holds no valid token.
func TokenFrom(file string) (string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		var b [24]byte
		_, _ = rand.Read(b[:]) // crypto/rand never fails
		token := base64.RawURLEncoding.EncodeToString(b[:])
		return token, atomicfile.WriteBytes(file, 0o600, []byte(token+"\n"))
	}
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if len(token) < minToken || len(token) > maxTokenLen || strings.ContainsFunc(token, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", r)
	}) {
		return "", fmt.Errorf("%s: %w: want one line of %d or more letters, digits and -._~", file, ErrToken, minToken)
	}
	return token, nil
}
