package host

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/ops"
)

// atNoon is a presence whose clock the test moves.
func atNoon() (p *presence, now *time.Time) {
	p = newPresence("robbie", "host:4321")
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	now = &noon
	p.now = func() time.Time { return *now }
	return p, now
}

// TestPresence_forgives: a login refused near a shutdown does not count as a wrong password.
func TestPresence_forgives(t *testing.T) {
	for _, tt := range []struct {
		name  string
		tell  func(p *presence, now time.Time)
		after time.Duration
		want  bool
	}{
		{"nothing told", func(*presence, time.Time) {}, 0, false},
		{"a notice", func(p *presence, now time.Time) { p.noticed(now) }, shutdownGrace - time.Second, true},
		{"an old notice", func(p *presence, now time.Time) { p.noticed(now) }, shutdownGrace, false},
		{"never logged in", func(p *presence, _ time.Time) { p.connected(false) }, time.Minute, false},
	} {
		p, now := atNoon()
		tt.tell(p, *now)
		*now = now.Add(tt.after)
		if got := p.forgives(); got != tt.want {
			t.Errorf("%s, %s later: %v", tt.name, tt.after, got)
		}
	}
}

func TestPresence_states(t *testing.T) {
	p, now := atNoon()
	want := func(state, waiting string) {
		t.Helper()
		if a := p.status(); a.State != state || !strings.Contains(a.Waiting, waiting) || waiting == "" && a.Waiting != "" {
			t.Errorf("%q, %q; want %q, %q", a.State, a.Waiting, state, waiting)
		}
	}
	want("waiting", "")
	p.enters("connecting")
	want("connecting", "")
	p.connected(true)
	want("ready", "")
	p.plays(ops.Account{Opponent: "anna", Match: "1-0 in 5 points", Board: "x", Preset: "expert", Rating: 1600, LastLine: *now})
	if a := p.status(); a.State != "playing" || a.Opponent != "anna" || a.Preset != "expert" || a.Rating != 1600 || !a.LastLine.Equal(*now) {
		t.Errorf("playing: %+v", a)
	}
	p.plays(ops.Account{Rating: 1601})
	if a := p.status(); a.State != "ready" || a.Opponent != "" || a.Match != "" || !a.LastLine.Equal(*now) {
		t.Errorf("between two matches: %+v", a)
	}
	p.waits("kicked", 90*time.Second)
	want("waiting", "kicked; next try at 12:01:30")
	p.finished(true)
	p.finished(false)
	if a := p.status(); a.Finished != 2 || a.Won != 1 || a.Connected {
		t.Errorf("%+v", a)
	}
	p.fails(errors.New("bad password"))
	p.enters("connecting")
	if a := p.status(); a.State != stopped || a.Error != "bad password" {
		t.Errorf("what stopped it is painted over: %+v", a)
	}
}

// TestPresence_away: reported once after the limit, and once on return.
func TestPresence_away(t *testing.T) {
	p, now := atNoon()
	look := func(after time.Duration, wantLeft, wantBack bool) {
		t.Helper()
		if left, back, _, _ := p.checkAbsence(now.Add(after), time.Minute); left != wantLeft || back != wantBack {
			t.Errorf("after %s: left %v, back %v", after, left, back)
		}
	}
	look(0, false, false)
	look(59*time.Second, false, false)
	look(time.Minute, true, false)
	look(2*time.Minute, false, false)
	p.connected(true)
	look(3*time.Minute, false, true)
	look(4*time.Minute, false, false)
	p.fails(errors.New("over"))
	p.connected(false)
	look(time.Hour, false, false) // a final end is reported otherwise
}

func TestPresence_journals(t *testing.T) {
	p, _ := atNoon()
	full := errors.New("disk full")
	for i, tt := range []struct {
		err  error
		news bool
	}{{nil, false}, {full, true}, {full, false}, {nil, false}, {full, true}} {
		if got := p.journals(tt.err); got != tt.news {
			t.Errorf("step %d: %v", i, got)
		}
	}
	if p.status().Journal != "disk full" {
		t.Errorf("%+v", p.status())
	}
}

func TestPresence_end(t *testing.T) {
	p, _ := atNoon()
	p.end() // not running yet
	ctx, cancel := context.WithCancel(t.Context())
	p.runs(cancel)
	if p.end(); ctx.Err() == nil {
		t.Error("goes on")
	}
}
