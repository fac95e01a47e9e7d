package ops

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestServer_pageOnlyShows: the page stands beside the metrics where they share the
// address, and no method that could change anything reaches it.
func TestServer_pageOnlyShows(t *testing.T) {
	reached := ""
	s := &Server{Listen: "127.0.0.1:1", Dashboard: "127.0.0.1:1", Status: func() Status { return sample }, Metrics: NewMetrics(),
		Page: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			reached = r.Method + r.URL.Path
			_, _ = io.WriteString(w, "page")
		})}
	for path, want := range map[string]string{"/": "page", "/assets/x/y.js": "page", "/healthz": "ok\n"} {
		if code, body := get(t, s, path); code != 200 || body != want {
			t.Errorf("%s: %d %q", path, code, body)
		}
	}
	if code, body := get(t, s, "/metrics"); code != 200 || body == "page" {
		t.Errorf("metrics: %d %.60s", code, body)
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} {
		reached = ""
		rec := httptest.NewRecorder()
		s.Handler().ServeHTTP(rec, httptest.NewRequest(method, "/", nil))
		if rec.Code != http.StatusMethodNotAllowed || reached != "" {
			t.Errorf("%s: %d, reached %q", method, rec.Code, reached)
		}
	}
	s.Dashboard = "127.0.0.1:2" // an address of its own
	if code, _ := get(t, s, "/"); code != http.StatusNotFound {
		t.Errorf("off, and yet %d", code)
	}
}
