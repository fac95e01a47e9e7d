package inbrowser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
)

// Header has the fields of a request or an answer by their canonical names.
type Header map[string][]string

// canonical is the name of a field as "Content-Type".
func canonical(name string) string {
	b := []byte(strings.ToLower(name))
	for i := range b {
		if (i == 0 || b[i-1] == '-') && 'a' <= b[i] && b[i] <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}

// Get returns the first value of a field.
func (h Header) Get(name string) string {
	if v := h[canonical(name)]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// Set replaces the values of a field.
func (h Header) Set(name, value string) { h[canonical(name)] = []string{value} }

// Request is what a page asks.
type Request struct {
	Method string
	URL    *url.URL
	Header Header
	Body   io.ReadCloser

	ctx    context.Context
	values map[string]string // of the wildcards of the pattern
}

// NewRequest returns a request, which ends with ctx.
func NewRequest(ctx context.Context, method, address string, body []byte) (*Request, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return &Request{Method: method, URL: u, Header: Header{}, Body: io.NopCloser(bytes.NewReader(body)), ctx: ctx}, nil
}

// Context returns the context of the request.
func (r *Request) Context() context.Context { return r.ctx }

// WithContext returns a copy of the request with another context.
func (r *Request) WithContext(ctx context.Context) *Request {
	out := *r
	out.ctx = ctx
	return &out
}

// PathValue returns what a wildcard of the pattern stands for.
func (r *Request) PathValue(name string) string { return r.values[name] }

// MultipartReader returns the parts of a form with files.
func (r *Request) MultipartReader() (*multipart.Reader, error) {
	kind, values, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil || kind != "multipart/form-data":
		return nil, errors.New("request Content-Type isn't multipart/form-data")
	case values["boundary"] == "":
		return nil, errors.New("no multipart boundary param in Content-Type")
	}
	return multipart.NewReader(r.Body, values["boundary"]), nil
}

// MaxBytesError says that a body is longer than Limit.
type MaxBytesError struct{ Limit int64 }

// Error says that the body is too long.
func (*MaxBytesError) Error() string { return "http: request body too large" }

// limited reads so many bytes.
type limited struct {
	io.ReadCloser
	limit, left int64
}

// MaxBytesReader returns a reader that fails with a *MaxBytesError after n bytes of r.
func MaxBytesReader(_ ResponseWriter, r io.ReadCloser, n int64) io.ReadCloser {
	return &limited{r, n, n}
}

// Read implements io.Reader. Reading one byte more than is left finds out whether there is one.
func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, &MaxBytesError{l.limit}
	}
	n, err := l.ReadCloser.Read(p[:min(int64(len(p)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return n - 1, &MaxBytesError{l.limit}
	}
	return n, err
}

// ResponseWriter takes an answer.
type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(status int)
}

// Error answers with a text.
func Error(w ResponseWriter, text string, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, text)
}
