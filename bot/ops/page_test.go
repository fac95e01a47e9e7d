package ops

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestServer_pageOnlyShows: page and metrics can share an address, and the page receives no
// request whose method could change anything.
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

// TestLiveView_oneForAll: callers share a view that is being made, or give up with their own
// context; the hook runs without a lock.
func TestLiveView_oneForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, answer := 0, make(chan struct{})
		s := &Server{View: func(context.Context) Status {
			made++
			<-answer
			return Status{Version: "v2"}
		}}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if st, err := s.LiveView(t.Context()); err != nil || st.Version != "v2" {
					t.Errorf("%+v, %v", st, err)
				}
			})
		}
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		wg.Go(func() {
			if _, err := s.LiveView(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("given up with %v", err)
			}
			close(answer)
		})
		synctest.Wait()
		cancel()
		wg.Wait()
		if made != 1 {
			t.Errorf("%d views for all", made)
		}
		time.Sleep(freshFor) // of the bubble
		if _, err := s.LiveView(t.Context()); err != nil || made != 2 {
			t.Errorf("%d views after a while, %v", made, err)
		}
	})
}
