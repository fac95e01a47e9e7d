package host

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bearoff"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/notify"
	"fibsbot/bot/ops"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/freeport"
	"fibsbot/internal/testsize"
)

// told reads the input of the notification command.
func told(t *testing.T, file string) (kinds []string, events []notify.Event) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e notify.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		kinds, events = append(kinds, e.Kind), append(events, e)
	}
	return kinds, events
}

// TestNotify_whatAnOperatorHears plays, complains and disconnects, and checks the notifications.
func TestNotify_whatAnOperatorHears(t *testing.T) {
	testsize.Medium(t)
	_, addr := startServer(t, server.Options{Seed: 8})
	c := testConfig(t, addr, "robbie")
	file := filepath.Join(t.TempDir(), "told")
	c.Notify = config.Notify{Command: "cat >> " + file, RatingBelow: 3000, DisconnectedAfter: config.Duration(time.Nanosecond), Complaints: []string{"Cheat"}}
	c.Archive.Analyse = "fast"
	r := startHost(t, c, nil, func(h *Host) { h.seatsEvery = 10 * time.Millisecond })
	<-spar(t, addr, "human", "robbie", 1, 1, nil)
	login(t, addr, "bob", "secret").send(clip.Tell{Name: "robbie", Text: "you CHEATER"})
	for _, kind := range []string{notify.MatchBegun, notify.MatchEnded, notify.Complaint, notify.RatingLow} {
		r.until("not told: "+kind, func(ops.Status) bool { kinds, _ := told(t, file); return slices.Contains(kinds, kind) })
	}
	_, events := told(t, file)
	for _, e := range events {
		switch e.Kind {
		case notify.MatchEnded:
			if e.Data["error_rate"] == nil || e.Data["result"] == nil || e.Opponent != "human" {
				t.Errorf("match ended: %+v", e)
			}
		case notify.Complaint:
			if e.Opponent != "bob" || !strings.Contains(e.Text, "you CHEATER") {
				t.Errorf("complaint: %+v", e)
			}
		}
	}
}

// TestNotify_heartbeat: a monitor hears from the bot again and again, by its address or, without
// one, by an event that says what the accounts do. Other events do not follow the heartbeat's key.
func TestNotify_heartbeat(t *testing.T) {
	t.Parallel()
	_, addr := startServer(t, server.Options{})
	beats := make(chan string, 100)
	monitor := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { beats <- r.Method + " " + r.URL.Path }))
	t.Cleanup(monitor.Close)
	c := testConfig(t, addr, "robbie")
	file := filepath.Join(t.TempDir(), "told")
	c.Notify = config.Notify{Heartbeat: config.Duration(time.Millisecond), HeartbeatURL: config.Secret(monitor.URL + "/t0ken"), DisconnectedAfter: config.Duration(time.Hour)}
	r := startHost(t, c, nil, func(h *Host) { h.seatsEvery = 10 * time.Millisecond })
	for range 3 {
		if got := <-beats; got != "GET /t0ken" {
			t.Errorf("the monitor is asked with %s", got)
		}
	}
	r.ready(1)
	next := *c
	next.Notify.HeartbeatURL, next.Notify.Command, next.Notify.Events = "", "cat >> "+file, []string{notify.Complaint}
	r.conf.Store(&next)
	r.until("no event", func(ops.Status) bool {
		kinds, events := told(t, file)
		return len(kinds) > 1 && kinds[0] == notify.Heartbeat && events[0].Data["online"] == 1.0 && strings.Contains(events[0].Text, "1 of 1 account logged in")
	})
}

// TestNotify_bearoffUnused: an unusable database is reported once, by event and metric.
func TestNotify_bearoffUnused(t *testing.T) {
	_, addr := startServer(t, server.Options{Seed: 8})
	c := testConfig(t, addr, "robbie")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "two.bearoff"), []byte("cut short"), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(engine.Options{Bearoff: bearoff.NewSource(bearoff.Options{Dir: dir, NoCache: true}), Threads: 1, CacheMB: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	file := filepath.Join(t.TempDir(), "told")
	c.Notify = config.Notify{Command: "cat >> " + file}
	r := startHost(t, c, func(o *Options) { o.Engine = e }, func(h *Host) { h.seatsEvery = 10 * time.Millisecond })
	r.until("not told", func(ops.Status) bool { kinds, _ := told(t, file); return slices.Contains(kinds, notify.BearoffFailed) })
	address := freeport.On(t, "127.0.0.1")
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- (&ops.Server{Listen: address, Metrics: r.opt.Metrics, Status: r.Status}).Run(ctx) }()
	r.until("no metric", func(ops.Status) bool {
		resp, err := http.Get("http://" + address + "/metrics")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		page, err := io.ReadAll(resp.Body)
		return err == nil && strings.Contains(string(page), "\nfibsbot_bearoff_unused 1\n")
	})
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	count := 0
	_, events := told(t, file)
	for _, e := range events {
		if e.Kind == notify.BearoffFailed {
			count++
			if !strings.Contains(e.Text, "two.bearoff") {
				t.Errorf("%+v", e)
			}
		}
	}
	if count != 1 {
		t.Errorf("told %d times", count)
	}
}

