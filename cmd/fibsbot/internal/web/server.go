package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"

	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/internal/http"
	"fibsbot/internal/texts"
)

// Options of a Site.
type Options struct {
	API     api.Options
	Version string
	// Language of readers who chose none, nil for that of their browser.
	Language *texts.Catalogue
	// Token that visitors must show; empty for none.
	Token string
	// Hosts are the names by which visitors reach the server, besides localhost and, with a
	// token, its IP addresses.
	Hosts []string
	// Share is the address of a browser edition, where links that hold a review open; without one the pages
	// copy none.
	Share string
	// Prefix is the path below which a reverse proxy serves the site, "" or as CheckPrefix wants it.
	Prefix string
}

// Site is the whole site.
type Site struct {
	api     *api.API
	handler http.Handler
	token   bool // visitors must show a token
	prefix  string
}

// New makes a site, which the caller closes.
func New(o Options) (*Site, error) {
	o.API.Version = o.Version
	o.API.Language = func(r *http.Request) *texts.Catalogue { return languageOf(r, o.Language) }
	if o.Language != nil {
		texts.Add(o.Language)
	}
	if o.Token == "" {
		o.API.Order = nil
	}
	s := &Site{api: api.New(o.API), token: o.Token != "", prefix: o.Prefix}
	mux := http.NewServeMux()
	mux.Handle("/api/", s.api)
	p := &pages{api: s.api, version: o.Version, archive: o.API.Archive != nil, bots: o.API.Bots != nil, orders: o.API.Order != nil, texts: o.Language, prefix: o.Prefix, share: o.Share}
	p.routes(mux)
	s.handler = guarded(o, mux)
	return s, nil
}

// ServeHTTP answers a request, whether or not a proxy has removed the prefix.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.prefix != "" && strings.HasPrefix(r.URL.Path+"/", s.prefix+"/") {
		inner := *r.URL
		inner.Path, inner.RawPath = "/"+strings.TrimPrefix(r.URL.Path[len(s.prefix):], "/"), ""
		r = r.WithContext(r.Context()) // a copy
		r.URL = &inner
	}
	s.handler.ServeHTTP(w, r)
}

// Close stops the jobs.
func (s *Site) Close() { s.api.Close() }

// pages are the rooms and what they show.
type pages struct {
	api           *api.API
	version       string
	archive, bots bool
	orders        bool             // visitors may give the bot orders
	texts         *texts.Catalogue // of readers who chose no language, may be nil
	prefix, share string
}

// routes adds the pages to mux.
func (p *pages) routes(mux *http.ServeMux) {
	p.rooms(mux)
	mux.HandleFunc("GET /matches/{id}/report", p.report)
}

var (
	styleBlock  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	scriptBlock = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// report serves the review of an archived match: a page of package report with its own
// styles, which the room of the match also shows. Its policy allows those blocks by their
// hashes.
func (p *pages) report(w http.ResponseWriter, r *http.Request) {
	done, err := p.api.FileTurn(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer done()
	x, err := p.api.Load(r)
	if err != nil {
		http.Error(w, "no such match", http.StatusNotFound)
		return
	}
	var b bytes.Buffer
	if err := report.HTML(&b, x.Match, analyse.Summarise(x.Match, nil, analyse.DefaultLimits), report.PageOptions{Me: p.api.Seat(x), Texts: languageOf(r, p.texts), Why: p.api.Why(r, x.Match)}); err != nil {
		http.Error(w, "the report cannot be made", http.StatusInternalServerError)
		return
	}
	hashes := func(block *regexp.Regexp) string {
		out := ""
		for _, found := range block.FindAllSubmatch(b.Bytes(), -1) {
			sum := sha256.Sum256(found[1])
			out += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		}
		if out == "" {
			return " 'none'"
		}
		return out
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src"+
		hashes(styleBlock)+"; script-src"+hashes(scriptBlock))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(b.Bytes())
}
