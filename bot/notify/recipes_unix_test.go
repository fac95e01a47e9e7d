//go:build unix

package notify

import (
	"bufio"
	"encoding/json"
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

	"fibsbot/config"
)

// recipes are the commands of docs/operating.md by the first word of the line before them.
func recipes(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n### Alarms on a phone\n")
	part, _, _ = strings.Cut(part, "\n### ")
	out := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)\n([A-Za-z-]+)[^\n]*:\n\n```yaml\n(.*?)```").FindAllStringSubmatch(part, -1) {
		c, _, err := config.Parse("b", []byte("accounts: [{name: A, password_env: X}]\n"+m[2]))
		if err != nil {
			t.Fatalf("%s: %v", m[1], err)
		}
		out[m[1]] = c.Notify.Command
	}
	return out
}

// mailbox takes one letter by SMTP and passes on its envelope and text.
func mailbox(t *testing.T) (address string, letter <-chan string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	got := make(chan string, 1)
	go func() {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		var all strings.Builder
		say := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }
		say("220 ready")
		body := false
		for in := bufio.NewScanner(conn); in.Scan(); {
			line := strings.TrimRight(in.Text(), "\r")
			all.WriteString(line + "\n")
			switch {
			case body && line == ".":
				body = false
				got <- all.String()
				say("250 taken")
			case body:
			case line == "DATA":
				body = true
				say("354 go on")
			case line == "QUIT":
				say("221 bye")
				return
			default:
				say("250 yes")
			}
		}
	}()
	return ln.Addr().String(), got
}

// The recipes of the documentation deliver an event to the services that they name; the text of
// an event cannot become anything else.
func TestRecipes(t *testing.T) {
	for _, tool := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s installed", tool)
		}
	}
	const text = "RoboAnna: \"cheat\" $(id) @everyone, PR 4.2"
	type request struct{ kind, title, body string }
	asked := make(chan request, 1)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked <- request{r.Header.Get("Content-Type"), r.Header.Get("Title"), string(body)}
	}))
	t.Cleanup(web.Close)
	mail, letter := mailbox(t)
	checks := map[string]func() bool{
		"ntfy": func() bool { r := <-asked; return r.title == "fibsbot" && r.body == text },
		"Telegram": func() bool {
			var v struct {
				Chat int `json:"chat_id"`
				Text string
			}
			r := <-asked
			return json.Unmarshal([]byte(r.body), &v) == nil && r.kind == "application/json" && v.Chat == 123456789 && v.Text == text
		},
		"Discord": func() bool {
			var v struct {
				Content string
				Allowed struct{ Parse []string } `json:"allowed_mentions"`
			}
			r := <-asked
			return json.Unmarshal([]byte(r.body), &v) == nil && r.kind == "application/json" && v.Content == text && v.Allowed.Parse != nil
		},
		"E-mail": func() bool {
			all := <-letter
			return strings.Contains(all, "RCPT TO:<me@example.org>") && strings.Contains(all, "\nSubject: fibsbot: complaint\n\n"+text+"\n")
		},
	}
	found := recipes(t)
	if len(found) != len(checks) {
		t.Errorf("recipes %q", found)
	}
	for name, check := range checks {
		file := filepath.Join(t.TempDir(), "alarm.curl")
		address := web.URL + "/TOKEN"
		if name == "E-mail" {
			address = "smtp://" + mail
		}
		if err := os.WriteFile(file, []byte("url = \""+address+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		command := strings.ReplaceAll(found[name], "/etc/fibsbot/alarm.curl", file)
		if err := runCommand(t.Context(), command, &Event{Kind: "complaint", Text: text}); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !check() {
			t.Errorf("%s: not the event", name)
		}
	}
}
