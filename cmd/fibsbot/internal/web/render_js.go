package web

import "net/http"

// rooms adds nothing: the browser edition has the rooms as files, see Rooms.
func (p *pages) rooms(*http.ServeMux) {}
