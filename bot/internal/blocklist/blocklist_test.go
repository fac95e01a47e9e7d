package blocklist

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	logtest "github.com/sirupsen/logrus/hooks/test"

	"fibsbot/internal/testsize"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// site publishes a list; the test changes its fields between requests.
type site struct {
	*httptest.Server
	answer http.HandlerFunc
	asked  int
	tag    string // If-None-Match of the last request
}

func newSite(t *testing.T) *site {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked++
		s.tag = r.Header.Get("If-None-Match")
		s.answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func list(etag, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if etag != "" {
			w.Header().Set("ETag", etag)
			if r.Header.Get("If-None-Match") == etag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		fmt.Fprint(w, body)
	}
}

func newList(file string) (*List, *logtest.Hook) {
	log, hook := logtest.NewNullLogger()
	return New(file, log), hook
}

// said are the log's entries since the last call.
func said(h *logtest.Hook) string {
	var out []string
	for _, e := range h.AllEntries() {
		out = append(out, e.Level.String()+" "+strings.TrimPrefix(e.Message, "opponents.block_url: "))
	}
	h.Reset()
	return strings.Join(out, "; ")
}

func TestList_refreshes(t *testing.T) {
	ctx, s := context.Background(), newSite(t)
	l, log := newList(filepath.Join(t.TempDir(), "state", "list.json"))
	steps := []struct {
		name   string
		after  time.Duration // since noon
		answer http.HandlerFunc
		asked  int
		tag    string
		log    string
		has    string // names on the list, of alice, Bob, robot
	}{
		{"first", 0, list(`"1"`, "# ours\nbob # rude\n\n rob*\r\n"), 1, "", "info a new list is in force", "Bob robot"},
		{"not due", 59 * time.Minute, list(`"2"`, "alice"), 1, "", "", "Bob robot"},
		{"unchanged", 60 * time.Minute, list(`"1"`, "alice"), 2, `"1"`, "", "Bob robot"},
		{"the same names by another tag", 2 * time.Hour, list(`"2"`, "bob\nrob*"), 3, `"1"`, "", "Bob robot"},
		{"error page", 3 * time.Hour, http.NotFound, 4, `"2"`, "warning not refreshed; the names read before stay in force", "Bob robot"},
		{"a failure waits shorter", 3*time.Hour + 4*time.Minute, list("", "alice"), 4, `"2"`, "", "Bob robot"},
		{"and is logged once", 3*time.Hour + 5*time.Minute, http.NotFound, 5, `"2"`, "", "Bob robot"},
		{"better", 4 * time.Hour, list("", "alice"), 6, `"2"`, "info refreshed again; info a new list is in force", "alice"},
		{"no tag any more", 5 * time.Hour, list("", "# nobody\n"), 7, "", "info a new list is in force", ""},
	}
	for _, st := range steps {
		s.answer = st.answer
		l.Refresh(ctx, s.URL, time.Hour, noon.Add(st.after))
		if got := said(log); got != st.log {
			t.Errorf("%s: logged %q, want %q", st.name, got, st.log)
		}
		if s.asked != st.asked || s.tag != st.tag {
			t.Errorf("%s: asked %d times, the last with tag %q; want %d, %q", st.name, s.asked, s.tag, st.asked, st.tag)
		}
		if got := on(l, s.URL); got != st.has {
			t.Errorf("%s: on the list are %q, want %q", st.name, got, st.has)
		}
	}
}

func on(l *List, url string) string {
	var names []string
	for _, n := range []string{"alice", "Bob", "robot"} {
		if l.Has(url, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

func TestList_badAnswersKeepTheOldList(t *testing.T) {
	ctx, s := context.Background(), newSite(t)
	for _, tc := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"too long", list("", strings.Repeat("#\n", maxBytes/2)+"#"), "longer than 1048576 bytes"},
		{"too many", list("", strings.Repeat("a\n", maxNames+1)), "more than 100000 names"},
		{"a page", list("", "<html>\n<p>Hello</p>\n"), `"<html>" is not a name or pattern`},
		{"binary", list("", "\x1f\x8b\x00\x01"), "is not a name or pattern"},
		{"bad pattern", list("", "[a\n"), `"[a" is not a name or pattern`},
		{"two words", list("", "bob alice\n"), `"bob alice" is not a name or pattern`},
		{"endless name", list("", strings.Repeat("x", 65)), "is not a name or pattern"},
		{"server error", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, "answers 503 Service Unavailable"},
		{"304 to no question", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, "answers 304 Not Modified"},
		{"cut short", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "bob\n")
		}, "unexpected EOF"},
		{"redirected to a file", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(302)
		}, "redirection to file refused"},
		{"in circles", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/")
			w.WriteHeader(302)
		}, "more than 5 redirections"},
	} {
		l, log := newList(filepath.Join(t.TempDir(), "list.json"))
		s.answer = list("", "alice")
		l.Refresh(ctx, s.URL, time.Hour, noon)
		log.Reset()
		s.answer = tc.answer
		l.Refresh(ctx, s.URL, time.Hour, noon.Add(time.Hour))
		if on(l, s.URL) != "alice" {
			t.Errorf("%s: the old list is gone", tc.name)
		}
		e := log.LastEntry()
		if e == nil || e.Level != logrus.WarnLevel || !strings.Contains(fmt.Sprint(e.Data[logrus.ErrorKey]), tc.want) {
			t.Errorf("%s: logged %+v, want %q", tc.name, e, tc.want)
		}
	}
}

