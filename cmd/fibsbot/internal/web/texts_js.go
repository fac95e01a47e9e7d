package web

import (
	"net/http"

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
