//go:build !js

package ops

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// maxConns bounds the connections to each address. The descriptors that clients
// hold must never be those that a journal needs.
const maxConns = 64

// maxPages is the same for the address of the page: an open page holds a connection.
const maxPages = 160

// readOnly lets nothing through that could change anything.
func readOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if next == nil {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "this page only shows", http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownHost passes on only requests whose Host is OwnHost with the host of listen and the names
// that proxies use.
func ownHost(listen string, proxied func() []string, next http.Handler) http.Handler {
	own, _, err := net.SplitHostPort(listen)
	if err != nil {
		own = listen
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		names := []string{own}
		if proxied != nil {
			names = append(names, proxied()...)
		}
		if OwnHost(r.Host, names) {
			next.ServeHTTP(w, r)
			return
		}
		http.Error(w, "this server does not go by that name", http.StatusMisdirectedRequest)
	})
}

// OwnHost reports whether the Host of a request is an IP address, localhost or one of the names
// of the server. Refusing others refuses another site's page whose name has been pointed at
// this server (DNS rebinding).
func OwnHost(host string, names []string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
	_, err := netip.ParseAddr(host)
	return err == nil || strings.EqualFold(host, "localhost") || slices.ContainsFunc(names, func(name string) bool {
		return name != "" && strings.EqualFold(host, strings.TrimSuffix(name, "."))
	})
}
