package web

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"fibsbot/internal/chromium"
)

// behindProxy serves a site below the path /club of the host club.localhost; keep leaves the
// prefix in the paths that the site sees.
func behindProxy(t *testing.T, keep bool) *httptest.Server {
	t.Helper()
	inner := httptest.NewServer(newSite(t, "", func(o *Options) { o.Hosts, o.Prefix = []string{"club.localhost"}, "/club" }))
	target, err := url.Parse(inner.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := http.Handler(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target) // with the Host of the target, as nginx does
		r.SetXForwarded()
	}})
	if !keep {
		proxy = http.StripPrefix("/club", proxy)
	}
	mux := http.NewServeMux() // every other path is not found
	mux.Handle("/club/", proxy)
	outer := httptest.NewServer(mux)
	t.Cleanup(func() {
		for _, s := range []*httptest.Server{outer, inner} {
			s.CloseClientConnections()
			s.Close()
		}
	})
	outer.URL = strings.Replace(outer.URL, "127.0.0.1", "club.localhost", 1) + "/club"
	return outer
}

// Behind a reverse proxy with a prefix and another host, pages, links, requests, event streams and
// addresses that the pages write work, whether or not the proxy removes the prefix.
func TestBrowser_behindProxy(t *testing.T) {
	browser := chromium.Shared(t)
	for name, keep := range map[string]bool{"prefix removed": false, "prefix kept": true} {
		server := behindProxy(t, keep)
		b := open(t, browser, server, 1280, 650, "light")
		b.navigate("/")
		b.until(ready["/play"])
		for _, r := range rooms {
			b.push(`nav a[href="/club` + r.Path + `"]`)
			b.until(`location.pathname === "/club` + r.Path + `"`)
			b.until(ready[r.Path])
		}
		b.until(`document.querySelector("#accounts svg")`) // by the event stream
		b.navigate("/positions?position=4HPwATDgc/ABMA")
		b.until(`document.querySelector("#svg").getAttribute("href")?.startsWith("/club/api/v1/picture?")`)
		b.push("#playhere")
		b.until(`location.pathname === "/club/play"`)
		b.navigate("/play")
		b.until(ready["/play"])
		b.push("#new button.primary")
		b.until(`location.search.startsWith("?m=") && document.querySelector("a.score")`)
		b.navigate("/matches")
		b.until(ready["/matches"])
		b.push(`#list a[href^="/club/matches/"]`)
		b.until(`document.querySelector("#report")?.shadowRoot?.querySelector("#card svg")`)
		b.navigate("/nowhere")
		b.until(`document.querySelector("main a.button.primary")?.getAttribute("href") === "/club/play"`)
		b.wrong = nil // of the page that does not exist
		b.push("main a.button.primary")
		b.until(ready["/play"])
		t.Log(name)
		b.clean()
	}
}
