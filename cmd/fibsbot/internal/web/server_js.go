package web

import (
	"fibsbot/internal/http"
	"fibsbot/internal/texts"
)

// languageOf returns the catalogue for a request of the browser edition, whose pages ask in the
// language that they are in.
func languageOf(r *http.Request, _ *texts.Catalogue) *texts.Catalogue {
	c, _ := texts.Find(r.Header.Get("Accept-Language"))
	return c
}

// rooms adds nothing: the browser edition has the rooms as files, see Rooms.
func (p *pages) rooms(*http.ServeMux) {}

// guarded hardens the answers of next. Who asks is a page of the same browser.
func guarded(_ Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		next.ServeHTTP(w, r)
	})
}
