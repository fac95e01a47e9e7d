package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/config"
)

func quietLog() logrus.FieldLogger {
	l := logrus.New()
	l.SetOutput(io.Discard)
	return l
}

func outbox(t *testing.T, n *config.Notify) *Outbox {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "state", "notify.json"), func() *config.Notify { return n }, quietLog(), nil)
}

// hook is a web address that answers with the given statuses, then 200, and keeps the requests.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	states []int
	got    []*http.Request
	bodies []string
}

func newHook(t *testing.T, states ...int) *hook {
	h := &hook{states: states}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.got, h.bodies = append(h.got, r), append(h.bodies, string(body))
		if len(h.states) > 0 {
			w.WriteHeader(h.states[0])
			h.states = h.states[1:]
		}
	}))
	t.Cleanup(h.Close)
	return h
}

// TestDeliver_webhookIsSigned: a receiver with the secret can verify that the bot sent the
// event, and when.
func TestDeliver_webhookIsSigned(t *testing.T) {
	t.Setenv("HOOK_SECRET", "s3cret")
	h := newHook(t)
	o := outbox(t, &config.Notify{Webhook: config.Secret(h.URL), WebhookSecretEnv: "HOOK_SECRET"})
	o.Add(Event{Kind: MatchEnded, Account: "robbie", Opponent: "bob", Text: "robbie has won.", Data: map[string]any{"score": []int{5, 3}}})
	o.deliver(t.Context(), time.Now())
	if len(h.got) != 1 || o.Waiting() != 0 {
		t.Fatalf("%d requests, %d waiting", len(h.got), o.Waiting())
	}
	r, body := h.got[0], h.bodies[0]
	at, err := strconv.ParseInt(r.Header.Get("X-Fibsbot-Timestamp"), 10, 64)
	if err != nil || r.Method != http.MethodPost || r.Header.Get("X-Fibsbot-Signature") != "sha256="+Sign("s3cret", at, []byte(body)) {
		t.Errorf("%s %v", r.Method, r.Header)
	}
	var e Event
	if err := json.Unmarshal([]byte(body), &e); err != nil || e.Kind != MatchEnded || e.Opponent != "bob" || e.ID == "" || r.Header.Get("X-Fibsbot-Delivery") != e.ID {
		t.Errorf("%v: %s", err, body)
	}
}

// TestSign_asDocumented: the example of docs/operating.md, with which receivers test their code.
func TestSign_asDocumented(t *testing.T) {
	body := `{"id":"1","event":"test"}`
	got := Sign("s3cret", 1700000000, []byte(body))
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{got, body, "`s3cret`", "`1700000000`"} {
		if !strings.Contains(string(doc), want) {
			t.Errorf("docs/operating.md does not say %s", want)
		}
	}
}

func TestDeliver_command(t *testing.T) {
	file := filepath.Join(t.TempDir(), "got")
	o := outbox(t, &config.Notify{Command: "cat >> " + file})
	o.Add(Event{Kind: MatchBegun, Text: "one"})
	o.Add(Event{Kind: MatchEnded, Text: "two"})
	o.deliver(t.Context(), time.Now())
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "\n") != 2 || !strings.Contains(string(text), `"text":"two"`) {
		t.Errorf("%v: %s", err, text)
	}
}

// TestDeliver_triesAgain: only the channel that failed is tried again; a restart in between loses
// nothing.
func TestDeliver_triesAgain(t *testing.T) {
	h := newHook(t, 500, 301)
	file := filepath.Join(t.TempDir(), "got")
	n := &config.Notify{Webhook: config.Secret(h.URL), Command: "cat >> " + file}
	o := outbox(t, n)
	o.Add(Event{Kind: LoginRefused, Text: "x"})
	now := time.Now()
	if wait := o.deliver(t.Context(), now); wait != firstWait || o.Waiting() != 1 {
		t.Errorf("next try in %v, %d waiting", wait, o.Waiting())
	}
	o.save()
	o = Open(o.file, func() *config.Notify { return n }, quietLog(), nil)
	if wait := o.deliver(t.Context(), now.Add(time.Second)); wait != firstWait-time.Second {
		t.Errorf("tried too early, or next in %v", wait)
	}
	now = now.Add(firstWait)
	if wait := o.deliver(t.Context(), now); wait != 2*firstWait {
		t.Errorf("the third try comes after %v", wait)
	}
	o.deliver(t.Context(), now.Add(2*firstWait))
	text, _ := os.ReadFile(file)
	if o.Waiting() != 0 || len(h.got) != 3 || strings.Count(string(text), "\n") != 1 {
		t.Errorf("%d waiting, %d requests, command got %q", o.Waiting(), len(h.got), text)
	}
}

func TestDeliver_givesUpAfterADay(t *testing.T) {
	o := outbox(t, &config.Notify{Command: "exit 1"})
	o.Add(Event{Kind: Complaint})
	o.deliver(t.Context(), time.Now().Add(maxAge+time.Minute))
	if o.Waiting() != 0 {
		t.Error("tried for ever")
	}
}

