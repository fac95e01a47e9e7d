package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/engine"
	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// fakeDesk is a desk at which a match is played while playing is set.
type fakeDesk struct {
	playing atomic.Bool
	watch   func()
}

func (*fakeDesk) Login(lobby.Login) error { return nil }
func (*fakeDesk) Logout()                 {}
func (*fakeDesk) State() lobby.State {
	return lobby.State{Online: "online", Account: "anna", Invitations: []lobby.Offer{}, Saved: []lobby.Offer{}, News: []lobby.Line{}}
}
func (*fakeDesk) Players() []lobby.Player { return []lobby.Player{{Name: "bob"}} }
func (*fakeDesk) Command(line string) error {
	if line == "nonsense" {
		return errors.New("unknown command")
	}
	return nil
}
func (*fakeDesk) Act(play.Act) error { return nil }
func (d *fakeDesk) Watch(f func())   { d.watch = f }
func (d *fakeDesk) sit(yes bool)     { d.playing.Store(yes); d.watch() }
func (d *fakeDesk) Playing() string {
	if d.playing.Load() {
		return "anna plays bob: the engine is silent"
	}
	return ""
}

// openWhilePlaying are the routes that answer during a match on a server. None asks the engine.
var openWhilePlaying = []string{
	"GET /matches", "GET /matches/{id}", "GET /matches/{id}/form", "GET /matches/{id}/head", "GET /matches/{id}/file", "GET /matches/{id}/review",
	"GET /matches/{id}/report", "GET /matches/{id}/decisions/{place}", "GET /matches/{id}/decisions/{place}/picture", "GET /matches/{id}/pictures", "GET /trash", "GET /statistics/columns", "GET /statistics", "GET /statistics/trends",
	"GET /names", "GET /me", "GET /collections", "GET /bots", "GET /bots/events", "POST /bots/orders", "GET /jobs", "GET /jobs/{id}", "GET /jobs/{id}/events",
	"GET /online", "POST /online", "DELETE /online", "GET /online/players", "POST /online/commands", "POST /online/acts", "GET /online/events",
}

// TestFair_everyRoute: while a match is played on a server, every route is closed with the reason
// but those that ask the engine nothing; a new route is closed until it is named here.
func TestFair_everyRoute(t *testing.T) {
	d := &fakeDesk{}
	a := New(Options{Engine: engineOf(t), Matches: play.NewStore(t.TempDir(), nil), Online: d})
	defer a.Close()
	d.sit(true)
	for _, r := range slices.Concat(a.routes(), a.onlineRoutes(), a.botRoutes()) {
		name := r.method + " " + r.path
		if r.kind == "text/event-stream" && slices.Contains(openWhilePlaying, name) {
			continue // it would stream
		}
		path := strings.NewReplacer("{id}", "x", "{place}", "1.1", "{name}", "x").Replace(r.path)
		w := httptest.NewRecorder()
		a.ServeHTTP(w, httptest.NewRequest(r.method, "/api/v1"+path, strings.NewReader("{}")))
		if closed := w.Code == http.StatusLocked; closed == slices.Contains(openWhilePlaying, name) || closed && !strings.Contains(w.Body.String(), "anna plays bob") {
			t.Errorf("%s: status %d, %s", name, w.Code, w.Body)
		}
	}
	d.sit(false)
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/presets", nil))
	if w.Code != http.StatusOK {
		t.Errorf("after the match: status %d, %s", w.Code, w.Body)
	}
}

// TestFair_noReasons: stored matches can be read meanwhile, but the engine gives no reasons.
func TestFair_noReasons(t *testing.T) {
	d := &fakeDesk{}
	a := New(Options{Engine: engineOf(t), Matches: play.NewStore(t.TempDir(), nil), Online: d, Language: func(*http.Request) *texts.Catalogue { return nil }})
	defer a.Close()
	for _, playing := range []bool{true, false} {
		d.sit(playing)
		if why := a.Why(httptest.NewRequest("GET", "/", nil), &record.Match{}); (why == nil) != playing {
			t.Errorf("playing %v: reasons %v", playing, why != nil)
		}
	}
}

// TestFair_jobsWait: a job that runs when the match begins stops, and the next one begins after it.
func TestFair_jobsWait(t *testing.T) {
	d := &fakeDesk{}
	a := New(Options{Engine: engineOf(t), Matches: play.NewStore(t.TempDir(), nil), Online: d})
	defer a.Close()
	running, err := a.add(Job{Kind: "rollout"}, nil, forever)
	if err != nil {
		t.Fatal(err)
	}
	is := func(j *job, want string) {
		t.Helper()
		changed, leave := j.watchers.join()
		defer leave()
		for late := time.After(20 * time.Second); j.snapshot().State != want; {
			select {
			case <-changed:
			case <-late:
				t.Fatalf("the job is %s, want %s", j.snapshot().State, want)
			}
		}
	}
	is(running, Running)
	d.sit(true)
	is(running, Stopped)
	waits, err := a.add(Job{Kind: "rollout"}, nil, atOnce)
	if err != nil {
		t.Fatal(err)
	}
	is(waits, Queued)
	d.sit(false)
	is(waits, Done)
	d.playing.Store(true) // before keepFair sees it
	if waits, err = a.add(Job{Kind: "rollout"}, nil, atOnce); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * silenceAgain)
	is(waits, Queued)
	d.sit(false)
	is(waits, Done)
}

// forever works until it is stopped.
func forever(ctx context.Context, _ *job, _ func(done, total int)) error {
	<-ctx.Done()
	return ctx.Err()
}

func atOnce(context.Context, *job, func(done, total int)) error { return nil }

func engineOf(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	return e
}
