package host

import (
	"fmt"
	"testing"
	"time"

	"fibsbot/bot/table"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// TestReceived_gather: only the last invitation of each player is considered, and of a crowd only
// some.
func TestReceived_gather(t *testing.T) {
	v := received{asking: map[string]*asking{}}
	first := v.gather(&asking{inv: table.Invitation{From: "bob", Length: 5}, needSaved: true}, noon)
	if first == nil || !first.queued || !first.till.Equal(noon.Add(askLimit)) {
		t.Fatalf("looked into: %+v", first)
	}
	if again := v.gather(&asking{inv: table.Invitation{From: "bob", Length: 7}}, noon); again != nil || v.asking["bob"] != first || first.inv.Length != 7 || !first.needSaved {
		t.Errorf("he has changed his mind: %+v, %+v", again, v.asking["bob"])
	}
	for i := range 2 * maxAsking {
		name := fmt.Sprintf("p%d", i)
		v.gather(&asking{inv: table.Invitation{From: name}}, noon)
		v.postpone(table.Invitation{From: name})
	}
	if len(v.asking) != maxAsking || len(v.postponed) != maxAsking {
		t.Errorf("%d looked into and %d kept, want %d", len(v.asking), len(v.postponed), maxAsking)
	}
	v.enterFact("bob", func(a *asking) { a.saved = 3 })
	v.enterFact("stranger", func(*asking) { t.Error("nobody has asked about him") })
	if first.saved != 3 {
		t.Errorf("bob has %d saved matches, want 3", first.saved)
	}
	if v.forget("bob"); v.asking["bob"] != nil {
		t.Error("bob has left and is waited for")
	}
	if v.clear(); len(v.asking)+len(v.postponed) != 0 {
		t.Error("the connection is gone and invitations of it are left")
	}
}

// TestReceived_postponed: invitations that came before the table was ready are returned once, the last
// of each player, the oldest first.
func TestReceived_postponed(t *testing.T) {
	var v received
	for _, inv := range []table.Invitation{{From: "dora", Length: 1}, {From: "bob", Length: 3}, {From: "bob", Length: 5}} {
		v.postpone(inv)
	}
	list := v.takePostponed()
	if len(list) != 2 || list[0].From != "dora" || list[1] != (table.Invitation{From: "bob", Length: 5}) || v.takePostponed() != nil {
		t.Errorf("kept %+v", list)
	}
}

// TestLastMinute_refuse: no reason is repeated within a minute, but another one is told, up
// to the limit on answers.
func TestLastMinute_refuse(t *testing.T) {
	var v lastMinute
	for _, tt := range []struct {
		name, say string
		after     time.Duration
		want      bool
	}{
		{"bob", "too long", 0, true}, {"bob", "too long", refusalQuiet - 1, false}, {"dora", "too long", refusalQuiet - 1, true},
		{"bob", "unlimited", refusalQuiet - 1, true}, {"bob", "unlimited", refusalQuiet - 1, false},
		{"bob", "too long", refusalQuiet, true}, {"bob", "blocked", refusalQuiet, true}, {"bob", "at night", refusalQuiet, false},
		{"bob", "too long", 2*refusalQuiet - 1, false}, {"bob", "at night", 2*refusalQuiet - 1, true},
	} {
		if got := v.refuse(tt.name, tt.say, 3, noon.Add(tt.after)); got != tt.want {
			t.Errorf("%s, %s after %v: %v", tt.name, tt.say, tt.after, got)
		}
	}
	if !v.refuse("carol", "no", 0, noon) {
		t.Error("without answers no reason is told")
	}
	late, sent := noon.Add(time.Hour), 0
	for i := range 2 * maxRefusals {
		if v.refuse(fmt.Sprint(i), "no", 3, late) {
			sent++
		}
	}
	if sent != maxRefusals || !v.refuse("last", "no", 3, late.Add(refusalQuiet)) {
		t.Errorf("%d refusals in a minute, want %d, and more in the next", sent, maxRefusals)
	}
}

// TestInviter_maySeek: a free bot seeks at once, then from time to time, but not while it
// considers invitations.
func TestInviter_maySeek(t *testing.T) {
	v := inviter{delay: seekEvery}
	for _, tt := range []struct {
		at    time.Duration
		free  bool
		looks int // invitations under consideration
		want  bool
		wake  time.Duration // 0: none
	}{
		{0, false, 0, false, 0},
		{time.Second, true, 0, true, time.Second + seekEvery},
		{2 * time.Second, true, 0, false, time.Second + seekEvery},
		{time.Second + seekEvery, true, 1, false, 0},
		{time.Second + seekEvery, true, 0, true, time.Second + 2*seekEvery},
		{time.Minute, false, 0, false, 0},
		{time.Minute + time.Second, true, 0, true, time.Minute + time.Second + seekEvery},
	} {
		yes, wake := v.maySeek(tt.free, tt.looks > 0, func() float64 { return 0.5 }, noon.Add(tt.at))
		if yes != tt.want || wake.IsZero() != (tt.wake == 0) || tt.wake != 0 && !wake.Equal(noon.Add(tt.wake)) {
			t.Errorf("after %v: %v, wakes at %v", tt.at, yes, wake)
		}
	}
	if !v.freeAt.Equal(noon.Add(time.Minute + time.Second)) {
		t.Errorf("free since %v", v.freeAt)
	}
}

// TestInviter_hour counts our invitations of the last hour, and who did not get the last one.
func TestInviter_hour(t *testing.T) {
	v := inviter{delay: seekEvery}
	v.record(noon)
	v.record(noon.Add(30 * time.Minute))
	for after, want := range map[time.Duration]int{30 * time.Minute: 2} {
		if n := v.inLastHour(noon.Add(after)); n != want {
			t.Errorf("after %v: %d, want %d", after, n, want)
		}
	}
	if n := v.inLastHour(noon.Add(time.Hour)); n != 1 || !v.lastAsk.Equal(noon.Add(30*time.Minute)) {
		t.Errorf("after an hour %d, the last at %v", n, v.lastAsk)
	}
	if v.takeMissed(""); v.takeMissed("bob") {
		t.Error("a missed player without an invitation")
	}
	v.asked = "bob"
	if v.takeMissed("dora") || !v.takeMissed("bob") || v.takeMissed("bob") {
		t.Error("bob, and bob alone, was missed once")
	}
}