// TestAdd_limitsAndChoice: unselected kinds are ignored; beyond the hourly limit of a kind,
// events are only counted.
func TestAdd_limitsAndChoice(t *testing.T) {
	o := outbox(t, &config.Notify{Command: "true", Events: []string{Complaint, RatingLow}, PerHour: 3})
	at := time.Now()
	o.Add(Event{Kind: MatchBegun, At: at})
	for range 10 {
		o.Add(Event{Kind: Complaint, At: at})
	}
	o.Add(Event{Kind: RatingLow, At: at})
	if o.Waiting() != 4 {
		t.Errorf("%d waiting, want 4", o.Waiting())
	}
	o.Add(Event{Kind: Complaint, At: at.Add(2 * time.Hour)})
	if last := o.letters[len(o.letters)-1].Event; last.Omitted != 7 {
		t.Errorf("%d omitted, want 7", last.Omitted)
	}
	for i := range 2 * maxWaiting {
		o.Add(Event{Kind: RatingLow, At: at.Add(time.Duration(i+2) * time.Hour)})
	}
	if o.Waiting() != maxWaiting {
		t.Errorf("%d waiting, want %d", o.Waiting(), maxWaiting)
	}
}

// TestAdd_limitsByKind: the limit of a kind replaces the general one.
func TestAdd_limitsByKind(t *testing.T) {
	o := outbox(t, &config.Notify{Command: "true", PerHour: 3, Limits: map[string]int{Complaint: 1, MatchEnded: 0}})
	for range 10 {
		for _, kind := range []string{Complaint, MatchEnded, RatingLow} {
			o.Add(Event{Kind: kind, At: time.Now()})
		}
	}
	got := map[string]int{}
	for _, l := range o.letters {
		got[l.Event.Kind]++
	}
	if want := map[string]int{Complaint: 1, MatchEnded: 10, RatingLow: 3}; !maps.Equal(got, want) {
		t.Errorf("taken %v, want %v", got, want)
	}
}

// TestDeliver_quietHoursOfTheUrgent: urgent events are sent in quiet hours.
func TestDeliver_quietHoursOfTheUrgent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "got")
	o := outbox(t, &config.Notify{Command: "cat >> " + file, Quiet: "22:00-07:00", Urgent: []string{AccountStopped}})
	night := time.Date(2026, 11, 22, 23, 0, 0, 0, time.Local)
	o.Add(Event{Kind: MatchEnded, At: night})
	o.Add(Event{Kind: AccountStopped, At: night})
	o.deliver(t.Context(), night)
	if text, _ := os.ReadFile(file); o.Waiting() != 1 || !strings.Contains(string(text), AccountStopped) || strings.Contains(string(text), MatchEnded) {
		t.Errorf("%d waiting, told %q", o.Waiting(), text)
	}
}

// TestDeliver_clockSetBack: times in the future, written by an earlier process, delay nothing, and
// nothing is tried for ever.
func TestDeliver_clockSetBack(t *testing.T) {
	now := time.Now()
	ahead := now.AddDate(1, 0, 0).Round(0) // as read from a file: without a monotonic clock
	o := outbox(t, &config.Notify{Command: "exit 1"})
	o.letters = []letter{{Event: Event{ID: "1", Kind: Complaint, At: ahead}, Command: true, Tries: 3, Next: ahead}}
	if wait := o.deliver(t.Context(), now); wait > longestWait || o.letters[0].Tries != 4 {
		t.Errorf("not tried: again in %v, %d tries", wait, o.letters[0].Tries)
	}
	for i := 0; o.Waiting() > 0; i++ {
		if i > 2*maxTries {
			t.Fatal("tried for ever")
		}
		now = now.Add(longestWait)
		o.letters[0].Next = ahead
		if o.letters[0].Tries < maxTries-2 {
			o.letters[0].Tries += 50 // one command per try
		}
		o.deliver(t.Context(), now)
	}
}

func TestDeliver_quietHours(t *testing.T) {
	o := outbox(t, &config.Notify{Command: "true", Quiet: "22:00-07:00"})
	night := time.Date(2026, 11, 22, 23, 0, 0, 0, time.Local)
	o.Add(Event{Kind: MatchEnded, At: night})
	if o.deliver(t.Context(), night); o.Waiting() != 1 {
		t.Error("told at night")
	}
	if o.deliver(t.Context(), night.Add(9*time.Hour)); o.Waiting() != 0 {
		t.Error("not told in the morning")
	}
}

