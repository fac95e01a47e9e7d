package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWeb_refusesWhatCannotBe(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no port":       {[]string{"web", "--listen", "localhost"}, "--listen"},
		"no token":      {[]string{"web", "--listen", "0.0.0.0:0"}, "--token-file"},
		"every address": {[]string{"web", "--listen", ":0"}, "--token-file"},
		"a short token": {[]string{"web", "--listen", ":0", "--token-file", "file"}, "--token-file"},
		"a file":        {[]string{"web", "--archive", "file"}, "--archive"},
		"no such file":  {[]string{"web", "-c", "missing.yaml"}, "missing.yaml"},
	} {
		var out, errOut bytes.Buffer
		if code := run(t.Context(), c.args, strings.NewReader(""), &out, &errOut); code != 2 || !strings.Contains(errOut.String(), c.want) || strings.Count(errOut.String(), "\n") != 1 {
			t.Errorf("%s: status %d, %q", name, code, errOut.String())
		}
	}
}

// The last line printed is the address of the page.
func TestWeb_lastLineIsTheAddress(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	ended := make(chan int, 1)
	var errOut bytes.Buffer
	go func() {
		ended <- run(ctx, []string{"web", "--listen", "127.0.0.1:0", "--archive", "arch", "--token-file", "token"}, strings.NewReader(""), w, &errOut)
		w.Close()
	}()
	var text strings.Builder
	for buf := make([]byte, 512); strings.Count(text.String(), "\n") < 2; {
		n, err := r.Read(buf)
		text.Write(buf[:n])
		if err != nil {
			t.Fatalf("%v: %s%s", err, text.String(), errOut.String())
		}
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	address := lines[len(lines)-1]
	token, err := os.ReadFile(filepath.Join(dir, "token"))
	if err != nil || !strings.HasSuffix(address, "/?token="+strings.TrimSpace(string(token))) {
		t.Errorf("address %s, token %s, %v", address, token, err)
	}
	resp, err := http.Get(strings.SplitAfter(address, "/?")[0] + "token=wrong")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a wrong token: %d", resp.StatusCode)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("status %d: %s", code, errOut.String())
	}
}

// The addresses of a page that listens on all interfaces are those of this machine, and the
// last one works on it.
func TestWebURLs_canBeOpened(t *testing.T) {
	for listen, want := range map[string]string{
		"0.0.0.0:0": "http://127.0.0.1:8080/?token=abc", ":0": "http://127.0.0.1:8080/?token=abc", "[::]:0": "http://[::1]:8080/?token=abc",
		"127.0.0.1:8080": "http://127.0.0.1:8080/?token=abc", "localhost:8080": "http://localhost:8080/?token=abc", "192.0.2.5:8080": "http://192.0.2.5:8080/?token=abc",
	} {
		urls := webURLs(listen, &net.TCPAddr{IP: net.IPv6zero, Port: 8080}, "abc")
		if got := urls[len(urls)-1]; got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
		for _, u := range urls {
			if strings.Contains(u, "[::]") || strings.Contains(u, "0.0.0.0") || len(urls) > maxShown+1 {
				t.Errorf("%s: %s of %d", listen, u, len(urls))
			}
		}
	}
	if got := listening("0.0.0.0:0", &net.TCPAddr{IP: net.IPv6zero, Port: 4321}); got != "0.0.0.0:4321" {
		t.Errorf("a server of everywhere: %s", got)
	}
}
