package inbrowser

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Handler answers requests.
type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}

// HandlerFunc is a function that is a Handler.
type HandlerFunc func(ResponseWriter, *Request)

// ServeHTTP calls f.
func (f HandlerFunc) ServeHTTP(w ResponseWriter, r *Request) { f(w, r) }

// ServeMux passes a request to the handler whose pattern fits best.
type ServeMux struct{ patterns []pattern }

// pattern is "METHOD /path/{name}" or without METHOD. A path that ends with / takes all below it.
type pattern struct {
	method  string   // empty for all
	parts   []string // of the path
	below   bool
	handler Handler
}

// NewServeMux returns a mux without handlers.
func NewServeMux() *ServeMux { return &ServeMux{} }

// Handle adds the handler of a pattern.
func (m *ServeMux) Handle(text string, h Handler) {
	method, path, has := strings.Cut(text, " ")
	if !has {
		method, path = "", text
	}
	p := pattern{method: method, parts: strings.Split(path[1:], "/"), handler: h}
	if last := len(p.parts) - 1; p.parts[last] == "" {
		p.parts, p.below = p.parts[:last], true
	}
	m.patterns = append(m.patterns, p)
	slices.SortStableFunc(m.patterns, pattern.compare)
}

// HandleFunc adds the handler of a pattern.
func (m *ServeMux) HandleFunc(text string, f func(ResponseWriter, *Request)) {
	m.Handle(text, HandlerFunc(f))
}

// compare puts the pattern first that says more: a part before a wildcard, a wildcard before all
// below, a method before all methods.
func (p pattern) compare(q pattern) int {
	say := func(p pattern, i int) int {
		switch {
		case i >= len(p.parts):
			return 2
		case wildcard(p.parts[i]):
			return 1
		}
		return 0
	}
	for i := range max(len(p.parts), len(q.parts)) {
		if d := say(p, i) - say(q, i); d != 0 {
			return d
		}
	}
	return strings.Compare(q.method, p.method)
}

func wildcard(part string) bool { return strings.HasPrefix(part, "{") }

// fits returns what the wildcards stand for if the pattern fits.
func (p pattern) fits(method string, parts []string) (values map[string]string, ok bool) {
	if p.method != "" && p.method != method && (p.method != "GET" || method != "HEAD") {
		return nil, false
	}
	if len(parts) < len(p.parts) || len(parts) == len(p.parts) == p.below {
		return nil, false
	}
	values = map[string]string{}
	for i, want := range p.parts {
		part, err := url.PathUnescape(parts[i])
		switch {
		case err != nil:
			return nil, false
		case wildcard(want) && part != "":
			values[strings.Trim(want, "{}")] = part
		case want != part:
			return nil, false
		}
	}
	return values, true
}

// ServeHTTP answers a request.
func (m *ServeMux) ServeHTTP(w ResponseWriter, r *Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	for _, p := range m.patterns {
		if values, ok := p.fits(r.Method, parts); ok {
			out := *r
			out.values = values
			p.handler.ServeHTTP(w, &out)
			return
		}
	}
	Error(w, "404 page not found", 404)
}

// ErrNotSupported is returned by methods of a ResponseController that have no effect.
var ErrNotSupported = errors.ErrUnsupported

// ResponseController sends what is written. There are no deadlines: no client is slow.
type ResponseController struct{ w ResponseWriter }

// NewResponseController returns the controller of an answer.
func NewResponseController(w ResponseWriter) *ResponseController { return &ResponseController{w} }

// SetReadDeadline does nothing.
func (*ResponseController) SetReadDeadline(time.Time) error { return ErrNotSupported }

// SetWriteDeadline does nothing.
func (*ResponseController) SetWriteDeadline(time.Time) error { return ErrNotSupported }

// Flush sends what was written.
func (c *ResponseController) Flush() error {
	if f, ok := c.w.(interface{ Flush() }); ok {
		f.Flush()
		return nil
	}
	return ErrNotSupported
}