// TestErrors_holdNoSecret: the address may hold a token.
func TestErrors_holdNoSecret(t *testing.T) {
	n := &config.Notify{Webhook: "http://127.0.0.1:1/hook/t0ken", Command: "echo bad >&2; exit 3"}
	err := Try(t.Context(), n)
	if err == nil || strings.Contains(err.Error(), "t0ken") || !strings.Contains(err.Error(), "exit status 3: bad") || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("error %v", err)
	}
	n.HeartbeatURL = "http://127.0.0.1:1/beat/t0ken"
	if err := Beat(t.Context(), n, "", nil); err == nil || strings.Contains(err.Error(), "t0ken") || !strings.Contains(err.Error(), "notify.heartbeat_url: 127.0.0.1:1") {
		t.Errorf("heartbeat: %v", err)
	}
	if text := fmt.Sprintf("%v %+v", n, *n); strings.Contains(text, "t0ken") {
		t.Errorf("shown: %s", text)
	}
}

// TestRun_ends: Run delivers events until its context ends; undelivered events are on disk.
func TestRun_ends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &config.Notify{Quiet: "00:00-23:59", Command: "true"}
		o := outbox(t, n)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); o.Run(ctx) }()
		o.Add(Event{Kind: MatchEnded, At: time.Date(2026, 1, 1, 12, 0, 0, 0, time.Local)})
		synctest.Wait()
		cancel()
		<-done
		if again := Open(o.file, func() *config.Notify { return n }, quietLog(), nil); again.Waiting() != 1 {
			t.Errorf("%d on disk, want 1", again.Waiting())
		}
	})
}

// TestRun_finishes: a command that runs when the context ends is finished, and what waits behind
// it is delivered; each event once.
func TestRun_finishes(t *testing.T) {
	dir := t.TempDir()
	started, file := filepath.Join(dir, "started"), filepath.Join(dir, "got")
	o := outbox(t, &config.Notify{Command: "touch " + started + "; sleep 0.3; cat >> " + file})
	o.Add(Event{Kind: MatchBegun, Text: "one"})
	o.Run(endedAt(t, started, func() { o.Add(Event{Kind: LoginRefused, Text: "two"}) }))
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), `"text":"one"`) != 1 || strings.Count(string(text), `"text":"two"`) != 1 || o.Waiting() != 0 {
		t.Errorf("%v, %d waiting: %s", err, o.Waiting(), text)
	}
}

// TestRun_givesUp: a command that hangs at the end is cut off, and its event is on disk.
func TestRun_givesUp(t *testing.T) {
	before := lastLimit
	t.Cleanup(func() { lastLimit = before })
	lastLimit = 100 * time.Millisecond
	started := filepath.Join(t.TempDir(), "started")
	n := &config.Notify{Command: "touch " + started + "; sleep 1000"}
	o := outbox(t, n)
	o.Add(Event{Kind: LoginRefused})
	begun := time.Now()
	o.Run(endedAt(t, started, func() {}))
	if time.Since(begun) >= commandLimit {
		t.Error("ended by the limit of commands")
	}
	if again := Open(o.file, func() *config.Notify { return n }, quietLog(), nil); again.Waiting() != 1 {
		t.Errorf("%d on disk, want 1", again.Waiting())
	}
}

// endedAt returns a context that ends when file exists, after a call of then.
func endedAt(t *testing.T, file string, then func()) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if _, err := os.Stat(file); err == nil {
				break
			}
		}
		then()
	}()
	return ctx
}

// TestOutlasting ends its context later than the first one ends.
func TestOutlasting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		longer, cut := outlasting(ctx, time.Minute)
		defer cut()
		time.Sleep(time.Hour)
		end()
		at := time.Now()
		<-longer.Done()
		if after := time.Since(at); after != time.Minute {
			t.Errorf("ends after %v", after)
		}
		ctx, end = context.WithCancel(t.Context())
		longer, cut = outlasting(ctx, time.Minute)
		cut()
		if longer.Err() == nil {
			t.Error("not cut")
		}
		end()
	})
}

func TestOpen_damagedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notify.json")
	if err := os.WriteFile(file, []byte("{rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Open(file, func() *config.Notify { return &config.Notify{Command: "true"} }, quietLog(), nil)
	if o.Add(Event{Kind: Complaint}); o.Waiting() != 1 {
		t.Error("a damaged file keeps events out")
	}
}

// TestAdd_hooksMayAsk: hooks for omitted and dropped events may use the outbox and the log, because
// Add holds no lock during their calls.
func TestAdd_hooksMayAsk(t *testing.T) {
	var o *Outbox
	heard := map[string]int{}
	n := &config.Notify{Command: "true", Limits: map[string]int{Complaint: 1}}
	o = Open(filepath.Join(t.TempDir(), "notify.json"), func() *config.Notify { return n }, quietLog(), func(outcome string) {
		heard[outcome] = o.Waiting()
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 2 {
			o.Add(Event{Kind: Complaint})
		}
		for range maxWaiting {
			o.Add(Event{Kind: RatingLow})
		}
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("Add holds its lock while the hook runs")
	}
	if heard["omitted"] != 1 || heard["dropped"] != maxWaiting {
		t.Errorf("heard %v", heard)
	}
}
