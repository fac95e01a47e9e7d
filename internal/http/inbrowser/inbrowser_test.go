package inbrowser

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// answer is what a handler wrote.
type answer struct {
	header  Header
	status  int
	body    bytes.Buffer
	flushed bool
}

func (a *answer) Header() Header              { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }
func (a *answer) Flush()                      { a.flushed = true }

var patterns = []string{
	"GET /api/v1/matches", "POST /api/v1/matches", "GET /api/v1/matches/{id}", "DELETE /api/v1/matches/{id}", "GET /api/v1/matches/{id}/file",
	"GET /api/v1/matches/{id}/decisions/{place}", "GET /api/v1/quiz/sources", "POST /api/v1/quiz/{id}/skip", "GET /api/v1/quiz/{id}", "/api/", "/matches/{id}", "GET /quiz",
}

// names are the wildcards of patterns.
var names = []string{"id", "place"}

func TestServeMux(t *testing.T) {
	ours, std := NewServeMux(), http.NewServeMux()
	for _, p := range patterns {
		ours.HandleFunc(p, func(w ResponseWriter, r *Request) {
			fmt.Fprint(w, p)
			for _, name := range names {
				fmt.Fprintf(w, " %q", r.PathValue(name))
			}
		})
		std.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, p)
			for _, name := range names {
				fmt.Fprintf(w, " %q", r.PathValue(name))
			}
		})
	}
	for _, path := range []string{
		"/", "/api/", "/api/v1", "/api/v1/matches", "/api/v1/matches/", "/api/v1/matches/a%2Fb%20c", "/api/v1/matches/a/file", "/api/v1/matches/a/file/", "/api/v1/matches/a/decisions/2.14",
		"/api/v1/quiz/sources", "/api/v1/quiz/x", "/api/v1/quiz/x/skip", "/api/v1/quiz/%73ources", "/matches/%C3%A4?q=1", "/matches/", "/matches", "/quiz", "/quiz/", "/Quiz", "/none",
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "DELETE", "PUT"} {
			r, err := NewRequest(t.Context(), method, path, nil)
			if err != nil {
				t.Fatal(err)
			}
			w, want := &answer{header: Header{}, status: 200}, httptest.NewRecorder()
			ours.ServeHTTP(w, r)
			std.ServeHTTP(want, httptest.NewRequest(method, path, nil))
			if want.Code == http.StatusMethodNotAllowed {
				want.Code, want.Body = 404, bytes.NewBufferString("404 page not found\n") // the only difference
			}
			if w.status != want.Code || w.body.String() != want.Body.String() {
				t.Errorf("%s %s: %d %q, want %d %q", method, path, w.status, w.body.String(), want.Code, want.Body)
			}
		}
	}
}

func TestHeader(t *testing.T) {
	h, std := Header{}, http.Header{}
	for i, name := range []string{"content-type", "ACCEPT-language", "x--y", "X-1a"} {
		h.Set(name, fmt.Sprint(i))
		std.Set(name, fmt.Sprint(i))
	}
	if fmt.Sprint(h) != fmt.Sprint(std) {
		t.Errorf("%v, want %v", h, std)
	}
	if got := h.Get("Content-TYPE") + h.Get("none"); got != "0" {
		t.Errorf("Get: %q", got)
	}
}

func TestMaxBytesReader(t *testing.T) {
	for n := range 7 {
		body := strings.Repeat("x", n)
		got, err := io.ReadAll(MaxBytesReader(nil, io.NopCloser(strings.NewReader(body)), 4))
		want, wantErr := io.ReadAll(http.MaxBytesReader(nil, io.NopCloser(strings.NewReader(body)), 4))
		if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%d bytes: %q %v, want %q %v", n, got, err, want, wantErr)
		}
		if tooBig := (*MaxBytesError)(nil); n > 4 && (!errors.As(err, &tooBig) || tooBig.Limit != 4) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestMultipartReader(t *testing.T) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("a/b.mat", "b.mat")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(part, "match")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ kind, want string }{
		{w.FormDataContentType(), "a/b.mat match"}, {"multipart/form-data", ""}, {"text/plain", ""}, {"", ""},
	} {
		r, err := NewRequest(t.Context(), "POST", "/", form.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", c.kind)
		parts, err := r.MultipartReader()
		if c.want == "" {
			if err == nil {
				t.Errorf("%q is taken as a form", c.kind)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		if data, err := io.ReadAll(p); err != nil || p.FormName()+" "+string(data) != c.want {
			t.Errorf("%s %q %v", p.FormName(), data, err)
		}
	}
}

func TestError(t *testing.T) {
	w, want := &answer{header: Header{}}, httptest.NewRecorder()
	Error(w, "no", 400)
	http.Error(want, "no", 400)
	got, std := fmt.Sprint(w.status, w.header, w.body.String()), fmt.Sprint(want.Code, want.Header(), want.Body.String())
	if got != std {
		t.Errorf("%s, want %s", got, std)
	}
}

func TestResponseController(t *testing.T) {
	w := &answer{}
	c := NewResponseController(w)
	if err := c.Flush(); err != nil || !w.flushed {
		t.Error("not flushed", err)
	}
	for _, err := range []error{c.SetReadDeadline(time.Now()), c.SetWriteDeadline(time.Now())} {
		if !errors.Is(err, errors.ErrUnsupported) { // as that of net/http
			t.Error("deadlines are kept", err)
		}
	}
}
