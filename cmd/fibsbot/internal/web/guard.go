//go:build !js

package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"html"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"fibsbot/bot/ops"
	"fibsbot/internal/connlimit"
)

// cookieName holds the token in a browser.
const cookieName = "fibsbot_token"

// guard passes a request to next, or refuses it.
type guard struct {
	// token that visitors must show; empty for none, on loopback only.
	token  string
	hosts  []string // names of the server besides localhost and, where there is a token, IP addresses
	prefix string   // of the site's addresses
	next   http.Handler
}

// guarded passes the requests to next that the options of a site let through.
func guarded(o Options, next http.Handler) http.Handler {
	return &guard{token: o.Token, hosts: o.Hosts, prefix: o.Prefix, next: next}
}

// Guarded serves h with the limits of a site: who may ask, how much and how long. It has no pages,
// and is not closed.
func Guarded(h http.Handler, token string, hosts []string) *Site {
	return &Site{handler: &guard{token: token, hosts: hosts, next: h}, token: token != ""}
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	harden(h)
	refuse := func(status int, text string) {
		h.Set("Content-Type", "application/json")
		h.Set("Connection", "close") // a refused visitor keeps no connection
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"error":"` + text + `","field":""}` + "\n"))
	}
	switch {
	// DNS rebinding: a foreign name that resolves to this machine.
	case !g.own(r.Host):
		refuse(http.StatusMisdirectedRequest, "this name is not served here: use the address that fibsbot web printed, or give --hosts NAME")
	case !sameOrigin(r, g.asked(r)):
		refuse(http.StatusForbidden, "the request comes from another site (behind a reverse proxy, give --hosts NAME and pass Host or X-Forwarded-Host)")
	case g.token != "" && g.login(w, r):
	case g.token != "" && !g.known(r):
		h.Set("WWW-Authenticate", `Bearer realm="fibsbot"`)
		refuse(http.StatusUnauthorized, "a token is wanted: open the address that fibsbot web printed, or send Authorization: Bearer TOKEN")
	default:
		connlimit.Trust(r)
		g.next.ServeHTTP(w, r)
	}
}

// own reports whether a Host is one of this server. Without a token an IP address must be a
// loopback one.
func (g *guard) own(hostport string) bool {
	return loopbackName(hostport) || ops.OwnHost(hostport, g.hosts) && (g.token != "" || !isAddress(hostport))
}

// asked is the Host that the visitor's browser asked; a proxy that does not pass it on names it.
func (g *guard) asked(r *http.Request) string {
	if host := r.Header.Get("X-Forwarded-Host"); host != "" && !isAddress(host) && ops.OwnHost(host, g.hosts) {
		return host
	}
	return r.Host
}

// isAddress reports whether a Host is an IP address.
func isAddress(hostport string) bool {
	_, err := netip.ParseAddr(hostOf(hostport))
	return err == nil
}

// hostOf is a Host without port and brackets.
func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		hostport = host
	}
	return strings.Trim(hostport, "[]")
}

// loopbackName reports whether a Host names this machine's loopback.
func loopbackName(hostport string) bool {
	host := strings.ToLower(hostOf(hostport))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// sameOrigin reports whether a request comes from a page of this site, which browsers know as
// host, or from no page. A link on another site may open a page, but may not call the API.
func sameOrigin(r *http.Request, host string) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		if !reads || r.Header.Get("Sec-Fetch-Mode") != "navigate" || strings.HasPrefix(r.URL.Path, "/api/") {
			return false
		}
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

// login moves the token of a printed address into a cookie and redirects to the address
// without it.
func (g *guard) login(w http.ResponseWriter, r *http.Request) bool {
	q := r.URL.Query()
	if r.Method != http.MethodGet || !q.Has("token") || !g.right(q.Get("token")) {
		return false
	}
	connlimit.Trust(r)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: g.token, Path: g.prefix + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: 30 * 24 * 3600})
	q.Del("token")
	to := url.URL{Path: g.prefix + "/" + strings.TrimLeft(r.URL.Path, "/\\"), RawQuery: q.Encode()}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
	default:
		// After a link from another site a redirect comes without the strict cookie. The
		// requests of this page come with it.
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><title>fibsbot</title><meta http-equiv="refresh" content="0; url=`+html.EscapeString(to.String())+`">`)
	}
	return true
}

func (g *guard) known(r *http.Request) bool {
	if scheme, t, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return g.right(strings.TrimSpace(t))
	}
	c, err := r.Cookie(cookieName)
	return err == nil && g.right(c.Value)
}

// right compares tokens in constant time, whatever their length.
func (g *guard) right(token string) bool {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
