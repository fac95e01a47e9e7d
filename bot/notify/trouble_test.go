package notify

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/config"
)

// impatient sets the time limit for web addresses.
func impatient(t *testing.T, limit time.Duration) {
	t.Helper()
	before := *poster
	poster.Timeout = limit
	t.Cleanup(func() { poster.Timeout = before.Timeout })
}

// TestDeliver_hangingWebhook: a receiver that never answers costs one wait, not one per queued
// event. The command gets all events meanwhile, the receiver when it answers again.
func TestDeliver_hangingWebhook(t *testing.T) {
	impatient(t, 20*time.Millisecond)
	var hangs atomic.Bool
	hangs.Store(true)
	var asked, told atomic.Int32
	release := make(chan struct{})
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if hangs.Load() {
			<-release
			return
		}
		told.Add(1)
	}))
	defer h.Close()
	defer close(release)
	file := filepath.Join(t.TempDir(), "got")
	o := outbox(t, &config.Notify{Webhook: config.Secret(h.URL), Command: "cat >> " + file})
	const events = 20
	for range events {
		o.Add(Event{Kind: MatchEnded, Text: "one"})
	}
	now := time.Now()
	if wait := o.deliver(t.Context(), now); wait != firstWait || o.Waiting() != events {
		t.Errorf("next try in %v, %d waiting", wait, o.Waiting())
	}
	o.deliver(t.Context(), now.Add(time.Second)) // as if another event came
	text, _ := os.ReadFile(file)
	if n := asked.Load(); n > 1 || strings.Count(string(text), "\n") != events {
		t.Errorf("the receiver was asked %d times; the command got %d of %d", n, strings.Count(string(text), "\n"), events)
	}
	hangs.Store(false)
	poster.Timeout = time.Minute
	o.deliver(t.Context(), now.Add(firstWait))
	if n := told.Load(); n != events || o.Waiting() != 0 {
		t.Errorf("%d of %d told, %d waiting", n, events, o.Waiting())
	}
}

// TestDeliver_oneThatIsRefused: a refused event does not stop the others.
func TestDeliver_oneThatIsRefused(t *testing.T) {
	h := newHook(t, http.StatusBadRequest)
	o := outbox(t, &config.Notify{Webhook: config.Secret(h.URL)})
	for range 3 {
		o.Add(Event{Kind: MatchEnded})
	}
	o.deliver(t.Context(), time.Now())
	if len(h.got) != 3 || o.Waiting() != 1 {
		t.Errorf("%d requests, %d waiting", len(h.got), o.Waiting())
	}
}

// answering starts a server that sends text to every client and closes the connection. It
// returns the server's address.
func answering(t *testing.T, text string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body) // unread data would reset the connection
					_, _ = io.WriteString(c, text)
				}
			}()
		}
	}()
	return l.Addr().String()
}

// TestDeliver_troubles: after any faulty answer of a web address the event stays queued, the
// log has one short line without the address's token and the secret, and no other address
// receives anything.
func TestDeliver_troubles(t *testing.T) {
	const token, secret = "t0ken", "s3cretkey"
	t.Setenv("HOOK_SECRET", secret)
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	closed := answering(t, "")
	for name, at := range map[string]string{
		"refuses":          "127.0.0.1:1",
		"closes":           closed,
		"redirects":        answering(t, "HTTP/1.1 307 Temporary Redirect\r\nLocation: "+other.URL+"/"+token+"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
		"redirects badly":  answering(t, "HTTP/1.1 302 Found\r\nLocation: http://[::/hook/"+token+"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
		"repeats the path": answering(t, "HTTP/1.1 500 no /hook/"+token+" "+strings.Repeat("x", 100_000)+"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
		"no HTTP":          answering(t, "\x1b]0;gotcha\x07"+strings.Repeat("SMTP ", 50_000)+"\r\n"),
		"busy":             answering(t, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
	} {
		var log bytes.Buffer
		l := logrus.New()
		l.SetOutput(&log)
		n := &config.Notify{Webhook: config.Secret("http://" + at + "/hook/" + token), WebhookSecretEnv: "HOOK_SECRET"}
		o := Open(filepath.Join(t.TempDir(), "notify.json"), func() *config.Notify { return n }, l, nil)
		o.Add(Event{Kind: MatchEnded, Text: "one"})
		now := time.Now()
		for i := range 4 {
			o.deliver(t.Context(), now.Add(time.Duration(i)*longestWait))
		}
		o.save()
		kept, _ := os.ReadFile(o.file)
		text := log.String()
		if o.Waiting() != 1 || strings.Count(text, "\n") != 1 || len(text) > 600 || strings.ContainsAny(text, "\x1b\x07") {
			t.Errorf("%s: %d waiting, logged: %.1000s", name, o.Waiting(), text)
		}
		for _, hidden := range []string{token, secret} {
			if strings.Contains(text, hidden) || bytes.Contains(kept, []byte(hidden)) {
				t.Errorf("%s: %s is in the log or the file: %s", name, hidden, text)
			}
		}
		h := newHook(t) // it recovers
		n.Webhook = config.Secret(h.URL + "/hook/" + token)
		if o.deliver(t.Context(), now.Add(10*longestWait)); o.Waiting() != 0 || len(h.got) != 1 {
			t.Errorf("%s, and is mended: %d waiting, %d requests", name, o.Waiting(), len(h.got))
		}
	}
	if n := elsewhere.Load(); n > 0 {
		t.Errorf("%d requests went where a redirection led", n)
	}
}

// TestAdd_bounded: the queue of undelivered events is bounded, in memory and on disk.
func TestAdd_bounded(t *testing.T) {
	n := &config.Notify{Webhook: "http://127.0.0.1:1/hook", PerHour: 1 << 20}
	o := outbox(t, n)
	for i := range maxWaiting + 100 {
		o.Add(Event{Kind: Complaint, Text: fmt.Sprint(i)})
	}
	o.deliver(t.Context(), time.Now())
	o.save()
	again := Open(o.file, o.config, quietLog(), nil)
	if o.Waiting() != maxWaiting || again.Waiting() != maxWaiting || again.letters[0].Event.Text != "100" {
		t.Errorf("%d wait, %d on disk from %q on", o.Waiting(), again.Waiting(), again.letters[0].Event.Text)
	}
}