func TestList_redirections(t *testing.T) {
	s := newSite(t)
	s.answer = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/list", http.StatusFound)
			return
		}
		io.WriteString(w, "alice")
	}
	l, _ := newList(filepath.Join(t.TempDir(), "list.json"))
	l.Refresh(context.Background(), s.URL, time.Hour, noon)
	if on(l, s.URL) != "alice" {
		t.Error("a redirection within the site is not followed")
	}
	secure := httptest.NewTLSServer(http.RedirectHandler(s.URL+"/list", http.StatusFound))
	defer secure.Close()
	l, log := newList(filepath.Join(t.TempDir(), "list.json"))
	l.client.Transport = secure.Client().Transport
	l.Refresh(context.Background(), secure.URL, time.Hour, noon)
	if e := log.LastEntry(); on(l, secure.URL) != "" || e == nil || !strings.Contains(fmt.Sprint(e.Data[logrus.ErrorKey]), "redirection to http refused") {
		t.Errorf("https led to http: %+v", e)
	}
}

func TestList_survivesARestart(t *testing.T) {
	ctx, s, file := context.Background(), newSite(t), filepath.Join(t.TempDir(), "state", "list.json")
	s.answer = list(`"7"`, "bob\nrob*")
	l, _ := newList(file)
	l.Refresh(ctx, s.URL, time.Hour, noon)

	// The next start asks by the old tag, and has the list before any answer.
	l, log := newList(file)
	l.Recall(s.URL)
	if on(l, s.URL) != "Bob robot" || said(log) != "info the list of the last run is in force" {
		t.Errorf("after a restart %q are on the list", on(l, s.URL))
	}
	l.Refresh(ctx, s.URL, time.Hour, noon)
	if s.tag != `"7"` || said(log) != "" {
		t.Errorf("asked by %q", s.tag)
	}
	// A list belongs to its address: without one, or with another, it has no say.
	if on(l, "") != "" || on(l, s.URL+"/other") != "" {
		t.Error("the list is in force for another address")
	}
	other, log := newList(file)
	other.Recall(s.URL + "/other")
	if on(other, s.URL+"/other") != "" || said(log) != "" {
		t.Error("the list of another address was taken from the disk")
	}
	// Without the network the list stays.
	s.Close()
	l, _ = newList(file)
	l.Refresh(ctx, s.URL, time.Hour, noon)
	if on(l, s.URL) != "Bob robot" {
		t.Error("a restart without the network has no list")
	}
}

func TestList_runFetchesAtOnceAndEnds(t *testing.T) {
	testsize.Medium(t)
	s := newSite(t)
	s.answer = list("", "alice")
	l, _ := newList(filepath.Join(t.TempDir(), "list.json"))
	ctx, cancel := context.WithCancel(context.Background())
	done, asked := make(chan struct{}), make(chan struct{}, 1)
	go func() {
		defer close(done)
		l.Run(ctx, func() (string, time.Duration) {
			select {
			case asked <- struct{}{}:
			default:
			}
			return s.URL, time.Hour
		})
	}()
	<-asked // before the first fetch
	<-asked // after it
	if on(l, s.URL) != "alice" {
		t.Error("not fetched at the start")
	}
	cancel()
	<-done
}
