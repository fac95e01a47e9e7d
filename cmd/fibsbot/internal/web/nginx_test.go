package web

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fibsbot/internal/freeport"
)

// The recipe of docs/web.md for nginx serves pages, takes changes and passes events on at once.
func TestDocs_nginx(t *testing.T) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("needs nginx")
	}
	docs, err := os.ReadFile("../../../../docs/web.md")
	if err != nil {
		t.Fatal(err)
	}
	inner := httptest.NewServer(newSite(t, "", func(o *Options) { o.Prefix = "/backgammon" }))
	defer func() { inner.CloseClientConnections(); inner.Close() }()
	recipe := regexp.MustCompile(`(?s)location /backgammon/ \{.*?\n\}`).FindString(string(docs))
	recipe = strings.ReplaceAll(recipe, "http://127.0.0.1:8080", inner.URL)
	dir := t.TempDir()
	address := freeport.On(t, "127.0.0.1")
	paths := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		paths += kind + "_temp_path " + filepath.Join(dir, kind) + ";\n"
	}
	conf := filepath.Join(dir, "nginx.conf")
	text := "daemon off; master_process off; pid " + dir + "/pid; error_log stderr; events {}\nhttp { access_log off;\n" + paths + "server { listen " + address + ";\n" + recipe + "\n} }\n"
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-e", "stderr", "-p", dir, "-c", conf)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			break
		} else if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	ask := func(method, path, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequest(method, "http://"+address+"/backgammon"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "bots.example.org"
		r.Header.Set("Origin", "http://bots.example.org")
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		first := make([]byte, 400)
		n, _ := io.ReadAtLeast(resp.Body, first, 12)
		return resp.StatusCode, string(first[:n])
	}
	if code, page := ask("GET", "/play", ""); code != 200 || !strings.Contains(page, `data-prefix="/backgammon"`) {
		t.Errorf("Play: %d %s", code, page)
	}
	if code, text := ask("POST", "/api/v1/games", `{"length":3}`); code != 201 {
		t.Errorf("a match: %d %s", code, text)
	}
	if code, text := ask("GET", "/api/v1/bots/events", ""); code != 200 || !strings.Contains(text, "event: ") {
		t.Errorf("events: %d %s", code, text)
	}
}
