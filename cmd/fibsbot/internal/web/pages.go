package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"

	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/internal/texts"
)

// pages are the rooms and what they show.
type pages struct {
	api           *api.API
	version       string
	archive, bots bool
	texts         *texts.Catalogue // of readers who chose no language, may be nil
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
	m, row, err := p.api.Load(r)
	if err != nil {
		http.Error(w, "no such match", http.StatusNotFound)
		return
	}
	var b bytes.Buffer
	if err := report.HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), report.PageOptions{Me: p.api.Seat(m, row), Texts: languageOf(r, p.texts)}); err != nil {
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
