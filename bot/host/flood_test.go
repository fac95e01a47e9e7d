package host

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// TestInvitation_manyAtOnce: of many invitations at once few questions are queued, and each
// invitation is answered in time.
func TestInvitation_manyAtOnce(t *testing.T) {
	for _, n := range []int{40, 400} {
		h := resting(t, testConfig(t, "127.0.0.1:1", "robbie"))
		s, tbl, now := h.seats[0], table.New(table.Options{Protocol: fibs.Protocol{}, Name: "robbie"}), time.Now()
		var due table.Due
		for i := range n {
			s.invited(tbl, &due, table.Invitation{From: fmt.Sprintf("human%c%c", 'a'+i/26, 'a'+i%26), Length: 5}, now)
		}
		if len(due.Send) > maxQueued || len(s.received.asking) > maxAsking {
			t.Errorf("%d inviters: %d questions at once about %d", n, len(due.Send), len(s.received.asking))
		}
		asked := len(due.Send)
		for range 5000 {
			now = now.Add(askAgain)
			due := tbl.Tick(now) // the server never answers
			s.decideAsked(tbl, &due, now)
			asked += len(due.Send)
			if len(due.Send) > maxQueued+1 {
				t.Fatalf("%d inviters: %d commands at once", n, len(due.Send))
			}
		}
		if len(s.received.asking) != 0 || asked < maxAsking/2 {
			t.Errorf("%d inviters: %d wait for ever, %d were asked about", n, len(s.received.asking), asked)
		}
	}
}

// TestInvitation_crowdOnASlowServer: the server answers slower than players invite. The bot asks
// about one inviter after the other, the oldest first, and joins the first who is there.
func TestInvitation_crowdOnASlowServer(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Opponents.MaxSaved = 0
	o := newOfflineSeat(t, c)
	o.login()
	o.sent = nil
	for range 3 {
		for _, name := range []string{"carol", "alice", "bob"} {
			o.said(name + " wants to play a 5 point match with you.")
			o.after(500 * time.Millisecond)
		}
	}
	o.want("invite carol")
	o.said("** There is no one called carol")
	o.want("join carol")
	o.said("** carol didn't invite you.")
	o.want("tellx carol The server did not let us play: carol didn't invite you.", "invite alice")
	o.said("alice wants to play a 7 point match with you.")
	o.said("** There's no saved match with alice. Please give a match length.")
	o.want("join alice")
	o.said("** Player alice has joined you for a 7 point match.")
	if n := slices.IndexFunc(o.sent, func(l string) bool { return strings.HasPrefix(l, "tellx bob") }); n < 0 {
		t.Errorf("bob is not told that robbie plays: %q", o.sent)
	}
}

// TestInvitation_floodOverTheWire: forty users log in and invite at once. The bot stays logged
// in and plays one of them.
func TestInvitation_floodOverTheWire(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Server.Rate = config.Rate{Every: config.Duration(20 * time.Millisecond), Burst: 5}
	r := startHost(t, c, nil)
	r.ready(1)
	var crowd []*visitor
	for i := range 40 {
		crowd = append(crowd, login(t, addr, fmt.Sprintf("crowd_%c%c", 'a'+i/26, 'a'+i%26), "secret"))
	}
	for range 5 {
		for _, p := range crowd {
			p.send(clip.Invite{Name: "robbie", Length: 5})
		}
	}
	r.until("no match begins", func(st ops.Status) bool {
		return st.Accounts[0].Opponent != ""
	})
	if st := r.Status(); !st.Accounts[0].Connected {
		t.Errorf("the flood has thrown the bot out: %+v", st.Accounts[0])
	}
}

// TestOpened_acceptedIsNoDecline: a player who accepted and played is invited again;
// decline_pause applies to players who did not answer.
func TestOpened_acceptedIsNoDecline(t *testing.T) {
	h := resting(t, testConfig(t, "127.0.0.1:1", "robbie"))
	s, now := h.seats[0], time.Now()
	s.memory.change("human", now, func(p *person) { p.AskedAt = now })
	begins := fibs.Protocol{}.Reader().FromServer("** Player human has joined you for a 5 point match.")[0]
	s.opened(nil, &table.Due{}, table.Note{Kind: table.NoteOpen, Opponent: "human", Length: 5}, &begins, now)
	if at := s.memory.get("human").AskedAt; !at.IsZero() {
		t.Errorf("asked at %v still, after a match has begun", at)
	}
}
