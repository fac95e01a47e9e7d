package host

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// order gives an order, again while the account is too busy, and checks whether it was carried out
// and what the answer contains.
func (r *running) order(account, words, want string, done bool) {
	r.t.Helper()
	f := strings.Fields(words)
	var got ops.Reply
	for range 10 {
		got = r.Control(r.t.Context(), ops.Order{Order: f[0], Args: f[1:], Account: account, By: "the test"})
		if !strings.Contains(got.Answer, "is busy") {
			break
		}
	}
	if got.Done != done || !strings.Contains(got.Answer, want) || strings.Contains(got.Answer, "\n") {
		r.t.Errorf("%s %q: done %v, %q; want %v and %q", account, words, got.Done, got.Answer, done, want)
	}
}

// TestControl_orders gives every order to a bot with two accounts.
func TestControl_orders(t *testing.T) {
	t.Parallel()
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie", "anna")
	bad := errors.New("bot.yaml:3: unknown key")
	h := startHost(t, c, func(o *Options) { o.Reload = func() error { return bad } })
	h.ready(2)
	p := login(t, addr, "human", "secret")
	for _, st := range []struct {
		account, words, want string
		done                 bool
	}{
		{"", "dance", "unknown order", false},
		{"", "pause now", "usage: pause", false},
		{"bert", "pause", "no account \"bert\" (use robbie, anna)", false},
		{"", "say hello", "several accounts", false},
		{"robbie", "say hello", "not playing", false},
		{"robbie", "kibitz hello", "not playing", false},
		{"robbie", "tell human", "usage: tell PLAYER TEXT...", false},
		{"robbie", "tell nobody_here hello", "nobody_here is not online", false},
		{"robbie", "invite nobody_here", "nobody_here is not online", false},
		{"robbie", "invite human 100", "not a match length", false},
		{"robbie", "invite robbie", "is this account", false},
		{"", "reload", "unknown key", false},
		{"", "pause", "robbie, anna: Paused", true},
	} {
		h.order(st.account, st.words, st.want, st.done)
	}
	h.until("not shown as paused", func(st ops.Status) bool { return st.Accounts[0].Paused && st.Accounts[1].Paused })
	p.send(clip.Invite{Name: "robbie", Length: 1})
	p.told("robbie", c.Invitations.Say.Paused)
	h.order("ROBBIE", "resume", "robbie: Matches are accepted again", true)
	h.order("robbie", "invite HUMAN 3", "Invited human to 3 points", true)
	p.expect("an invitation", func(ev clip.Event) bool { return ev.Kind == clip.Invites && ev.Name == "robbie" && ev.Length == 3 })
	p.send(clip.Join{Name: "robbie"})
	p.expect("a match", kind(clip.MatchBegins))
	h.until("robbie does not play", func(st ops.Status) bool { return st.Accounts[0].State == "playing" })
	h.order("robbie", "invite human", "playing human", false)
	h.order("robbie", "say good luck,  human", "Said to human", true)
	p.told("robbie", "good luck, human")
	h.order("robbie", "tell HUMAN hello there", "Said to human", true)
	p.told("robbie", "hello there")
	h.order("robbie", "kibitz to  all", "Said to all at the board", true)
	p.expect("a kibitz", func(ev clip.Event) bool {
		return ev.Kind == clip.Kibitzes && ev.Name == "robbie" && ev.Text == "to all"
	})
	h.order("anna", "unblock human", "human is not blocked", false)
	h.order("anna", "forget human", "nothing is remembered about human", false)
	h.order("anna", "block Human stalls for hours", "Human is blocked", true)
	h.order("anna", "invite human", "is playing", false)
	q := login(t, addr, "gast", "secret")
	h.order("anna", "block GAST stalls  for hours", "GAST is blocked", true)
	h.order("anna", "invite gast", "gast is blocked: stalls for hours", false)
	q.send(clip.Invite{Name: "anna", Length: 1})
	q.told("anna", "")
	if m, err := openMemory(fileOf(c.Archive.Dir, "anna", addr, ".json")); err != nil || m.get("gast").Blocked != "stalls for hours" {
		t.Errorf("success is told before the file has it: %v, %+v", err, m.get("gast"))
	}
	h.order("anna", "unblock gast", "gast is accepted again", true)
	h.order("anna", "forget human", "human is forgotten", true)
	h.order("anna", "drain", "Leaving.", true)
	h.until("anna stays", func(st ops.Status) bool { return st.Accounts[1].State == stopped })
	h.order("anna", "resume", "has stopped", false)
	h.order("robbie", "drain", "Leaving after this match", true)
	h.order("robbie", "resume", "accepted again", true)
	h.order("", "leave", "robbie: Logging out; matches are saved", true)
	p.expect("the end", kind(clip.GameSaved))
	if err := h.wait(); err != nil {
		t.Error(err)
	}
}

// TestControl_busy: an order that an account cannot take in time is refused and not carried out
// later. Orders that need no table reach an account that is offline, too.
func TestControl_busy(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	h := resting(t, c)
	s := h.seats[0]
	s.presence.connected(true)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if r := h.Control(ctx, ops.Order{Order: "say", Args: []string{"hello"}}); r.Done || !strings.Contains(r.Answer, "busy") {
		t.Errorf("%+v", r)
	}
	if due := (<-s.orders)(nil, time.Now()); len(due.Send) > 0 { // a nil table would panic
		t.Errorf("carried out late: %+v", due)
	}
	s.presence.connected(false)
	for order, want := range map[string]bool{"say": false, "pause": true} {
		o := ops.Order{Order: order}
		if order == "say" {
			o.Args = []string{"hello"}
		}
		if r := h.Control(t.Context(), o); r.Done != want {
			t.Errorf("offline, %s: %+v", order, r)
		}
	}
}