// TestNotify_loginRefused: an account that stops for good sends its event before the process
// ends.
func TestNotify_loginRefused(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	login(t, addr, "robbie", "another")
	c := testConfig(t, addr, "robbie")
	file := filepath.Join(t.TempDir(), "told")
	c.Notify = config.Notify{Command: "cat >> " + file}
	r := startHost(t, c, nil)
	if err := r.wait(); err == nil {
		t.Fatal("logged in with a wrong password")
	}
	if kinds, _ := told(t, file); !slices.Contains(kinds, notify.LoginRefused) {
		t.Errorf("told %q", kinds)
	}
}

// TestNotify_offLineForLong: a lost server is reported once, after a while, and again when it is
// back.
func TestNotify_offLineForLong(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	file := filepath.Join(t.TempDir(), "told")
	c.Notify = config.Notify{Command: "cat >> " + file, DisconnectedAfter: config.Duration(time.Minute)}
	h := resting(t, c)
	h.notes = notify.Open(notify.File(c.Archive.Dir), func() *config.Notify { return &c.Notify }, testLog(t), nil)
	s, now := h.seats[0], time.Now()
	at := func(after time.Duration) { s.reportAbsence(now.Add(after), c.Notify.DisconnectedAfter.Std()) }
	at(0)
	at(59 * time.Second)
	if h.notes.Waiting() != 0 {
		t.Error("told too early")
	}
	s.presence.waits("the cable is cut", time.Second)
	s.presence.enters("connecting") // the next try, which clears what it waits for
	at(61 * time.Second)
	at(5 * time.Minute)
	s.connected(true)
	at(6 * time.Minute)
	at(7 * time.Minute)
	ended, end := context.WithCancel(t.Context())
	end()
	h.notes.Run(ended)
	kinds, events := told(t, file)
	if !slices.Equal(kinds, []string{notify.Disconnected, notify.Connected}) {
		t.Fatalf("told %q", kinds)
	}
	if !strings.HasSuffix(events[0].Text, ": the cable is cut") {
		t.Errorf("no reason in %q", events[0].Text)
	}
}

// TestNotify_archiveIndexAndBlockList: failures of archive and index, and a new block list, are
// reported.
func TestNotify_archiveIndexAndBlockList(t *testing.T) {
	_, addr := startServer(t, server.Options{Seed: 9})
	c := testConfig(t, addr, "robbie")
	file := filepath.Join(t.TempDir(), "told")
	c.Notify = config.Notify{Command: "cat >> " + file}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "villain") }))
	defer web.Close()
	c.Opponents.BlockURL = web.URL
	c.Archive.Group = "opponent"
	if err := os.MkdirAll(filepath.Join(c.Archive.Dir, index.FileName, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Archive.Dir, "human"), nil, 0o644); err != nil { // where its folder belongs
		t.Fatal(err)
	}
	r := startHost(t, c, nil, func(h *Host) { h.fileAgain = 20 * time.Millisecond })
	<-spar(t, addr, "human", "robbie", 1, 1, nil)
	for _, kind := range []string{notify.IndexFailed, notify.ArchiveFailed, notify.BlockList} {
		r.until("not told: "+kind, func(ops.Status) bool { kinds, _ := told(t, file); return slices.Contains(kinds, kind) })
	}
	_, events := told(t, file)
	n := 0
	for _, e := range events {
		if e.Kind == notify.ArchiveFailed {
			n++
			if e.Opponent != "human" || !strings.Contains(e.Text, "human") {
				t.Errorf("%+v", e)
			}
		}
	}
	if n != 1 {
		t.Errorf("told %d times of one match", n)
	}
}

// TestLike: a greeting of the bot is not a complaint, whatever the name of the opponent.
func TestLike(t *testing.T) {
	greetings := []string{"Hello {opponent}, I am a program. If I seem to hang, say 'move' or 'roll'. Good luck!", "", "hi"}
	for text, want := range map[string]bool{
		"Hello bob, I am a program. If I seem to hang, say 'move' or 'roll'. Good luck!": true,
		"Hello bob, you hang":       false,
		"hi":                        true,
		"hi, you cheat":             false,
		"you hang":                  false,
		"":                          false,
		"I am a program. You hang!": false,
	} {
		if got := like(text, greetings); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNotify_ratingAbove(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Notify = config.Notify{Command: "true", RatingAbove: 1800}
	h := resting(t, c)
	h.notes = notify.Open(notify.File(c.Archive.Dir), func() *config.Notify { return &c.Notify }, testLog(t), nil)
	for _, rating := range []float64{1790, 1801, 1820, 1799, 1805} {
		h.seats[0].reportRating(rating)
	}
	if n := h.notes.Waiting(); n != 2 {
		t.Errorf("%d events, want one for each of the two rises", n)
	}
}
