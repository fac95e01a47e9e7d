package ops

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/netutil"
)

// maxConns bounds the connections to each address. The descriptors that clients
// hold must never be those that a journal needs.
const maxConns = 64

// bounded is a listener that takes no more than maxConns connections at a time.
func bounded(l net.Listener) net.Listener { return netutil.LimitListener(l, maxConns) }

// ownHost lets only requests through that name this server as a person would: by a
// number, as localhost, by the name it was told to listen on, or by one that proxies
// call it. A page of somebody else's whose name suddenly leads here (DNS rebinding) is
// refused.
func ownHost(listen string, proxied func() []string, next http.Handler) http.Handler {
	own, _, err := net.SplitHostPort(listen)
	if err != nil {
		own = listen
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
		_, err := netip.ParseAddr(host)
		same := func(name string) bool { return name != "" && strings.EqualFold(host, strings.TrimSuffix(name, ".")) }
		if err == nil || same("localhost") || same(own) || proxied != nil && slices.ContainsFunc(proxied(), same) {
			next.ServeHTTP(w, r)
			return
		}
		http.Error(w, "this server does not go by that name", http.StatusMisdirectedRequest)
	})
}
