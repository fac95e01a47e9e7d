package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/ops"
	"fibsbot/bot/person"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/online"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/engine"
	"fibsbot/engine/record/detect"
	"fibsbot/internal/testsize"
)

var testEngine = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.Open(engine.Options{Threads: 2, Seed: 1})
})

// newSite makes a site with an archive of one match; more changes its options.
func newSite(t testing.TB, token string, more ...func(*Options)) *Site {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, err := index.Open(context.Background(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("internal/api/testdata/match.mat")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, _, _, err := detect.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	list[0].Players[0].Name = `<img src=x onerror=alert(1)>`
	if _, err := db.Import(context.Background(), list[0], index.Meta{}); err != nil {
		t.Fatal(err)
	}
	deck, err := quiz.Open(db, filepath.Join(dir, "quiz.json"), nil)
	if err != nil {
		t.Fatal(err)
	}
	deck.Collections = collection.Open(filepath.Join(dir, "collections.json"))
	o := Options{Token: token, Hosts: []string{"desk", "bots.example.org"}, Version: "test", API: api.Options{Engine: e, Archive: db, Quiz: deck, Matches: play.NewStore(filepath.Join(dir, "play"), db),
		Online: &online.Desk{Open: func(lobby.Login) (*person.Account, error) { return nil, errors.New("no server") }},
		Bots: func(context.Context) (ops.Status, error) {
			return busy(), nil
		}}}
	for _, change := range more {
		change(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); db.Close() })
	return s
}

// get asks the site; edit may change the request.
func get(s *Site, method, path string, edit func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+path, strings.NewReader(`{"position":"4HPwATDgc/ABMA","preset":"expert"}`))
	if method == http.MethodGet {
		r.Body = http.NoBody
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	if edit != nil {
		edit(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestSite_pagesAndWhatTheyLoad(t *testing.T) {
	s := newSite(t, "")
	loaded := regexp.MustCompile(`(?:src|href)="(/[^"]*)"`)
	for _, room := range rooms {
		w := get(s, "GET", room.Path, nil)
		if w.Code != 200 || !strings.Contains(w.Body.String(), "<main") {
			t.Fatalf("%s: %d", room.Path, w.Code)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", room.Path, csp)
		}
		if body := w.Body.String(); strings.Contains(body, " style=") || strings.Contains(body, "<style") || regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(body) ||
			regexp.MustCompile(` on\w+=`).MatchString(body) || strings.Contains(body, "https://") {
			t.Errorf("%s holds what its policy forbids", room.Path)
		}
		for _, m := range loaded.FindAllStringSubmatch(w.Body.String(), -1) {
			if got := get(s, "GET", m[1], nil); got.Code != 200 {
				t.Errorf("%s loads %s: %d", room.Path, m[1], got.Code)
			}
		}
	}
	if w := get(s, "GET", "/", nil); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/play" {
		t.Errorf("the start: %d", w.Code)
	}
	if w := get(s, "GET", "/assets/0/../../site.go", nil); w.Code == 200 {
		t.Error("a file beside the assets is served")
	}
}

// TestSite_addressWithoutPage: a browser gets a page with a way on, a script a short text.
func TestSite_addressWithoutPage(t *testing.T) {
	s := newSite(t, "")
	for _, path := range []string{"/nowhere", "/matches/a/b", "/assets/0/gone.js"} {
		w := get(s, "GET", path, func(r *http.Request) { r.Header.Set("Accept", "text/html,*/*") })
		page := strings.Contains(w.Body.String(), "This page does not exist") && strings.Contains(w.Body.String(), `href="/play"`)
		if w.Code != http.StatusNotFound || page != !strings.HasPrefix(path, "/assets") {
			t.Errorf("%s: %d, page %v", path, w.Code, page)
		}
		if w := get(s, "GET", path, nil); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "<") {
			t.Errorf("%s without Accept: %d %.40q", path, w.Code, w.Body)
		}
	}
}

func TestSite_reportIsNoMarkupOfNames(t *testing.T) {
	s := newSite(t, "")
	list := get(s, "GET", "/api/v1/matches", nil).Body.String()
	id := regexp.MustCompile(`"id":"(\w+)"`).FindStringSubmatch(list)[1]
	w := get(s, "GET", "/matches/"+id+"/report", nil)
	if w.Code != 200 || strings.Contains(w.Body.String(), "<img") || !strings.Contains(w.Body.String(), "&lt;img") {
		t.Errorf("report: %d", w.Code)
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "style-src 'sha256-") || strings.Contains(csp, "unsafe") {
		t.Errorf("policy %q", csp)
	}
	if w := get(s, "GET", "/matches/nothing/report", nil); w.Code != 404 {
		t.Errorf("no such match: %d", w.Code)
	}
}

func TestGuard_whoMayAsk(t *testing.T) {
	s := newSite(t, "")
	for name, c := range map[string]struct {
		method, path string
		edit         func(*http.Request)
		want         int
	}{
		"a page":                {"GET", "/play", nil, 200},
		"localhost":             {"GET", "/play", func(r *http.Request) { r.Host = "localhost:8080" }, 200},
		"IPv6":                  {"GET", "/play", func(r *http.Request) { r.Host = "[::1]:8080" }, 200},
		"rebinding":             {"GET", "/play", func(r *http.Request) { r.Host = "evil.example:8080" }, http.StatusMisdirectedRequest},
		"rebinding by a prefix": {"GET", "/play", func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, http.StatusMisdirectedRequest},
		"no host":               {"GET", "/play", func(r *http.Request) { r.Host = "" }, http.StatusMisdirectedRequest},
		"the API":               {"POST", "/api/v1/eval", nil, 200},
		"own origin":            {"POST", "/api/v1/eval", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:8080") }, 200},
		"another origin":        {"POST", "/api/v1/eval", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		"another port":          {"POST", "/api/v1/eval", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:9999") }, 403},
		"a null origin":         {"POST", "/api/v1/eval", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"another site":          {"POST", "/api/v1/eval", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"another site reads":    {"GET", "/api/v1/matches", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"a link from elsewhere": {"GET", "/play", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, 200},
		"a form":              {"POST", "/api/v1/eval", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType},
		"changing by GET":     {"GET", "/api/v1/eval", nil, 404},
		"nothing of the kind": {"GET", "/api/v1/nothing", nil, 404},
	} {
		if w := get(s, c.method, c.path, c.edit); w.Code != c.want {
			t.Errorf("%s: %d, want %d: %.200s", name, w.Code, c.want, w.Body)
		}
	}
}

// A proxy passes its own Host, or the visitor's, and names the visitor's beside it. A page of a
// name that leads to this machine by DNS cannot pass for the proxy.
func TestGuard_proxy(t *testing.T) {
	s := newSite(t, "", func(o *Options) { o.Hosts, o.Prefix = []string{"bots.example.org"}, "/club" })
	const name = "bots.example.org"
	for what, c := range map[string]struct {
		path, host, forwarded, origin string
		want                          int
	}{
		"the name passed on":             {"/club/api/v1/eval", name, "", "https://" + name, 200},
		"the name beside the address":    {"/api/v1/eval", "127.0.0.1:8080", name, "https://" + name, 200},
		"a port":                         {"/api/v1/eval", "127.0.0.1:8080", name + ":8443", "https://" + name + ":8443", 200},
		"another port":                   {"/api/v1/eval", "127.0.0.1:8080", name, "https://" + name + ":8443", 403},
		"the name is not passed on":      {"/api/v1/eval", "127.0.0.1:8080", "", "https://" + name, 403},
		"another site":                   {"/api/v1/eval", name, "", "https://evil.example", 403},
		"another site that is passed on": {"/api/v1/eval", "127.0.0.1:8080", "evil.example", "https://evil.example", 403},
		"rebinding":                      {"/api/v1/eval", "evil.example", name, "http://evil.example", 421},
		"an address of the network":      {"/api/v1/eval", "192.168.1.5", "", "", 421},
	} {
		w := get(s, "POST", c.path, func(r *http.Request) {
			r.Host = c.host
			for key, v := range map[string]string{"X-Forwarded-Host": c.forwarded, "Origin": c.origin} {
				if v != "" {
					r.Header.Set(key, v)
				}
			}
		})
		if w.Code != c.want || c.want != 200 && !strings.Contains(w.Body.String(), "--hosts NAME") {
			t.Errorf("%s: %d, want %d: %s", what, w.Code, c.want, w.Body)
		}
	}
	for path, to := range map[string]string{"/": "/club/play", "/club": "/club/play", "/club/": "/club/play"} {
		if w := get(s, "GET", path, nil); w.Header().Get("Location") != to {
			t.Errorf("%s leads to %q", path, w.Header().Get("Location"))
		}
	}
	for prefix, ok := range map[string]bool{"/club": true, "/club/~ann": true, "club": false, "/": false, "/a/../b": false, "/a//b": false, "/play": false, "/api/x": false, `/a"b`: false, "/a b": false} {
		if err := CheckPrefix(prefix); (err == nil) != ok {
			t.Errorf("prefix %q: %v", prefix, err)
		}
	}
}

func TestGuard_token(t *testing.T) {
	const token = "0123456789abcdefghij"
	s := newSite(t, token)
	away := func(r *http.Request) { r.Host = "192.168.1.5:8080" }
	if w := get(s, "GET", "/play", away); w.Code != http.StatusUnauthorized {
		t.Errorf("without a token: %d", w.Code)
	}
	for host, want := range map[string]int{"desk:8080": 401, "Bots.Example.org": 401, "[fe80::1]:8080": 401, "localhost:1": 401, "evil.example": 421, "192.168.1.5.evil.example:8080": 421, "": 421} {
		if w := get(s, "GET", "/play", func(r *http.Request) { r.Host = host }); w.Code != want {
			t.Errorf("host %q: %d, want %d", host, w.Code, want)
		}
	}
	if w := get(s, "GET", "/play?token=wrong", away); w.Code != http.StatusUnauthorized || strings.Contains(w.Body.String(), token) {
		t.Errorf("a wrong token: %d", w.Code)
	}
	w := get(s, "GET", "//evil.example/?token="+token, away)
	if to := w.Header().Get("Location"); strings.HasPrefix(to, "//") {
		t.Errorf("led to %s", to)
	}
	w = get(s, "GET", "/play?token="+token, away)
	cookie := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/play" || len(cookie) != 1 || !cookie[0].HttpOnly || cookie[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("login: %d %v %v", w.Code, w.Header(), cookie)
	}
	if w := get(s, "GET", "/play", func(r *http.Request) { away(r); r.AddCookie(cookie[0]) }); w.Code != 200 {
		t.Errorf("with the cookie: %d", w.Code)
	}
	if w := get(s, "POST", "/api/v1/eval", func(r *http.Request) { away(r); r.Header.Set("Authorization", "Bearer "+token) }); w.Code != 200 {
		t.Errorf("a script: %d", w.Code)
	}
}

func TestTokenFrom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	one, err := TokenFrom(file)
	if err != nil || len(one) < minToken {
		t.Fatalf("%q, %v", one, err)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	if two, err := TokenFrom(file); err != nil || two != one {
		t.Errorf("read again: %q, %v", two, err)
	}
	for _, text := range []string{"", "short", strings.Repeat("x", 600), "0123456789abcdef\"; evil"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := TokenFrom(file); !errors.Is(err, ErrToken) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	for listen, want := range map[string]bool{"127.0.0.1:1": false, "localhost:1": false, "[::1]:1": false, ":8080": true, "0.0.0.0:80": true, "192.168.1.1:80": true, "example.org:80": true, "junk": true} {
		if NeedsToken(listen) != want {
			t.Errorf("NeedsToken(%q) = %v", listen, !want)
		}
	}
}

// TestServe_stopsWhileStreamsAreOpen ends the server with a client that listens to a
// rollout and one that sends nothing.
func TestServe_stopsWhileStreamsAreOpen(t *testing.T) {
	testsize.Medium(t)
	s := newSite(t, "")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	idle, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	base := "http://" + ln.Addr().String()
	resp, err := http.Post(base+"/api/v1/rollouts", "application/json", strings.NewReader(`{"position":"4HPwATDgc/ABMA","trials":1000000}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	id := regexp.MustCompile(`\{"id":"(\w+)"`).FindStringSubmatch(string(body))
	if id == nil {
		t.Fatalf("%s", body)
	}
	resp, err = http.Get(base + "/api/v1/rollouts/" + id[1] + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := resp.Body.Read(make([]byte, 64)); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// rented gives the connections of a listener the addresses of other machines, in the order
// in which they come.
type rented struct {
	net.Listener
	from chan string
}

type rentedConn struct {
	net.Conn
	from string
}

func (c rentedConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(c.from), Port: 4000} }

func (l rented) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return rentedConn{c, <-l.from}, nil
}

// TestServe_strangersKeepNoOneOut: connections without the token are closed with their
// first answer, and hundreds that say nothing keep no visitor with the token out.
func TestServe_strangersKeepNoOneOut(t *testing.T) {
	testsize.Medium(t)
	const token = "0123456789abcdefghij"
	s := newSite(t, token)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	from := make(chan string, 1)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, rented{ln, from}) }()
	come := func(address string) net.Conn {
		from <- address
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	// ask returns the status and whether the connection stays open.
	ask := func(c net.Conn, request string) (int, bool) {
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, !resp.Close
	}
	visit := "GET /play HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: bearer " + token + "\r\n\r\n"
	visitor := come("192.0.2.1")
	if code, open := ask(visitor, visit); code != 200 || !open {
		t.Fatalf("with the token: %d, open %v", code, open)
	}
	for i, request := range []string{
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: here\r\n\r\n",
		"POST /api/v1/eval HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://elsewhere\r\nContent-Length: 0\r\n\r\n",
	} {
		if code, open := ask(come("198.51.100.7"), request); code < 400 || open {
			t.Errorf("stranger %d: %d, open %v", i, code, open)
		}
	}
	for range 300 {
		come("198.51.100.7")
	}
	for i := range 300 {
		come(fmt.Sprintf("203.0.%d.%d", i/250, i%250+1))
	}
	if code, _ := ask(come("192.0.2.2"), visit); code != 200 {
		t.Errorf("another visitor: %d", code)
	}
	if code, open := ask(visitor, visit); code != 200 || !open {
		t.Errorf("the visitor again: %d, open %v", code, open)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// asker posts to the API and decodes the answer.
type asker struct {
	t    *testing.T
	base string
}

func (a *asker) post(path string, body map[string]any) map[string]any {
	a.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		a.t.Fatal(err)
	}
	resp, err := http.Post(a.base+"/api/v1"+path, "application/json", bytes.NewReader(data))
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode >= 300 {
		a.t.Fatalf("%s: %d %v %v", path, resp.StatusCode, out, err)
	}
	return out
}

// Pages name the site where links to reviews open, only if there is one.
func TestSite_share(t *testing.T) {
	for share, want := range map[string]bool{"": false, `https://example.org/"bg/`: true} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/matches/abc", nil)
		newSite(t, "", func(o *Options) { o.Share = share }).ServeHTTP(w, r)
		if got := strings.Contains(w.Body.String(), `data-share="https://example.org/&#34;bg/"`); got != want || strings.Contains(w.Body.String(), "data-share") != want {
			t.Errorf("%q: %.300s", share, w.Body.String())
		}
	}
}
